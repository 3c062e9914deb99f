import { randomUUID } from 'node:crypto';
import { describe, expect, it, jest } from '@jest/globals';
import { AppError, memoryContract, type RequestInput } from '@kith/contracts';
import { eventually } from '@kith/testing';
import { onEachIndex, CHANNEL, NOW } from '../e2e/on-each-index.js';

onEachIndex('remembering', (memory) => {
  const { remember, say, recall, textsOf, rowsOf, pointsOf, extract } = memory;

  describe('importing', () => {
    const talk = (...lines: [speaker: string, text: string][]) =>
      lines.map(([speaker, text], minute) => ({
        text,
        speaker,
        saidAt: new Date(Date.parse('2026-03-01T10:00:00Z') + minute * 60_000).toISOString(),
        conversation: 'kitchen',
        sources: [`line-${minute}`],
      }));
    const keep = (personId: string, records: RequestInput<typeof memoryContract.import>['records']) =>
      memory.messenger.ask(memoryContract.import, { personId, companionId: 'wren', records });

    it('keeps each line once, finds it by what was said around it, and shows both together', async () => {
      const person = { personId: randomUUID() };
      const lines = talk(
        ['Bo', 'What is your dog called?'],
        ['Ann', 'Biscuit!'],
        ['Bo', 'I had a cat once.'],
      );
      expect(await keep(person.personId, lines)).toEqual({ kept: 3, known: 0, left: 0 });
      expect(await keep(person.personId, lines)).toEqual({ kept: 0, known: 3, left: 0 });
      const found = await recall(person, 'What is the name of Ann’s dog called?', {
        limit: 2,
        passageTokens: 200,
      });
      expect(found.memories[0]).toMatchObject({ text: 'Biscuit!', speaker: 'Ann', why: { fit: 2 } });
      expect(found.passages).toMatchObject([
        {
          lines: [
            { speaker: 'Bo', isFound: true },
            { speaker: 'Ann', text: 'Biscuit!', isFound: true },
            { text: 'I had a cat once.', isFound: false },
          ],
        },
      ]);
    });

    it('stores together what comes together, and no more in one transaction than there is time for', async () => {
      const writing = jest.spyOn(memory.parts.database, 'write');
      /** Imports twice at once. Nothing is kept of lines without a letter. Returns the number of transactions. */
      const importTwice = async (lines: number) => {
        const whose = { personId: randomUUID(), companionId: 'wren' };
        const records = Array.from({ length: lines }, (_, n) => ({
          text: '?',
          saidAt: NOW,
          sources: [`line-${n}`],
          audience: `channel:discord:${n}`,
          kind: 'knowledge' as const,
          importance: 5,
          pinned: false,
        }));
        const imports = memory.parts.imports;
        const once = () => imports.import({ ...whose, records });
        const left = { kept: 0, known: 0, left: lines };
        expect(await Promise.all([once(), once()])).toEqual([left, left]);
        const ofTheirs = (scope: unknown) => (scope as typeof whose).personId === whose.personId;
        return writing.mock.calls.filter(([scope]) => ofTheirs(scope)).length;
      };
      expect([await importTwice(2_000), await importTwice(2_001)]).toEqual([1, 2]);
      writing.mockRestore();
    });

    it('adds what is said word for word to a line of another kind', async () => {
      const personId = randomUUID();
      const [line] = talk(['Ann', 'I like figs']);
      await keep(personId, [{ ...line!, kind: 'fact' }]);
      const { turnId } = await say(['I like figs', 'I like plums'], { personId });
      const rows = await rowsOf(personId);
      expect(Object.fromEntries(rows.map(({ text, sources }) => [String(text), sources]))).toEqual({
        'I like figs': ['line-0', `${turnId}-0`],
        'I like plums': [`${turnId}-1`],
      });
    });

    it('brings back nothing that was forgotten, and nothing without a word in it', async () => {
      const { personId } = { personId: randomUUID() };
      const lines = talk(['Ann', 'I owe Bo money'], ['Ann', '!!!']);
      await keep(personId, lines.slice(0, 1));
      const what = { kind: 'sources' as const, sources: ['line-0'] };
      await memory.messenger.ask(memoryContract.forget, { orderId: randomUUID(), personId, what });
      expect(await keep(personId, lines)).toEqual({ kept: 0, known: 0, left: 2 });
      expect(await rowsOf(personId)).toEqual([]);
    });

    it('forgets a line without sources with what was read from it, and does not bring it back', async () => {
      const personId = randomUUID();
      const saidAt = '2026-03-01T10:00:00.000Z';
      const lines = ['I live in Paris', 'I like figs'].map((text) => ({ text, saidAt }));
      await keep(personId, lines);
      await extract(personId);
      const rows = await rowsOf(personId);
      expect(rows).toHaveLength(4);
      const ids = rows.flatMap(({ id, text }) => (text === 'I live in Paris' ? [String(id)] : []));
      const what = { kind: 'ids' as const, ids };
      await memory.messenger.ask(memoryContract.forget, { orderId: randomUUID(), personId, what });
      expect(await keep(personId, lines)).toEqual({ kept: 0, known: 1, left: 1 });
      expect((await rowsOf(personId)).map(({ kind, text }) => [kind, text])).toEqual([
        ['episode', 'I like figs'],
        ['fact', expect.stringContaining('figs')],
      ]);
    });

    it('keeps a person’s own words though the source of a note that says the same is forgotten', async () => {
      const personId = randomUUID();
      const line = { text: 'I like figs', saidAt: '2026-03-01T10:00:00.000Z' };
      const note = { ...line, speaker: 'Wren', note: true, sources: ['asked'] };
      await keep(personId, [note]);
      expect(await keep(personId, [{ ...line, sources: ['said'] }])).toMatchObject({ known: 1 });
      await keep(personId, [note]);
      const forget = (source: string) =>
        memory.messenger.ask(memoryContract.forget, {
          orderId: randomUUID(),
          personId,
          what: { kind: 'sources', sources: [source] },
        });
      await forget('asked');
      expect(await rowsOf(personId)).toMatchObject([{ text: 'I like figs', sources: ['said'] }]);
      await forget('said');
      expect(await rowsOf(personId)).toEqual([]);
    });

    it('is done though its reading for facts can’t be ordered', async () => {
      const personId = randomUUID();
      const down = new AppError('unavailable', 'the queue is away');
      const ordering = jest.spyOn(memory.parts.messenger, 'enqueue').mockRejectedValue(down);
      expect(await keep(personId, [{ text: 'I like figs', saidAt: NOW }])).toMatchObject({ kept: 1 });
      expect(ordering).toHaveBeenCalledTimes(1);
      const fact = { text: 'Figs are sweet', saidAt: NOW, kind: 'knowledge' as const };
      expect(await keep(personId, [fact])).toMatchObject({ kept: 1 });
      expect(ordering).toHaveBeenCalledTimes(1);
      ordering.mockRestore();
      expect(textsOf(await recall({ personId }, 'figs'))).toHaveLength(2);
    });

    it('waits for a slow encoder for a while only, and leaves no point of what is forgotten meanwhile', async () => {
      const personId = randomUUID();
      const boats = Array.from({ length: 70 }, (_, n) => `I own boat number ${n}`);
      let goOn = () => {};
      const held = new Promise<void>((resolve) => (goOn = resolve));
      memory.neighbours.duringEmbedding = () => held;
      const records = boats.map((text) => ({ text, saidAt: NOW }));
      expect(await keep(personId, records)).toMatchObject({ kept: 70 });
      expect(await keep(personId, [{ text: 'I own a raft', saidAt: NOW }])).toMatchObject({ kept: 1 });
      const [first] = await rowsOf(personId);
      const what = { kind: 'ids' as const, ids: [String(first!['id'])] };
      await memory.messenger.ask(memoryContract.forget, { orderId: randomUUID(), personId, what });
      expect(await pointsOf(personId)).toBe(0);
      goOn();
      // Points of Qdrant are written before their rows are marked.
      const marked = async () => (await rowsOf(personId)).filter((row) => row['indexed_in'] !== null);
      await eventually('the rest', async () => (await marked()).length === 70);
      expect(await pointsOf(personId)).toBe(70);
    });

    it('takes many requests of a person at once, and each line once', async () => {
      const personId = randomUUID();
      const requests = Array.from({ length: 30 }, (_, n) => talk(['Ann', `I own boat number ${n % 20}`]));
      const results = await Promise.all(requests.map((records) => keep(personId, records)));
      expect(results.reduce((sum, { kept }) => sum + kept, 0)).toBe(20);
      expect(results.reduce((sum, { known }) => sum + known, 0)).toBe(10);
      expect(await rowsOf(personId)).toHaveLength(20);
      expect(textsOf(await recall({ personId }, 'boat number 17'))).toContain('I own boat number 17');
    });

    it('shows a channel no passage of a DM', async () => {
      const { personId } = { personId: randomUUID() };
      const [secret, open] = talk(['Ann', 'the dog is ill'], ['Ann', 'the dog is fine']);
      await keep(personId, [secret!, { ...open!, audience: CHANNEL }]);
      const found = await recall({ personId }, 'the dog', { audience: CHANNEL, passageTokens: 200 });
      expect(textsOf(found)).toEqual(['the dog is fine']);
      expect(JSON.stringify(found.passages)).not.toContain('ill');
    });
  });

  describe('remembering', () => {
    it('keeps a turn by a job', async () => {
      const turn = memory.turn('My sister Ida plays the violin');
      await memory.messenger.enqueue(memoryContract.remember, { turnIds: [turn.turnId] });
      await eventually('the point', async () => (await pointsOf(turn.personId)) === 1);
      const [row] = await rowsOf(turn.personId);
      const found = await recall(turn, 'who plays the violin?');
      expect(found).toMatchObject({
        degraded: [],
        memories: [
          {
            id: row!['id'],
            text: 'My sister Ida plays the violin',
            writer: 'person',
            audience: 'direct',
            saidAt: '2026-05-01T10:00:00.000Z',
            why: { denseRank: 1, lexicalRank: 1, fused: 1 },
          },
        ],
      });
    });

    it('changes nothing when the same turn comes again', async () => {
      const turn = await say(['I moved to Lyon', 'I like it here']);
      const before = await rowsOf(turn.personId);
      await remember(turn);
      expect(await rowsOf(turn.personId)).toEqual(before);
      expect(await pointsOf(turn.personId)).toBe(2);
    });

    it('keeps turns that come together, some of them again, each once', async () => {
      const first = await say('I have a kite');
      const { personId } = first;
      const second = memory.turn(['It is red', 'I have a kite'], { personId });
      const other = memory.turn('I have none');
      const turnIds = [first, second, other].map(({ turnId }) => turnId);
      await memory.parts.remembering.remember(turnIds);
      const kept = await rowsOf(personId);
      expect(kept.map(({ text }) => text).sort()).toEqual(['I have a kite', 'It is red']);
      expect(kept.find(({ text }) => text === 'I have a kite')!['sources']).toEqual([
        `${first.turnId}-0`,
        `${second.turnId}-1`,
      ]);
      expect((await rowsOf(other.personId)).length).toBe(1);
      expect(await pointsOf(personId)).toBe(2);
      const answer = await memory.messenger.ask(memoryContract.unfinished, { turnIds });
      expect(answer.unfinished).toEqual([]);
    });

    it('says which turns it has not handled, and whose job was given up', async () => {
      const silent = memory.turn('hm', { outcome: 'silent' });
      const [done, open, dead] = [await say('I keep bees'), memory.turn('later'), randomUUID()];
      await remember(silent);
      memory.neighbours.unreadable.add(dead);
      await memory.messenger.enqueue(memoryContract.remember, { turnIds: [dead] });
      const turnIds = [done.turnId, silent.turnId, open.turnId, dead];
      const answer = await eventually('the job of an unreadable turn to be given up', async () => {
        const asked = await memory.messenger.ask(memoryContract.unfinished, { turnIds });
        return asked.dead.length > 0 && asked;
      });
      expect(answer).toEqual({ unfinished: [open.turnId, dead], dead: [dead] });
    });

    it('does nothing about turns that are gone with their person, and gives nothing up for them', async () => {
      const [gone, kept] = [randomUUID(), memory.turn('I keep goats')];
      await memory.messenger.enqueue(memoryContract.remember, { turnIds: [gone, kept.turnId] });
      await eventually('the other one', async () => (await rowsOf(kept.personId)).length === 1);
      const { dead } = await memory.messenger.ask(memoryContract.unfinished, { turnIds: [gone] });
      expect(dead).toEqual([]);
    });

    it('keeps the same words once per audience, with every source', async () => {
      const first = await say('I like green tea');
      const again = await say('i like GREEN tea', { personId: first.personId });
      await say('I like green tea', { personId: first.personId, audience: CHANNEL });
      const rows = await rowsOf(first.personId);
      expect(rows.map(({ audience, sources }) => [audience, sources])).toEqual([
        ['direct', [`${first.turnId}-0`, `${again.turnId}-0`]],
        [CHANNEL, [expect.any(String)]],
      ]);
    });

    it('keeps the rows while embedding is down, recalls them by words, and indexes them later', async () => {
      memory.neighbours.embeddingDown = true;
      const turn = memory.turn('My cat is called Miso');
      await expect(remember(turn)).rejects.toMatchObject({ code: 'unavailable' });
      const found = await recall(turn, 'what is the name of my cat?');
      expect(textsOf(found)).toEqual(['My cat is called Miso']);
      expect(found.degraded).toContain('dense');
      memory.neighbours.embeddingDown = false;
      await remember(turn);
      expect(await pointsOf(turn.personId)).toBe(1);
      expect((await recall(turn, 'my cat')).memories[0]?.why.denseRank).toBe(1);
    });
  });
});
