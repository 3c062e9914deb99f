import { describe, expect, it, jest } from '@jest/globals';
import { eventually } from '@kith/testing';
import { CHANNEL, onEachIndex } from '../e2e/on-each-index.js';
import { UnreadLines } from './unread-lines.js';

onEachIndex('lines whose reading was never ordered', (memory) => {
  const { say, sayOn, rowsOf } = memory;
  const linesOf = async (personId: string) =>
    (await rowsOf(personId)).filter(({ kind }) => kind === 'episode');
  const isRead = async (personId: string) =>
    (await linesOf(personId)).every((row) => row['read_at'] !== null);

  describe('upkeep', () => {
    it('has them read once two looks have found them', async () => {
      const [ann, bea] = [await say('I live in Berlin.'), await say('I live in Oslo.')];
      const unread = new UnreadLines({ database: memory.parts.database, messenger: memory.parts.messenger });
      await unread.orderLost(new Date());
      expect(await isRead(ann.personId)).toBe(false);
      await unread.orderLost(new Date());
      for (const { personId } of [ann, bea])
        await eventually('the facts', async () => (await rowsOf(personId)).length === 2 && isRead(personId));
    });

    it('orders none of somebody whose lines are being read, though their first one waits', async () => {
      const { personId } = await sayOn('2026-01-05', 'I live in Berlin.');
      const later = ['I like figs.', 'I like plums.'];
      for (const text of later) await sayOn('2026-02-05', text, { personId, audience: CHANNEL });
      const messenger = memory.parts.messenger;
      const unread = new UnreadLines({ database: memory.parts.database, messenger });
      const ordered = jest.spyOn(messenger, 'enqueue');
      await unread.orderLost(new Date());
      await memory.stores.query(
        `UPDATE memories SET read_at = now() WHERE person_id = $1 AND text = 'I like figs.'`,
        [personId],
      );
      await unread.orderLost(new Date());
      expect(ordered).not.toHaveBeenCalled();
      await unread.orderLost(new Date());
      expect(ordered).toHaveBeenCalledTimes(1);
      await eventually('the rest', () => isRead(personId));
      ordered.mockRestore();
    });
  });
});
