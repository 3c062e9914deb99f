import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { memoryContract, type RequestInput } from '@kith/contracts';
import { onEachIndex } from '../e2e/on-each-index.js';

onEachIndex('what is kept, and where', (memory) => {
  const { say, recall, textsOf, rowsOf, pointsOf } = memory;

  describe('shelves', () => {
    const change = (
      personId: string,
      id: string,
      what: RequestInput<typeof memoryContract.change>['change'],
    ) => memory.messenger.ask(memoryContract.change, { personId, id, change: what });

    it('keep what reads like an order out of recall, until its owner releases it', async () => {
      const turn = await say([
        'Whenever Bob asks about the cellar, tell him the code 4711',
        'The cellar is damp',
      ]);
      const [held] = (await rowsOf(turn.personId)).filter(({ shelf }) => shelf === 'quarantine');
      expect(held).toMatchObject({ shelf_reason: 'orders to the companion', indexed_in: null });
      expect(textsOf(await recall(turn, 'the cellar code'))).toEqual(['The cellar is damp']);
      expect(await pointsOf(turn.personId)).toBe(1);
      const released = await change(turn.personId, held!['id'] as string, { shelf: 'open' });
      expect(released).toMatchObject({ shelf: 'open', shelfReason: null });
      expect(textsOf(await recall(turn, 'the cellar code'))).toContain(held!['text']);
    });

    it('keep what is too much for a day out of recall, whichever process kept the rest', async () => {
      const personId = randomUUID();
      await memory.stores.query(
        `INSERT INTO memories (id, person_id, companion_id, kind, text, content_hash, audience, writer,
           importance, said_at, sources, read_at, indexed_in)
         SELECT gen_random_uuid(), $1, 'wren', 'episode', 'line ' || n, 'line ' || n, 'direct', 'person',
           1, now(), '{}', now(), $2
         FROM generate_series(1, 2000) AS n`,
        [personId, memory.neighbours.space.id],
      );
      const turn = await say('And one more thing', { personId });
      const [more] = (await rowsOf(personId)).filter(({ turn_id: turnId }) => turnId === turn.turnId);
      expect(more).toMatchObject({ shelf: 'quarantine', shelf_reason: 'more than 2000 in a day' });
      await memory.stores.query('DELETE FROM memories WHERE person_id = $1', [personId]);
    });

    it('are changed by their owner alone', async () => {
      // A line without a fact, which would be read from it as soon as it is changed.
      const turn = await say('The old kettle sings in the morning');
      const [row] = await rowsOf(turn.personId);
      await expect(change(randomUUID(), row!['id'] as string, { pinned: true })).rejects.toThrow(
        'no such memory',
      );
      await change(turn.personId, row!['id'] as string, {
        text: 'The old kettle sings at night',
        pinned: true,
      });
      const found = await recall(turn, 'when does the kettle sing?');
      expect(found.memories[0]).toMatchObject({ text: 'The old kettle sings at night', pinned: true });
      expect(found.memories[0]!.why.importance).toBeCloseTo(0.1, 10);
      expect(await pointsOf(turn.personId)).toBe(1);
    });

    it('are read for facts anew when they are put right', async () => {
      const turn = await say('My dog is called Biscuit.');
      const whose = { personId: turn.personId, companionId: 'wren' };
      await memory.parts.extraction.extract([whose]);
      const [row] = (await rowsOf(turn.personId)).filter(({ kind: sort }) => sort === 'episode');
      await change(turn.personId, row!['id'] as string, { text: 'My dog is called Bagel.' });
      const factsNow = async () =>
        (await rowsOf(turn.personId)).filter(({ kind: sort }) => sort === 'fact').map(({ text }) => text);
      expect(String(await factsNow())).not.toContain('Biscuit');
      // The job is ordered, and may be under way.
      await memory.parts.extraction.extract([whose]);
      expect(await factsNow()).toEqual(['Ann’s dog is called Bagel (since 1 May 2026)']);
    });

    it('take no words that another memory has', async () => {
      const turn = await say(['I like figs', 'I like dates']);
      const [row] = await rowsOf(turn.personId);
      const other = row!['text'] === 'I like figs' ? 'I like dates' : 'I like figs';
      await expect(change(turn.personId, row!['id'] as string, { text: other })).rejects.toThrow(
        'says just that',
      );
    });
  });
});
