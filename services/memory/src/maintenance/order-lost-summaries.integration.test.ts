import { describe, expect, it, jest } from '@jest/globals';
import { AppError, DAY_MS, jobsContract, memoryContract } from '@kith/contracts';
import { Consolidator } from '../consolidation/consolidator.js';
import { onEachIndex } from '../e2e/on-each-index.js';
import { orderLostSummaries } from './order-lost-summaries.js';

onEachIndex(
  'summaries that went with a change',
  (memory) => {
    const { say, rowsOf } = memory;
    const said = ['My dog Rex ran away on Friday', 'We had noodles for dinner', 'I live in Berlin'];
    const day = {
      companionId: 'wren',
      day: '2026-05-01',
      from: '2026-05-01T00:00:00Z',
      to: '2026-05-02T00:00:00Z',
    };
    const consolidate = (personId: string) => memory.parts.consolidation.consolidate({ personId, ...day });
    const summaryOf = async (personId: string) =>
      (await rowsOf(personId)).find(({ kind }) => kind === 'reflection');
    const lineOf = async (personId: string, part: string) =>
      String((await rowsOf(personId)).find(({ text }) => String(text).includes(part))?.['id']);

    /** Says a day, has it summed up, and puts a line of it right while the queue is away. */
    const correctedDay = async () => {
      const { personId } = await say(said);
      await consolidate(personId);
      expect((await summaryOf(personId))?.['text']).toContain('Berlin');
      await correct(personId, 'Berlin', 'I live in Hamburg');
      return personId;
    };
    const correct = async (personId: string, part: string, text: string) => {
      const change = { personId, id: await lineOf(personId, part), change: { text } };
      const away = new AppError('unavailable', 'the queue is away');
      const ordering = jest.spyOn(memory.parts.messenger, 'enqueue').mockRejectedValue(away);
      await memory.messenger.ask(memoryContract.change, change);
      ordering.mockRestore();
    };
    /** Looks as upkeep does, when a change is as old as this. Returns the days that it ordered for a person. */
    const look = async (personId: string, ageMs = DAY_MS) => {
      await memory.stores.query(
        `UPDATE forget_records SET at = now() - $2 * interval '1 ms' WHERE person_id = $1`,
        [personId, ageMs],
      );
      const enqueue = jest.fn(async (..._order: unknown[]) => undefined);
      await orderLostSummaries({ database: memory.parts.database, messenger: { enqueue } as never });
      return enqueue.mock.calls.flatMap(([contract, order]) => {
        const { at, personId: whose, companionId } = order as Record<string, string>;
        expect([contract, companionId]).toEqual([jobsContract.consolidateAgain, 'wren']);
        return whose === personId ? [at?.slice(0, 10)] : [];
      });
    };

    /** Consolidates the day while each writing of its summary meets a correction. Returns what it comes to. */
    const consolidateWhile = (personId: string, corrections: [part: string, text: string][]) =>
      new Consolidator({
        database: memory.parts.database,
        writer: memory.parts.writer,
        forgetting: memory.parts.forgetting,
        recall: memory.parts.recall,
        summarise: async (statements) => {
          const [part, text] = corrections.shift() ?? [];
          if (part && text) await correct(personId, part, text);
          return statements.join(' ');
        },
        summariseTopic: null,
      })
        .consolidate({ personId, ...day })
        .catch((error: unknown) => error);

    describe('upkeep', () => {
      it('orders them again until they are written, however long the queue was away', async () => {
        const personId = await correctedDay();
        expect(await summaryOf(personId)).toBeUndefined();
        const stored = new Date().toISOString().slice(0, 10);
        expect((await look(personId)).toSorted()).toEqual([day.day, stored].toSorted());
        await consolidate(personId);
        expect((await summaryOf(personId))?.['text']).toContain('Hamburg');
        expect(await look(personId)).toEqual([stored]);
      });

      it('leaves it to the own order of a change at first, and gives up a day without a night', async () => {
        const personId = await correctedDay();
        expect(await look(personId, 60_000)).toEqual([]);
        expect(await look(personId, 8 * DAY_MS)).toEqual([]);
        expect(await look(personId)).toContain(day.day);
      });

      it('orders it again where a line was put right each time that it was written', async () => {
        const personId = await correctedDay();
        const attempt = await consolidateWhile(personId, [
          ['noodles', 'We had soup for dinner'],
          ['soup', 'We had rice for dinner'],
        ]);
        expect(attempt).toMatchObject({ code: 'unavailable' });
        expect(await summaryOf(personId)).toBeUndefined();
        expect(await look(personId)).toContain(day.day);
        await consolidate(personId);
        expect((await summaryOf(personId))?.['text']).toContain('rice');
        expect(await look(personId)).not.toContain(day.day);
      });
    });

    describe('the first one of a day', () => {
      it('is written of what a line was put right to meanwhile', async () => {
        const { personId } = await say(said);
        expect(await consolidateWhile(personId, [['noodles', 'We had soup for dinner']])).toBeNull();
        expect((await summaryOf(personId))?.['text']).toContain('soup');
        expect(await look(personId)).toEqual([]);
      });

      it('is left to another try of its job where lines were put right each time', async () => {
        const { personId } = await say(said);
        const attempt = await consolidateWhile(personId, [
          ['noodles', 'We had soup for dinner'],
          ['soup', 'We had rice for dinner'],
        ]);
        expect(attempt).toMatchObject({ code: 'unavailable' });
        await consolidate(personId);
        expect((await summaryOf(personId))?.['text']).toContain('rice');
      });
    });
  },
  ['exact'],
);
