import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { memoryContract } from '@kith/contracts';
import { eventually } from '@kith/testing';
import { onEachIndex, NOW, CHANNEL } from '../e2e/on-each-index.js';

onEachIndex('recall', (memory) => {
  const { say, recall, textsOf, rowsOf, pointsOf } = memory;

  describe('recalling', () => {
    it('never brings what was said in a DM into a channel', async () => {
      const dm = await say('My secret is that I fear the violin');
      await say('I play the violin in a band', { personId: dm.personId, audience: CHANNEL });
      await say('I sold a violin', { personId: dm.personId, audience: 'channel:discord:2' });
      expect(textsOf(await recall(dm, 'violin', { audience: CHANNEL }))).toEqual([
        'I play the violin in a band',
      ]);
      expect(textsOf(await recall(dm, 'violin'))).toHaveLength(3);
    });

    it('never brings a DM into a channel while embedding or the index is down either', async () => {
      const dm = await say('My secret is that I fear the violin');
      memory.neighbours.embeddingDown = true;
      expect((await recall(dm, 'secret violin', { audience: CHANNEL })).memories).toEqual([]);
      if (memory.qdrant) memory.qdrant.down = true;
      expect((await recall(dm, 'secret violin', { audience: CHANNEL })).memories).toEqual([]);
    });

    it('finds a DM among many lines of a server that was left', async () => {
      const dm = await say('A violin hung on the wall of that old house by the sea');
      const records = Array.from({ length: 60 }, (_, n) => ({
        text: `violin ${n}`,
        audience: 'channel:discord:gone' as const,
        saidAt: NOW,
      }));
      const { personId } = dm;
      await say('I play in a band', { personId, audience: CHANNEL });
      await memory.messenger.ask(memoryContract.import, { personId, companionId: 'wren', records });
      const places = memory.parts.left;
      // From here on the list of left places is held.
      expect(textsOf(await recall(dm, 'violin'))[0]).toMatch(/^violin \d/);
      await places.note(['channel:discord:gone'], true);
      const found = await recall(dm, 'violin');
      const unheard = await recall(dm, 'violin', { audience: CHANNEL, explain: 1 });
      await places.note(['channel:discord:gone'], false);
      expect(textsOf(found)[0]).toBe('A violin hung on the wall of that old house by the sea');
      expect(unheard.explained?.unheard).toEqual([found.memories[0]?.id]);
    });

    it('tells nothing of a server that another process has just noted as left', async () => {
      const audience = 'channel:discord:left-elsewhere';
      const dm = await say('I like my tea black');
      await say('I play the violin', { personId: dm.personId, audience });
      expect(textsOf(await recall(dm, 'violin'))).toContain('I play the violin');
      // The list of left places that is held here lacks it for some seconds.
      await memory.stores.query('INSERT INTO left_places (audience) VALUES ($1)', [audience]);
      expect(textsOf(await recall(dm, 'violin'))).not.toContain('I play the violin');
      await memory.stores.query('DELETE FROM left_places WHERE audience = $1', [audience]);
    });

    it('finds what is not indexed yet in a channel, however much else waits to be', async () => {
      const turn = await say(['I play in a band', 'I sold one violin'], { audience: CHANNEL });
      const sold = (await rowsOf(turn.personId)).find(({ text }) => text === 'I sold one violin');
      await memory.losePoint(String(sold?.['id']));
      await memory.stores.query('UPDATE memories SET indexed_in = NULL WHERE id = $1', [sold?.['id']]);
      const waiting = { ...sold, audience: 'direct', text: 'violin violin', indexed_in: null };
      // As an import leaves them while embedding is away.
      await memory.stores.query(
        `INSERT INTO memories SELECT (jsonb_populate_record(NULL::memories, $1::jsonb || jsonb_build_object(
          'id', gen_random_uuid(), 'content_hash', n))).* FROM generate_series(1, 201) AS n`,
        [JSON.stringify(waiting)],
      );
      const found = await recall(turn, 'violin', { audience: CHANNEL });
      expect(textsOf(found)).toContain('I sold one violin');
    });

    it('never shows one person another’s memories', async () => {
      const ann = await say('My password is swordfish');
      const bob = await say('I like fish');
      expect(textsOf(await recall(bob, 'swordfish password'))).not.toContain('My password is swordfish');
      expect(textsOf(await recall(ann, 'fish password'))).toEqual(['My password is swordfish']);
      const listed = await memory.messenger.ask(memoryContract.list, { personId: bob.personId });
      expect(textsOf(listed)).toEqual(['I like fish']);
    });

    it('keeps companions apart', async () => {
      const turn = await say('I like fish');
      expect((await recall(turn, 'fish', { companionId: 'other' })).memories).toEqual([]);
    });

    it('leaves out what stems from the turn’s own messages', async () => {
      const turn = await say(['I like fish', 'I like soup and fish']);
      const found = await recall(turn, 'fish', { excludeSources: [`${turn.turnId}-0`] });
      expect(textsOf(found)).toEqual(['I like soup and fish']);
    });

    it('knows what the person said as theirs under each name that they have somewhere', async () => {
      const { personId } = await say('My sister Ida plays the cello', {
        audience: CHANNEL,
        displayName: 'nightowl',
      });
      const turn = await say('I had soup', { personId, displayName: 'Ana' });
      const records = [{ text: 'My sister plays the harp', speaker: 'Bo', saidAt: NOW }];
      await memory.messenger.ask(memoryContract.import, { personId, companionId: 'wren', records });
      const asked = await recall(turn, 'What does the sister of Ana play?', { passageTokens: 900 });
      const told = asked.passages.flatMap(({ lines }) => lines);
      expect(new Map(told.map(({ text, speaker }) => [text, speaker]))).toEqual(
        new Map([
          ['My sister Ida plays the cello', null],
          ['I had soup', null],
          ['My sister plays the harp', 'Bo'],
        ]),
      );
      const fits = asked.memories.map(({ text, why }) => [text, why.fit > 0]);
      expect(fits.toSorted()).toEqual([
        ['I had soup', true],
        ['My sister Ida plays the cello', true],
        ['My sister plays the harp', false],
      ]);
    });

    it('knows the names of the person, however many others spoke', async () => {
      const { personId } = await say('I had soup', { displayName: 'Zoe' });
      const records = Array.from({ length: 300 }, (_, n) => ({
        text: `Line ${n}`,
        speaker: `Guest ${n}`,
        saidAt: NOW,
      }));
      await memory.messenger.ask(memoryContract.import, { personId, companionId: 'wren', records });
      const names = await memory.parts.speakers.of(personId);
      expect(names[0]).toEqual({ name: 'Zoe', isOwn: true });
      expect(names).toHaveLength(50);
    });

    it('gives no passage to what the talk of the prompt tells, but to what was said elsewhere', async () => {
      const before = await say(['My dog is called Rex', 'He sleeps on the sofa']);
      const conversationId = randomUUID();
      const turn = await say('My dog Rex is five', { personId: before.personId, conversationId });
      const { at } = turn.messages[0]!;
      const ask = async (told?: { conversation: string; since: string }) => {
        const found = await recall(before, 'my dog Rex', { passageTokens: 900, told });
        return {
          named: textsOf(found).toSorted(),
          told: found.passages.flatMap(({ lines }) => lines.map(({ text }) => text)).toSorted(),
        };
      };
      const all = await ask();
      expect(all.told).toEqual(['He sleeps on the sofa', 'My dog Rex is five', 'My dog is called Rex']);
      const less = await ask({ conversation: conversationId, since: at });
      expect(less).toEqual({ ...all, told: ['He sleeps on the sofa', 'My dog is called Rex'] });
      // Lines before the first that is told are told nowhere else.
      const later = new Date(Date.parse(at) + 1).toISOString();
      expect(await ask({ conversation: conversationId, since: later })).toEqual(all);
    });

    it('accounts for each candidate: its words, rules and end, and its place in the prompt', async () => {
      const turn = await say(['My dog is called Rex', 'He sleeps on the sofa', 'I love tea']);
      const { explained, memories, passages } = await recall(turn, 'What is my dog called?', {
        limit: 1,
        passageTokens: 900,
        explain: 10,
      });
      const [first, ...others] = explained!.candidates;
      expect(first).toMatchObject({
        memory: { text: 'My dog is called Rex' },
        fate: 'chosen',
        why: memories[0]!.why,
        ownTerms: ['dog', 'call'],
        inPrompt: 'found',
        rules: [{ rule: 'self' }],
      });
      expect(first!.rules.reduce((product, { factor }) => product * factor, 1) - 1).toBeCloseTo(
        first!.why!.fit,
      );
      expect(explained!.question).toMatchObject({ terms: ['dog', 'call'], isOfSelf: true, time: null });
      const sofa = others.find(({ memory: { text } }) => text.includes('sofa'))!;
      expect(sofa).toMatchObject({
        fate: 'limit',
        ownTerms: [],
        lentTerms: [
          { term: 'dog', by: first!.memory.id },
          { term: 'call', by: first!.memory.id },
        ],
      });
      expect(passages.flatMap(({ lines }) => lines.map(({ text }) => text))).toContain(
        'My dog is called Rex',
      );
      expect(others.map(({ inPrompt }) => inPrompt)).toContain('beside');
      expect(explained!.counts).toMatchObject({ chosen: 1, limit: 2 });
      expect((await recall(turn, 'dog')).explained).toBeNull();
    });

    it('accounts for what is too far down to be weighed, too', async () => {
      const turn = await say('I had soup');
      const more = Array.from({ length: 29 }, (_, n) => ({
        text: `I had soup again, pot ${n}`,
        saidAt: '2026-01-01T10:00:00Z',
      }));
      await memory.messenger.ask(memoryContract.import, {
        personId: turn.personId,
        companionId: 'wren',
        records: more,
      });
      const { explained } = await recall(turn, 'How many times did I have soup?', {
        limit: 1,
        passageTokens: 900,
        explain: 100,
      });
      expect(Object.values(explained!.counts).reduce((sum, count) => sum + count, 0)).toBe(30);
      expect(explained!.counts.beyond).toBe(6);
    });

    it('accounts in a channel for what is heard there alone; of the rest it tells ids', async () => {
      const dm = await say('My secret is that I fear the violin');
      await say('I play the violin in a band', { personId: dm.personId, audience: CHANNEL });
      const { explained } = await recall(dm, 'violin', { audience: CHANNEL, explain: 10 });
      const [secret] = (await recall(dm, 'secret violin')).memories;
      expect(JSON.stringify(explained)).not.toContain('secret');
      expect(explained!.candidates).toHaveLength(1);
      expect(explained!.unheard).toEqual([secret!.id]);
    });

    it('goes by words while embedding is down', async () => {
      const turn = await say(['I like fish', 'It rains']);
      memory.neighbours.embeddingDown = true;
      const found = await recall(turn, 'fishes');
      expect(found.degraded).toEqual(['dense']);
      // What was said beside it comes behind it.
      expect(textsOf(found)).toEqual(['I like fish', 'It rains']);
      const states = memory.parts.states;
      expect(states.list()).toMatchObject([{ part: 'embedding', effect: expect.stringContaining('words') }]);
      memory.neighbours.embeddingDown = false;
      await eventually('embedding to be found again', () => states.list().length === 0);
      expect((await recall(turn, 'fishes')).degraded).toEqual([]);
    });

    it('knows the meaning of what was asked before while embedding is down', async () => {
      const turn = await say('I like fish');
      await recall(turn, 'which fish?');
      memory.neighbours.embeddingDown = true;
      expect((await recall(turn, 'which fish?')).degraded).toEqual([]);
      expect((await recall(turn, 'what fish?')).degraded).toEqual(['dense']);
      memory.neighbours.embeddingDown = false;
    });

    it('waits once for an embedding service that hangs, and then only looks whether it is back', async () => {
      const turn = await say('I like fish');
      const hang = (forMs: number) => {
        memory.neighbours.duringEmbedding = () => new Promise((resolve) => setTimeout(resolve, forMs));
      };
      // Until the second was asked, however busy the machine: an answer that comes late says that it is back.
      let release = (): void => undefined;
      memory.neighbours.duringEmbedding = () => new Promise((resolve) => (release = resolve));
      // A probe, which comes every 50 ms here, finds it back only once it is.
      memory.neighbours.tellsAway = true;
      expect((await recall(turn, 'one fish')).degraded).toEqual(['dense']);
      // It would be waited for so long, were it not known to hang.
      hang(900);
      expect((await recall(turn, 'two fish')).degraded).toEqual(['dense']);
      release();
      memory.neighbours.tellsAway = false;
      const states = memory.parts.states;
      await eventually('embedding to be found again', () => states.list().length === 0);
      // Far from the limit, so that a busy machine does not reach it.
      hang(100);
      expect((await recall(turn, 'three fish')).degraded).toEqual([]);
    });

    it('stays within the token budget and the limit', async () => {
      const turn = await say(
        Array.from({ length: 6 }, (_, i) => `I like fish number ${i}, and many more of them`),
      );
      expect((await recall(turn, 'fish', { limit: 3 })).memories).toHaveLength(3);
      expect((await recall(turn, 'fish', { maxTokens: 24 })).memories).toHaveLength(2);
    });

    it('counts a use on the asker’s clock, and a look from outside not', async () => {
      const turn = await say('I like fish');
      await recall(turn, 'fish', { countAsUse: false });
      await memory.parts.uses.flush();
      expect((await rowsOf(turn.personId))[0]).toMatchObject({ times_recalled: 0, last_recalled_at: null });
      await recall(turn, 'fish');
      await memory.parts.uses.flush();
      const [row] = await rowsOf(turn.personId);
      expect(row).toMatchObject({ times_recalled: 1, last_recalled_at: new Date(NOW) });
    });

    it('does not recall what has no row any more, whatever the index holds', async () => {
      const turn = await say('I like fish');
      await memory.stores.query('DELETE FROM memories WHERE person_id = $1', [turn.personId]);
      expect(await pointsOf(turn.personId)).toBe(1);
      expect((await recall(turn, 'fish')).memories).toEqual([]);
    });
  });

  if (memory.kind === 'qdrant') {
    describe('without Qdrant', () => {
      it('recalls by Postgres’ own text search, and says what is missing', async () => {
        const turn = await say(['I like fish', 'It rains', '我喜欢猫']);
        memory.qdrant!.down = true;
        const found = await recall(turn, 'fishes?');
        expect(found.degraded).toEqual(['dense', 'lexical']);
        expect(textsOf(found)).toEqual(['I like fish']);
        expect(textsOf(await recall(turn, '喜欢猫'))).toEqual(['我喜欢猫']);
      });

      it.each([
        ['我的狗叫旺财', '我的狗叫什么名字？'],
        ['犬の名前はポチです', '私の犬は何という名前ですか'],
        ['หมาของฉันชื่อด่าง', 'ฉันเลี้ยงหมาชื่ออะไร'],
        ['우리 강아지가 귀여워', '강아지는 어디 있어?'],
        [`The key is ${'ab12'.repeat(16)}`, 'ab12'.repeat(16)],
      ])('finds %s by the words of %s', async (said, asked) => {
        const turn = await say([said, 'It rains', '今日は雨が降る', '下雨了']);
        memory.qdrant!.down = true;
        expect(textsOf(await recall(turn, asked))).toEqual([said]);
      });

      it('recalls by Postgres’ own text search while a lost collection is not refilled yet', async () => {
        const turn = await say(['I like fish', 'It rains', '我喜欢猫']);
        memory.qdrant!.clear();
        const found = await recall(turn, 'fishes?');
        expect(found.degraded).toEqual(['dense', 'lexical']);
        expect(textsOf(found)).toEqual(['I like fish']);
        expect(textsOf(await recall(turn, '喜欢猫'))).toEqual(['我喜欢猫']);
      });
    });
  }
});
