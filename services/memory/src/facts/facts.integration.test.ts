import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { importRecordOf, memoryContract, type ReadTurn } from '@kith/contracts';
import { ReaderEnded } from '@kith/reading';
import { eventually } from '@kith/testing';
import { pino } from 'pino';
import { onEachIndex, NOW, CHANNEL } from '../e2e/on-each-index.js';
import { FactExtractor } from './fact-extractor.js';
import { readByRules } from './read-by-rules.js';
import { readLinesBy } from './read-lines.js';

onEachIndex('facts', (memory) => {
  const { say, sayOn, recall, textsOf, rowsOf, extract } = memory;

  describe('facts', () => {
    const factsOf = async (personId: string) =>
      (await rowsOf(personId))
        .filter(({ kind: sort }) => sort === 'fact')
        .map(({ text }) => text as string)
        .sort();

    it('are kept with their times, end each other, and what holds is found first', async () => {
      const berlin = await sayOn('2026-01-05', 'I live in Berlin.');
      await extract(berlin.personId);
      await sayOn('2026-03-01', 'I moved to Tokyo!', { personId: berlin.personId });
      await extract(berlin.personId);
      await extract(berlin.personId);
      expect(await factsOf(berlin.personId)).toEqual([
        'Ann lives in Berlin (from 5 January 2026 until 1 March 2026, no longer)',
        'Ann lives in Tokyo (since 1 March 2026)',
      ]);
      const { memories } = await recall(berlin, 'where does Ann live?');
      const facts = memories.filter(({ kind: sort }) => sort === 'fact');
      expect(facts[0]).toMatchObject({ text: expect.stringContaining('Tokyo'), fact: { validTo: null } });
      expect(facts[1]).toMatchObject({ fact: { validTo: '2026-03-01T10:00:00.000Z' } });
    });

    it('are what is told of somebody who asks what is known of them, and no earlier question', async () => {
      const turn = await say(['I live in Berlin.', 'What do you remember about me?']);
      const { personId } = turn;
      await say(['I work as a nurse.', 'What do you know about me?'], { personId });
      await extract(turn.personId);
      await say('I moved to Tokyo!', { personId });
      await extract(turn.personId);
      const asked = await recall(turn, 'So what do you remember about me?');
      expect(
        textsOf(asked)
          .map((text) => text.replace(/ \(.*/, ''))
          .toSorted(),
      ).toEqual(['Ann lives in Tokyo', 'Ann works as nurse']);
      expect(textsOf(await recall(turn, 'What do you remember about me?', { audience: CHANNEL }))).toEqual(
        [],
      );
    });

    it('are read from no words that were put right or taken back while a model read them', async () => {
      const turn = await say(['I live in Berlin', 'I have a dog called Rex']);
      const { personId } = turn;
      const amend = (old: string, text: string | null, said: string) =>
        memory.messenger.ask(memoryContract.amend, {
          personId,
          companionId: 'wren',
          audience: 'direct',
          companionName: 'Wren',
          sources: ['m-now'],
          key: randomUUID(),
          old,
          text,
          said: [said],
        });
      const [first] = (await rowsOf(personId)).filter(({ text }) => text === 'I live in Berlin');
      const id = first?.['id'] as string;
      // The first reading is overtaken by both; the next one finds the new words alone.
      const during = [
        async () => {
          const { outcome } = await amend('I have a dog called Rex', null, 'That about the dog is wrong.');
          expect(outcome).toBe('withdrawn');
          await memory.messenger.ask(memoryContract.change, {
            personId,
            id,
            change: { text: 'I live in Hamburg' },
          });
        },
      ];
      const byRules = readLinesBy(
        null,
        (line) => Promise.resolve(readByRules(line)),
        pino({ level: 'silent' }),
      );
      const extractor = new FactExtractor(
        memory.parts.database,
        memory.parts.writer,
        memory.parts.messenger,
        async (lines, context) => {
          const reading = await byRules(lines, context);
          await during.pop()?.();
          return reading;
        },
      );
      await extractor.extract([{ personId, companionId: 'wren' }]);
      expect((await factsOf(personId)).join()).not.toMatch(/Berlin|Rex/);
      await extract(turn.personId);
      expect(await factsOf(personId)).toEqual([expect.stringContaining('Hamburg')]);
    });

    it('are read from the others when a line ends its reader, which is told and not read again', async () => {
      const first = await sayOn('2026-01-05', 'I live in Berlin.');
      const hostile = await sayOn('2026-01-06', 'I hate hostile lines', { personId: first.personId });
      await sayOn('2026-01-07', 'I have a dog called Rex.', { personId: first.personId });
      const rules = readLinesBy(
        null,
        async (line) => {
          if (line.text.includes('hostile')) throw new ReaderEnded();
          return readByRules(line);
        },
        pino({ level: 'silent' }),
      );
      const [database, indexing] = [memory.parts.database, memory.parts.writer];
      const extractor = new FactExtractor(database, indexing, memory.parts.messenger, rules);
      const whose = { personId: first.personId, companionId: 'wren' };
      const left = (await rowsOf(first.personId)).find((row) => row['turn_id'] === hostile.turnId)!;
      await expect(extractor.extract([whose])).rejects.toMatchObject({
        code: 'invalid_request',
        message: expect.stringContaining(left['id'] as string),
      });
      expect(await factsOf(first.personId)).toHaveLength(2);
      await extractor.extract([whose]);
    });

    it('are read from the others when a line ended the process, whosever of the job it is', async () => {
      const first = await sayOn('2026-01-05', 'I live in Berlin.');
      const second = await sayOn('2026-01-06', 'I live in Hamburg. I hate hostile lines');
      await sayOn('2026-01-07', 'I have a dog called Rex.', { personId: second.personId });
      const [hostile] = await rowsOf(second.personId);
      const begun: string[] = [];
      const suspect = {
        endedBy: [String(hostile!['id'])],
        begin: async (piece: string) => void begun.push(piece),
      };
      const whose = [first, second].map(({ personId }) => ({ personId, companionId: 'wren' }));
      await expect(memory.parts.extraction.extract(whose, suspect)).rejects.toMatchObject({
        code: 'invalid_request',
        message: expect.stringContaining(String(hostile!['id'])),
      });
      expect(begun).not.toContain(hostile!['id']);
      expect((await factsOf(second.personId)).join()).toMatch(/Rex/);
      expect((await factsOf(second.personId)).join()).not.toMatch(/Hamburg/);
      expect(await factsOf(first.personId)).toHaveLength(1);
    });

    it('go by the name that a person gave, until that is forgotten, and a channel learns none from a DM', async () => {
      const first = await sayOn('2026-01-05', 'I live in Berlin.', { displayName: 'Owner' });
      const { personId } = first;
      await sayOn('2026-01-05', 'I work as a nurse.', {
        personId,
        displayName: 'Owner',
        audience: 'channel:discord:1',
      });
      await extract(first.personId);
      const said = await sayOn('2026-01-06', "Hi, I'm Ada", { personId, displayName: 'Owner' });
      await extract(first.personId);
      expect(await factsOf(personId)).toEqual([
        'Ada lives in Berlin (since 5 January 2026)',
        'Owner works as nurse (since 5 January 2026)',
        'This person is called Ada (since 6 January 2026)',
      ]);
      const { core } = await recall(first, 'anything', { withCore: true });
      expect(core).toMatchObject([{ label: 'human', text: 'They are called Ada.' }]);
      const inChannel = { withCore: true, audience: 'channel:discord:1' };
      expect((await recall(first, 'anything', inChannel)).core).toEqual([]);
      const about = { personId, companionId: 'wren', audience: 'direct', now: NOW };
      expect((await memory.messenger.ask(memoryContract.describe, about)).name).toBe('Ada');
      await memory.messenger.ask(memoryContract.forget, {
        orderId: randomUUID(),
        personId,
        what: { kind: 'sources', sources: said.messages.map(({ externalId }) => externalId!) },
      });
      expect(await factsOf(personId)).toEqual([
        'Owner lives in Berlin (since 5 January 2026)',
        'Owner works as nurse (since 5 January 2026)',
      ]);
      expect((await recall(first, 'anything', { withCore: true })).core).toEqual([]);
    });

    it('tell a name that was ended in a DM there no more, and go on telling it where it was given', async () => {
      const audience = 'channel:discord:1';
      const first = await sayOn('2026-01-05', "Hi, I'm Ada", { audience });
      await extract(first.personId);
      const { personId } = first;
      const core = async (where: object) =>
        (await recall(first, 'anything', { withCore: true, ...where })).core;
      const asAda = [{ label: 'human', text: 'They are called Ada.' }];
      expect(await core({})).toMatchObject(asAda);
      const { memories } = await memory.messenger.ask(memoryContract.list, { personId, kind: 'fact' });
      const [record] = memories.map(importRecordOf);
      // As a model reads "Don't call me Ada any more".
      const [saidAt, validTo] = ['2026-02-01T10:00:00.000Z', '2026-02-01T10:00:00.000Z'];
      const ended = { ...record!, audience: 'direct', saidAt, fact: { ...record!.fact!, validTo } };
      const keep = { personId, companionId: 'wren', records: [ended] };
      expect(await memory.messenger.ask(memoryContract.import, keep)).toMatchObject({ kept: 1 });
      expect(await core({})).toEqual([]);
      expect(await core({ audience })).toMatchObject(asAda);
    });

    it('of a server that was left end none in a DM', async () => {
      const audience = 'channel:discord:gone';
      const first = await sayOn('2026-01-05', 'I live in Berlin.');
      const { personId } = first;
      await sayOn('2026-02-05', 'I moved to Rome.', { personId, audience });
      await extract(first.personId);
      const berlin = 'Ann lives in Berlin';
      const told = async () => textsOf(await recall(first, 'where does Ann live?'));
      expect(await told()).toContain(`${berlin} (from 5 January 2026 until 5 February 2026, no longer)`);
      await memory.parts.left.note([audience], true);
      expect(await told()).toContain(`${berlin} (since 5 January 2026)`);
      await memory.parts.left.note([audience], false);
    });

    it('reach no channel from a DM, nor a DM from a server that was left, by what is said there, nor does a name', async () => {
      const audience = 'channel:discord:1';
      const owner = { displayName: 'Owner' };
      for (const [told, said] of [
        ['direct', audience],
        [audience, 'direct'],
      ] as const) {
        const first = await sayOn('2026-01-05', "Hi, I'm Ada. I work as a nurse.", {
          ...owner,
          audience: told,
        });
        const { personId } = first;
        await extract(personId);
        if (said === 'direct') await memory.parts.left.note([audience], true);
        const now = 'I quit my job. I live in Berlin.';
        await sayOn('2026-02-05', now, { ...owner, personId, audience: said });
        await extract(personId);
        const heard = (await rowsOf(personId)).filter((row) => row['audience'] === said);
        expect(heard.filter(({ kind }) => kind === 'fact').map(({ text }) => text)).toEqual([
          'Owner lives in Berlin (since 5 February 2026)',
        ]);
      }
      await memory.parts.left.note([audience], false);
    });

    it('that are not kept swallow none that is told again', async () => {
      const first = await sayOn('2026-01-05', 'I live in Berlin.');
      const { personId } = first;
      await extract(first.personId);
      await memory.stores.query(
        `UPDATE memories SET shelf = 'quarantine' WHERE person_id = $1 AND kind = 'fact'`,
        [personId],
      );
      // The line that told it, read again, tells nothing new.
      await memory.stores.query('UPDATE memories SET read_at = NULL WHERE person_id = $1', [personId]);
      await extract(first.personId);
      const shelves = async () =>
        (await rowsOf(personId)).filter(({ kind: sort }) => sort === 'fact').map(({ shelf }) => shelf);
      expect(await shelves()).toEqual(['quarantine']);
      await sayOn('2026-02-05', 'I live in Berlin.', { personId });
      await extract(first.personId);
      expect((await shelves()).toSorted()).toEqual(['open', 'quarantine']);
    });

    it('hold again for one who says the very same again later', async () => {
      const paris = await sayOn('2026-01-05', 'I live in Paris.');
      await sayOn('2026-02-05', 'I moved to Lyon.', { personId: paris.personId });
      await extract(paris.personId);
      await sayOn('2026-03-05', 'I live in Paris.', { personId: paris.personId });
      await extract(paris.personId);
      expect(await factsOf(paris.personId)).toEqual([
        'Ann lives in Lyon (from 5 February 2026 until 5 March 2026, no longer)',
        'Ann lives in Paris (from 5 January 2026 until 5 February 2026, no longer)',
        'Ann lives in Paris (since 5 March 2026)',
      ]);
    });

    it('survive an export and an import, each once', async () => {
      const bern = await sayOn('2026-01-05', 'I live in Bern.');
      await sayOn('2026-03-01', 'I moved to Rome.', { personId: bern.personId });
      await extract(bern.personId);
      const { memories } = await memory.messenger.ask(memoryContract.list, {
        personId: bern.personId,
        companionId: 'wren',
        limit: 50,
      });
      const records = memories.map(importRecordOf);
      expect(records.length).toBe(4);
      const keepAs = (personId: string) =>
        memory.messenger.ask(memoryContract.import, { personId, companionId: 'wren', records });
      expect(await keepAs(bern.personId)).toEqual({ kept: 0, known: 4, left: 0 });
      const other = randomUUID();
      expect(await keepAs(other)).toEqual({ kept: 4, known: 0, left: 0 });
      await extract(other);
      expect(await factsOf(other)).toEqual([
        'Ann lives in Bern (from 5 January 2026 until 1 March 2026, no longer)',
        'Ann lives in Rome (since 1 March 2026)',
      ]);
    });

    it('are read from lines that were exported before they were read', async () => {
      const { personId } = await say('I live in Bern.');
      const { memories } = await memory.messenger.ask(memoryContract.list, { personId, kind: 'episode' });
      const [other, companionId] = [randomUUID(), 'wren'];
      const records = memories.map(importRecordOf);
      await memory.messenger.ask(memoryContract.import, { personId: other, companionId, records });
      await extract(other);
      expect(await factsOf(other)).toEqual(['The person lives in Bern (since 1 May 2026)']);
    });

    it.each([
      ['somebody else', { speaker: 'Bo', sources: ['line-1'] }, ['line-1']],
      ['the companion, in a note', { speaker: 'Wren', note: true, sources: ['line-1', 'line-2'] }, []],
    ])('are read from what the person says as %s did before', async (_, over, sources) => {
      const personId = randomUUID();
      const records = [{ text: 'I live in Bern.', saidAt: '2026-01-05T10:00:00Z', ...over }];
      await memory.messenger.ask(memoryContract.import, { personId, companionId: 'wren', records });
      const turn = await say('I live in Bern.', { personId });
      await extract(turn.personId);
      expect(await factsOf(personId)).toEqual(['Ann lives in Bern (since 1 May 2026)']);
      const [line] = (await rowsOf(personId)).filter(({ kind }) => kind === 'episode');
      expect(line).toMatchObject({ speaker: 'Ann', sources: [...sources, `${turn.turnId}-0`] });
    });

    it('are read from their own line that was imported as somebody else’s before', async () => {
      const personId = randomUUID();
      const keep = (over: { speaker?: string }) =>
        memory.messenger.ask(memoryContract.import, {
          personId,
          companionId: 'wren',
          records: [{ text: 'I live in Bern.', saidAt: '2026-01-05T10:00:00Z', ...over }],
        });
      await keep({ speaker: 'Ann' });
      expect(await keep({})).toEqual({ kept: 0, known: 1, left: 0 });
      await extract(personId);
      expect(await factsOf(personId)).toEqual(['The person lives in Bern (since 5 January 2026)']);
    });

    it('of a time that is asked about come first, and what was said then comes without its words', async () => {
      const bern = await sayOn('2026-01-05', 'I live in Bern.');
      await sayOn('2026-03-01', 'I moved to Rome.', { personId: bern.personId });
      await sayOn('2026-02-10', 'The kite got stuck in a tree.', { personId: bern.personId });
      await extract(bern.personId);
      const now = { now: '2026-05-02T10:00:00.000Z' };
      const then = await recall(bern, 'where did Ann live in February?', now);
      expect(then.memories.find(({ kind: sort }) => sort === 'fact')!.text).toContain('Bern');
      const what = await recall(bern, 'What happened last February?', now);
      expect(textsOf(what)).toContain('The kite got stuck in a tree.');
    });

    it('of a DM are not told in a channel, and end nothing there', async () => {
      const open = await say('I live in Bern.', { audience: CHANNEL });
      await say('I moved to Rome.', { personId: open.personId });
      await extract(open.personId);
      const inChannel = await recall(open, 'where does Ann live?', { audience: CHANNEL });
      expect(textsOf(inChannel).join()).not.toContain('Rome');
      expect(inChannel.memories.find(({ kind: sort }) => sort === 'fact')?.fact?.validTo).toBeNull();
    });

    it('of a channel end in a DM with what is told there, and in the channel hold', async () => {
      const { personId } = await sayOn('2026-01-05', 'I live in Bern. I am a nurse.', { audience: CHANNEL });
      const dm = await sayOn('2026-03-01', 'I moved to Rome and I quit my job.', { personId });
      await extract(personId);
      const asked = { personId, companionId: 'wren', now: NOW };
      const heardBy = async (audience: string) => {
        const found = await recall(dm, 'where does Ann live and work?', { audience });
        const page = await memory.messenger.ask(memoryContract.describe, { ...asked, audience });
        const listed = await memory.messenger.ask(memoryContract.list, { ...asked, kind: 'fact', audience });
        const recalled = textsOf(found).filter((text) => text.startsWith('Ann '));
        return { recalled, page: page.page, listed: new Set(textsOf(listed)) };
      };
      const bern = 'Ann lives in Bern (since 5 January 2026)';
      const nurse = 'Ann works as nurse (since 5 January 2026)';
      const ended = (text: string) =>
        text.replace('since 5 January 2026', 'from 5 January 2026 until 1 March 2026, no longer');
      const rome = 'Ann lives in Rome (since 1 March 2026)';

      const open = await heardBy(CHANNEL);
      expect(open.recalled.toSorted()).toEqual([bern, nurse]);
      expect(open.listed).toEqual(new Set([bern, nurse]));
      expect(open.page).not.toMatch(/Rome|no longer/);

      const direct = await heardBy('direct');
      expect(direct.recalled.indexOf(rome)).toBeLessThan(direct.recalled.indexOf(ended(bern)));
      expect(new Set(direct.recalled)).toEqual(new Set([rome, ended(bern), ended(nurse)]));
      expect(direct.listed).toEqual(new Set([rome, ended(bern), ended(nurse)]));
      expect(direct.page.match(/works as nurse/g)).toHaveLength(1);
      const kept = await memory.messenger.ask(memoryContract.list, { ...asked, kind: 'fact', asKept: true });
      expect(textsOf(kept)).toContain(bern);

      const what = { kind: 'sources' as const, sources: [`${dm.turnId}-0`] };
      await memory.messenger.ask(memoryContract.forget, { orderId: randomUUID(), personId, what });
      expect((await heardBy('direct')).listed).toEqual(new Set([bern, nurse]));
    });

    it('hold again when what ended them is forgotten', async () => {
      const bern = await sayOn('2026-01-05', 'I live in Bern.');
      const rome = await sayOn('2026-03-01', 'I moved to Rome.', { personId: bern.personId });
      await extract(bern.personId);
      const what = { kind: 'sources' as const, sources: [`${rome.turnId}-0`] };
      await memory.messenger.ask(memoryContract.forget, {
        orderId: randomUUID(),
        personId: bern.personId,
        what,
      });
      expect(await factsOf(bern.personId)).toEqual(['Ann lives in Bern (since 5 January 2026)']);
    });

    it('go with a message that says so, unless another says so, too', async () => {
      const first = await sayOn('2026-01-05', 'I live in Bern.');
      const again = await sayOn('2026-02-05', 'I live in Bern, as you know.', { personId: first.personId });
      await extract(first.personId);
      const forget = async (text: string) => {
        const rows = await rowsOf(first.personId);
        const ids = rows.filter((row) => row['text'] === text).map(({ id }) => id as string);
        const what = { kind: 'ids' as const, ids };
        await memory.messenger.ask(memoryContract.forget, {
          orderId: randomUUID(),
          personId: first.personId,
          what,
        });
        await extract(again.personId);
      };
      await forget('I live in Bern.');
      expect(await factsOf(first.personId)).toEqual(['Ann lives in Bern (since 5 February 2026)']);
      await forget('I live in Bern, as you know.');
      expect(await factsOf(first.personId)).toEqual([]);
    });

    it('are read from each yes by what was asked before it, unless that was private', async () => {
      const personId = randomUUID();
      const isAsked = (text: string, turn: ReadTurn, at: string) =>
        memory.neighbours.exchanges.set(turn.turnId, { before: { text, at } });
      const jazz = await sayOn('2026-01-05', 'Yes!', { personId });
      isAsked('Do you like jazz?', jazz, '2026-01-05T09:59:00.000Z');
      await extract(jazz.personId);
      const tea = await sayOn('2026-01-06', 'Yes!', { personId });
      isAsked('Do you like tea?', tea, '2026-01-06T09:59:00.000Z');
      await extract(tea.personId);
      const secret = await sayOn('2026-01-07', 'Yes!', { personId });
      isAsked('Do you like gin?', secret, '2026-01-07T09:59:00.000Z');
      await memory.stores.query(
        `INSERT INTO private_times (id, person_id, since, until)
         VALUES ($1, $2, '2026-01-07T09:00:00Z', '2026-01-07T09:59:30Z')`,
        [randomUUID(), personId],
      );
      await extract(secret.personId);
      expect(await factsOf(personId)).toEqual([
        'Ann likes jazz (since 5 January 2026)',
        'Ann likes tea (since 6 January 2026)',
      ]);
      const facts = (await rowsOf(personId)).filter(({ kind: sort }) => sort === 'fact');
      expect(new Set(facts.map(({ sources }) => String(sources)))).toEqual(
        new Set([`${jazz.turnId}-0`, `${tea.turnId}-0`]),
      );
    });

    it('are not made of what others said in an import', async () => {
      const personId = randomUUID();
      const records = [
        { text: 'I live in Oslo.', speaker: 'Bo', saidAt: NOW },
        { text: 'I live in Bergen.', saidAt: NOW },
      ];
      await memory.messenger.ask(memoryContract.import, { personId, companionId: 'wren', records });
      await eventually('the fact', async () => (await factsOf(personId)).length > 0);
      expect(await factsOf(personId)).toEqual(['The person lives in Bergen (since 2 May 2026)']);
    });
  });

  it('lets what was felt at it weigh, however often it is read', async () => {
    const moved = await say('We walked along the river');
    const plain = await say('We walked along the canal', { personId: moved.personId });
    memory.neighbours.felt.set(moved.turnId, 0.8);
    const weights = async () => {
      await memory.stores.query('UPDATE memories SET read_at = NULL WHERE person_id = $1', [moved.personId]);
      await extract(moved.personId);
      const rows = await rowsOf(moved.personId);
      return [moved, plain].map(({ turnId }) =>
        Number(rows.find((row) => row['turn_id'] === turnId)!['importance']),
      );
    };
    const [felt, unfelt] = await weights();
    expect(felt! - unfelt!).toBeCloseTo(1.6, 10);
    expect(await weights()).toEqual([felt, unfelt]);
  });

  it('lifts what replies spoke of, and what was felt as the asker feels', async () => {
    const { personId } = await say('My sister Ida plays the cello');
    const felt = await say('The heron by the lake', { personId });
    memory.neighbours.felt.set(felt.turnId, -1);
    const [row] = (await rowsOf(personId)).filter(({ text }) => String(text).includes('cello'));
    const asked = await say('What shall I give her?', { personId });
    const reply = 'Something for the cello, since Ida plays it so much?';
    memory.neighbours.exchanges.set(asked.turnId, { reply, recalled: [row!['id'] as string] });
    for (const time of [1, 2]) {
      await memory.stores.query('UPDATE memories SET read_at = NULL WHERE person_id = $1', [personId]);
      await extract(personId);
      const [after] = (await rowsOf(personId)).filter(({ id }) => id === row!['id']);
      expect([time, after!['times_used']]).toEqual([time, 1]);
    }
    const whyOf = async (query: string, mood: number) =>
      (await recall(asked, query, { mood })).memories[0]!.why;
    expect((await whyOf('sister cello', 0)).proof).toBeCloseTo(0.0125, 10);
    expect((await whyOf('heron lake', -1)).mood).toBeCloseTo(0.03, 10);
    expect((await whyOf('heron lake', 1)).mood).toBe(0);
  });
});
