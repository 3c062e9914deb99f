import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { memoryContract, type ReadTurn } from '@kith/contracts';
import { FactExtractor } from '../../facts/fact-extractor.js';
import { days, EVERYTHING, ids, minutesAfter, place, sources, type Orders, type Order } from './orders.js';

/** Tests orders that are carried out while turns go on, or while lines are read. */
export function lateOrders(orders: Orders): void {
  const { remember, say, rowsOf, extract } = orders.memory;
  const { memory, ask, forget, revise, keepNote, coreOf, wordsOf, nowOfStores, turnAt } = orders;

  describe('an order that is carried out late', () => {
    it('leaves the lines of later turns alone where everything is forgotten late, and nothing that may tell of before', async () => {
      const { personId } = await say('I live in Paris');
      await extract(personId);
      const at = await nowOfStores();
      const minute = (n: number) => minutesAfter(at, n);
      const [after, late, underWay] = ['I live in Rome', 'I bake bread', 'I like soup'].map((text, n) =>
        turnAt(minute(1), text, { personId, startedAt: minute(n < 2 ? 1 : -1) }),
      ) as [ReadTurn, ReadTurn, ReadTurn];
      await remember(after);
      await remember(underWay);
      await extract(personId);
      await keepNote(personId, { text: 'Ann left Paris.', saidAt: minute(2), sources: ['m-1'] });
      const edit = { kind: 'append' as const, text: 'Ann left Paris.' };
      await ask(memoryContract.editCore, { ...place(personId), by: 'person', label: 'human', edit });
      await forget(personId, EVERYTHING, { saidAfter: { at, turnIds: [after.turnId, late.turnId] } });
      expect(await wordsOf(personId)).toEqual(['I live in Rome']);
      expect(await coreOf(personId)).toEqual([]);
      await remember(late);
      await remember(memory.turn('I like fish', { personId, startedAt: minute(-1) }));
      await extract(personId);
      expect(await wordsOf(personId)).toEqual([
        expect.stringMatching(/^Ann lives in Rome \(since/),
        'I bake bread',
        'I live in Rome',
      ]);
    });

    it('leaves a line withdrawn that was put right since, where everything is forgotten late', async () => {
      const at = await nowOfStores();
      const later = minutesAfter(at, 1);
      const turn = turnAt(later, 'I live in Rme');
      await remember(turn);
      const { personId } = turn;
      await keepNote(personId, { text: 'Ann lives in Rome.', saidAt: later, sources: ['m-1'] });
      await memory.stores.query(
        `UPDATE memories AS line SET shelf = 'withdrawn', superseded_by = note.id FROM memories AS note
         WHERE line.person_id = $1 AND note.person_id = $1 AND line.writer = 'person' AND note.id <> line.id`,
        [personId],
      );
      await forget(personId, EVERYTHING, { saidAfter: { at, turnIds: [turn.turnId] } });
      expect(await rowsOf(personId)).toEqual([
        expect.objectContaining({ text: 'I live in Rme', shelf: 'withdrawn' }),
      ]);
    });

    describe('while lines are read', () => {
      const at = new Date().toISOString();
      const later = minutesAfter(at, 1);
      /** Reads a line while something is done, each time it is read, beside a fact that the reader knows. */
      const readDuring = async (personId: string, change: (laterId: string) => Promise<unknown>) => {
        const turn = turnAt(later, 'My sister moved to Rome', { personId });
        await remember(turn);
        const known: (string | null)[][] = [];
        const extractor = new FactExtractor(
          memory.parts.database,
          memory.parts.writer,
          memory.parts.messenger,
          async (lines, context) => {
            const knows = context.known.map(({ value }) => value);
            known.push(knows);
            await change(turn.turnId);
            const tells = { attribute: 'sister', value: ['Rome', ...knows].join(' after '), isSure: true };
            return { statements: lines.map(() => [tells]), importance: lines.map(() => 5) };
          },
        );
        await extractor.extract([{ personId, companionId: 'wren' }]);
        return known;
      };

      it.each<
        [
          string,
          (one: { turnId: string; factId: string; laterId: string }) => Pick<Order, 'what' | 'saidAfter'>,
        ]
      >([
        ['everything, late', ({ laterId }) => ({ what: EVERYTHING, saidAfter: { at, turnIds: [laterId] } })],
        ['a time', () => ({ what: days('2026-05-01', '2026-05-02') })],
        ['a message', ({ turnId }) => ({ what: sources(`${turnId}-0`) })],
        ['a fact', ({ factId }) => ({ what: ids(factId) })],
      ])('%s: stores nothing of a reading that knew it, and reads what is left again', async (_, orderOf) => {
        const { personId, turnId } = await say('I live in Paris');
        await extract(personId);
        const fact = (await rowsOf(personId)).find(({ kind }) => kind === 'fact');
        const orderId = randomUUID();
        const forgets = (laterId: string) => {
          const { what, ...over } = orderOf({ turnId, factId: String(fact?.['id']), laterId });
          return forget(personId, what, { orderId, ...over });
        };
        expect(await readDuring(personId, forgets)).toEqual([['Paris'], []]);
        expect((await rowsOf(personId)).map(({ value, text }) => value ?? text)).toEqual([
          'My sister moved to Rome',
          'Rome',
        ]);
      });

      it('leaves lines to upkeep where something is edited at each try', async () => {
        const { personId, turnId } = await say('I live in Paris');
        await extract(personId);
        let revision = 0;
        const edits = () => revise(personId, turnId, { revision: (revision += 1) });
        expect(await readDuring(personId, edits)).toEqual([['Paris'], [], []]);
        expect(await rowsOf(personId)).toEqual([
          expect.objectContaining({ text: 'My sister moved to Rome', read_at: null }),
        ]);
      });
    });
  });
}
