import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { importRecordOf, memoryContract } from '@kith/contracts';
import { onEachIndex, CHANNEL } from '../e2e/on-each-index.js';

onEachIndex('what owners see and settle', (memory) => {
  const { say, textsOf, rowsOf, extract } = memory;

  describe('private talk', () => {
    it('is not remembered, and what comes after it is', async () => {
      const { personId } = await say('I have a boat');
      const privacy = (isPrivate?: boolean) =>
        memory.messenger.ask(memoryContract.privacy, { personId, private: isPrivate });
      expect(await privacy()).toEqual({ private: false, since: null });
      expect(await privacy(true)).toMatchObject({ private: true });
      await say('It leaks', { personId });
      expect(await privacy(false)).toEqual({ private: false, since: null });
      await say('It floats again', { personId });
      expect((await rowsOf(personId)).map(({ text }) => text).sort()).toEqual([
        'I have a boat',
        'It floats again',
      ]);
    });
  });

  describe('listing', () => {
    it('pages through everything an audience may hear, newest first', async () => {
      const turn = await say(['one thing', 'two things', 'three things', 'four things', 'five things']);
      await say('a thing of the channel', { personId: turn.personId, audience: CHANNEL });
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page: { memories: { text: string }[]; nextCursor: string | null; total: number } =
          await memory.messenger.ask(memoryContract.list, {
            personId: turn.personId,
            limit: 4,
            ...(cursor !== null && { cursor }),
          });
        expect(page.total).toBe(6);
        seen.push(...textsOf(page));
        cursor = page.nextCursor;
      } while (cursor !== null);
      expect(new Set(seen).size).toBe(6);
      const inChannel = await memory.messenger.ask(memoryContract.list, {
        personId: turn.personId,
        audience: CHANNEL,
      });
      expect(textsOf(inChannel)).toEqual(['a thing of the channel']);
      expect(inChannel.memories).toMatchObject([{ companionId: turn.companionId }]);
    });

    it('leaves out what was told in a server that was left, as do their page and a recall there', async () => {
      const { personId, companionId } = await say('I like my tea black');
      const audience = 'channel:discord:left-with-a-list';
      await say('I like my coffee white', { personId, audience });
      await memory.parts.extraction.extract([{ personId, companionId }]);
      const told = async () => {
        const now = new Date().toISOString();
        const asked = { personId, companionId, audience: 'direct' as const };
        const there = { ...asked, audience, query: 'what do I like?', now, explain: 40, countAsUse: false };
        const shown = await Promise.all([
          memory.messenger.ask(memoryContract.list, asked),
          memory.messenger.ask(memoryContract.describe, { ...asked, now }),
          // Its owner may name the place, too, as one where they ask.
          memory.messenger.ask(memoryContract.recall, { ...there, passageTokens: 500, withCore: true }),
        ]);
        return shown.map((each) => ['tea', 'coffee'].filter((word) => JSON.stringify(each).includes(word)));
      };
      const all = ['tea', 'coffee'];
      expect(await told()).toEqual([all, all, ['coffee']]);
      await memory.parts.left.note([audience], true);
      expect(await told()).toEqual([['tea'], ['tea'], []]);
      await memory.parts.left.note([audience], false);
      expect(await told()).toEqual([all, all, ['coffee']]);
    });

    it('leaves nothing out of an export, though it is said again between two pages', async () => {
      const { personId } = await say(['one thing', 'two things', 'three things']);
      const exported = async (cursor?: string) =>
        memory.messenger.ask(memoryContract.list, { personId, asKept: true, limit: 2, cursor });
      const first = await exported();
      const [left] = ['one thing', 'two things', 'three things'].filter(
        (text) => !textsOf(first).includes(text),
      );
      await memory.sayOn('2031-01-01', left!, { personId });
      const rest = await exported(first.nextCursor!);
      expect([...textsOf(first), ...textsOf(rest)].toSorted()).toEqual([
        'one thing',
        'three things',
        'two things',
      ]);
      expect(rest.nextCursor).toBeNull();
    });

    it.each([
      'bogus',
      ...[
        '0000-01-01',
        '0000-01-01T00:00:00.000Z',
        '+010000-01-01T00:00:00.000Z',
        '9999-12-31T23:59:59-23:59',
      ].map((at) => Buffer.from(`${at} ${randomUUID()}`).toString('base64url')),
    ])('refuses the cursor %s, which it did not give out, by its name', async (cursor) => {
      const asked = memory.messenger.ask(memoryContract.list, { personId: randomUUID(), cursor });
      await expect(asked).rejects.toMatchObject({ code: 'invalid_request', details: { field: 'cursor' } });
    });
  });

  describe('a fact that its owner sees, and puts right', () => {
    const about = async (said: string | string[]) => {
      const { personId } = await say(said);
      const whose = { personId, companionId: 'wren' };
      const extract = () => memory.parts.extraction.extract([whose]);
      await extract();
      const facts = async () =>
        (await memory.messenger.ask(memoryContract.list, { personId, kind: 'fact' })).memories;
      const correct = async (attribute: string, text: string) => {
        const { id } = (await facts()).find(({ fact }) => fact?.attribute === attribute)!;
        return memory.messenger.ask(memoryContract.change, { personId, id, change: { text } });
      };
      return { personId, extract, facts, correct };
    };

    it('may be as long as any memory, and is listed and recalled with the others', async () => {
      const { personId, facts, correct } = await about('I live in Paris');
      const text = `Ann lives in Paris, ${'and loves it '.repeat(150)}`.trim();
      expect(await correct('home', text)).toMatchObject({ text, fact: { wording: text } });
      expect(await facts()).toMatchObject([{ text }]);
      expect(textsOf(await memory.recall({ personId }, 'where does Ann live?'))).toContain(text);
    });

    it('is listed in whichever letters it was said: some are two in lower case', async () => {
      const { facts } = await about(`I like ${'İ'.repeat(115)}`);
      expect(await facts()).toMatchObject([{ fact: { value: 'likes' } }]);
    });

    it('is the same as what they say like that, and no second one', async () => {
      const { personId, extract, facts, correct } = await about('I live in Paris');
      await correct('home', 'Ann lives in Tokyo');
      await say('I live in Tokyo', { personId });
      await extract();
      expect(await facts()).toMatchObject([{ fact: { value: 'Tokyo', validTo: null } }]);
    });

    it('stays as it was put right when its line is read again', async () => {
      const said = ['I live in Pariss and I like tea', 'I really like tea'];
      const { personId, extract, facts, correct } = await about(said);
      await correct('home', 'Ann lives in Paris');
      const row = (await rowsOf(personId)).find(({ text }) => text === said[1])!;
      const what = { kind: 'ids' as const, ids: [String(row['id'])] };
      await memory.messenger.ask(memoryContract.forget, { orderId: randomUUID(), personId, what });
      await extract();
      const now = await facts();
      expect(textsOf({ memories: now }).toSorted()).toEqual([
        'Ann likes tea (since 1 May 2026)',
        'Ann lives in Paris',
      ]);
      expect(now.map(({ fact }) => fact?.validTo)).toEqual([null, null]);
    });

    it('outlasts new words of its line, unless they tell something else of its topic', async () => {
      const { personId, extract, facts, correct } = await about(
        'I live in Pariss and I like tea and I like jazz',
      );
      await correct('likes:tea', 'Ann likes coffee');
      const { memories } = await memory.messenger.ask(memoryContract.list, { personId, kind: 'episode' });
      const rewrite = async (text: string) => {
        const change = { personId, id: memories[0]!.id, change: { text } };
        await memory.messenger.ask(memoryContract.change, change);
        await extract();
        return textsOf({ memories: await facts() }).toSorted();
      };
      const [home, jazz] = ['lives in Paris', 'likes jazz'].map((what) => `Ann ${what} (since 1 May 2026)`);
      expect(await rewrite('I live in Paris and I like tea and I like jazz')).toEqual([
        'Ann likes coffee',
        jazz,
        home,
      ]);
      expect(await rewrite('I live in Paris and I like juice')).toEqual([
        'Ann likes juice (since 1 May 2026)',
        home,
      ]);
    });

    it('goes with new words of a line in which no rule finds its topic', async () => {
      const { personId, facts, correct } = await about('I like tea');
      await correct('likes:tea', 'Ann likes coffee');
      const { memories } = await memory.messenger.ask(memoryContract.list, { personId, kind: 'episode' });
      const rewrite = (text: string) =>
        memory.messenger.ask(memoryContract.change, { personId, id: memories[0]!.id, change: { text } });
      await rewrite('Tea? Well');
      expect(await facts()).toEqual([]);
    });

    it('stays as it was put right through an export and an import', async () => {
      const { personId, correct } = await about(['I live in Pariss', 'I like tea']);
      await correct('home', 'Ann lives in Paris');
      await correct('likes:tea', 'Ann likes coffee');
      const { memories } = await memory.messenger.ask(memoryContract.list, { personId });
      const other = { personId: randomUUID(), companionId: 'wren' };
      const records = memories.map(importRecordOf);
      await memory.messenger.ask(memoryContract.import, { ...other, records });
      await memory.parts.extraction.extract([other]);
      const now = await memory.messenger.ask(memoryContract.list, { personId: other.personId, kind: 'fact' });
      expect(textsOf(now).toSorted()).toEqual(['Ann likes coffee', 'Ann lives in Paris']);
      expect(now.memories.map(({ fact }) => fact?.validTo)).toEqual([null, null]);
    });

    it('is not told beside what was wrong when an older export comes back', async () => {
      const { personId, facts, correct } = await about('I live in Pariss');
      const records = (await facts()).map(importRecordOf);
      await correct('home', 'Ann lives in Paris');
      const asked = { personId, companionId: 'wren', records };
      expect(await memory.messenger.ask(memoryContract.import, asked)).toMatchObject({ kept: 0, known: 1 });
      expect(await facts()).toMatchObject([{ text: 'Ann lives in Paris' }]);
    });

    it('is known by an older export though it is about something else since', async () => {
      const { personId, facts, correct } = await about('I like tea and I love cake');
      const old = (await facts()).map(importRecordOf);
      await correct('likes:tea', 'Ann likes coffee');
      await correct('likes:coffee', 'Ann likes juice');
      const keep = (records: typeof old) =>
        memory.messenger.ask(memoryContract.import, { personId, companionId: 'wren', records });
      const right = ['Ann likes cake (since 1 May 2026)', 'Ann likes juice'];
      const between = old.map((record) => ({
        ...record,
        ...(record.fact?.attribute === 'likes:tea' && {
          fact: { ...record.fact, attribute: 'likes:coffee' },
        }),
      }));
      for (const records of [old, between]) {
        expect(await keep(records)).toMatchObject({ kept: 0, known: 2 });
        expect(textsOf({ memories: await facts() }).toSorted()).toEqual(right);
      }
      // Said anew, it is a fact of its own.
      await say('I like tea', { personId });
      await extract(personId);
      expect(await keep(old)).toMatchObject({ kept: 0, known: 2 });
      expect(textsOf({ memories: await facts() })).toContain('Ann likes tea (since 1 May 2026)');
    });

    it('is known by an older export in a new store that a newer one was brought to', async () => {
      const { personId, facts, correct } = await about('I like tea');
      const old = (await facts()).map(importRecordOf);
      await correct('likes:tea', 'Ann likes coffee');
      const listed = await memory.messenger.ask(memoryContract.list, { personId, asKept: true });
      const other = { personId: randomUUID(), companionId: 'wren' };
      const keep = (records: typeof old) =>
        memory.messenger.ask(memoryContract.import, { ...other, records });
      await keep(listed.memories.map(importRecordOf));
      expect(await keep(old)).toMatchObject({ kept: 0, known: 1 });
      const now = await memory.messenger.ask(memoryContract.list, { personId: other.personId, kind: 'fact' });
      expect(textsOf(now)).toEqual(['Ann likes coffee']);
    });

    it('is what the others call them by, where it is their name', async () => {
      const { facts, correct } = await about(['My name is Bob', 'I live in Paris']);
      await correct('name', 'This person is called Eva');
      expect(textsOf({ memories: await facts() }).toSorted()).toEqual([
        'Eva lives in Paris (since 1 May 2026)',
        'This person is called Eva',
      ]);
    });
  });

  it('shows its owner core memory of every place but those that were left, and each place its own', async () => {
    const personId = randomUUID();
    const left = 'channel:discord:left-with-notes';
    for (const [audience, text] of [
      ['direct', 'Ann bakes.'],
      [CHANNEL, 'Ann hosts the quiz.'],
      [left, 'Ann sails.'],
    ] as const)
      await memory.messenger.ask(memoryContract.editCore, {
        personId,
        companionId: 'wren',
        audience,
        label: 'human',
        by: 'companion',
        edit: { kind: 'set', text },
      });
    const told = async (audience: string | null) => {
      const asked = { personId, companionId: 'wren', audience };
      const { blocks } = await memory.messenger.ask(memoryContract.core, asked);
      return blocks.map((block) => [block.audience, block.text]);
    };
    const [direct, channel] = [
      ['direct', 'Ann bakes.'],
      [CHANNEL, 'Ann hosts the quiz.'],
    ];
    expect([await told('direct'), await told(CHANNEL)]).toEqual([[direct], [channel]]);
    await memory.parts.left.note([left], true);
    expect(await told(null)).toEqual([direct, channel]);
    expect(await told(left)).toEqual([]);
    // As an import of an older export does, which sees no block there.
    const filling = memory.messenger.ask(memoryContract.editCore, {
      personId,
      companionId: 'wren',
      audience: left,
      label: 'human',
      by: 'person',
      edit: { kind: 'set', text: 'Ann rows.', basedOn: '' },
    });
    await expect(filling).rejects.toMatchObject({ code: 'conflict' });
    await memory.parts.left.note([left], false);
    expect(await told(null)).toEqual([direct, channel, [left, 'Ann sails.']]);
    await memory.messenger.ask(memoryContract.forgetPlace, { audience: left });
    expect(await told(null)).toEqual([direct, channel]);
    const what = { kind: 'all' as const };
    await memory.messenger.ask(memoryContract.forget, { orderId: randomUUID(), personId, what });
    expect(await told(null)).toEqual([]);
  });

  it('keeps no empty block of core memory, and a bounded number of them, with the operator’s in any case', async () => {
    const personId = randomUUID();
    const edit = (audience: string, text: string, label: 'human' | 'operator' = 'human') =>
      memory.messenger.ask(memoryContract.editCore, {
        personId,
        companionId: 'wren',
        audience,
        label,
        edit: { kind: 'set', text },
        by: label === 'human' ? 'person' : 'operator',
      });
    const count = () => memory.parts.database.asSystem((tx) => tx.coreBlock.count({ where: { personId } }));
    expect(await edit('direct', ' ')).toMatchObject({ text: '', audience: 'direct' });
    expect(await count()).toBe(0);
    await memory.parts.database.asSystem(
      (tx) => tx.$executeRaw`
      INSERT INTO core_blocks (person_id, companion_id, audience, label, text, updated_by)
      SELECT ${personId}::uuid, 'wren', 'channel:discord:full-' || n, 'human', 'Ann bakes.', 'person'
      FROM generate_series(1, 999) AS n`,
    );
    await edit('direct', 'Ann bakes.');
    await expect(edit(CHANNEL, 'Ann hosts the quiz.')).rejects.toMatchObject({ code: 'invalid_request' });
    await edit('direct', 'Ann sails.');
    await edit('direct', 'Pays late.', 'operator');
    expect(await count()).toBe(1_001);
  });

  it('tells what is known of somebody as a page, to each audience its own', async () => {
    const { personId } = await say(['My name is Ann', 'I live in Lyon', 'Nice weather']);
    await say('I am allergic to peanuts', { personId, audience: CHANNEL });
    await extract(personId);
    const page = async (audience: string) => {
      const asked = { personId, companionId: 'wren', audience, now: new Date().toISOString() };
      return (await memory.messenger.ask(memoryContract.describe, asked)).page;
    };
    const direct = await page('direct');
    for (const known of ['lives in Lyon', 'allergic to peanuts']) expect(direct).toContain(known);
    expect(direct).not.toContain('weather');
    expect(await page(CHANNEL)).toContain('allergic to peanuts');
    expect(await page(CHANNEL)).not.toContain('Lyon');
  });
});
