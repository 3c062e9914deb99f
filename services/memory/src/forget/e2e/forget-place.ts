import { describe, expect, it } from '@jest/globals';
import { memoryContract } from '@kith/contracts';
import { EVERYTHING, place, type Orders } from './orders.js';

/** Tests that nothing is kept of a place that the companion has left. */
export function forgetPlace(orders: Orders): void {
  const { remember, say, rowsOf } = orders.memory;
  const { memory, ask, order, undo, note, keepNote, addTask, wordsOf } = orders;

  describe('a place that is gone', () => {
    it('takes what was noted elsewhere of a channel that was left', async () => {
      const audience = 'channel:discord:left' as const;
      const { personId, turnId } = await say('My sister Ida has a limp', { audience });
      const [told, other] = [`${turnId}-0`, 'm-other'];
      for (const [text, source] of [
        ['Ida walks badly.', told],
        ['Ann bakes.', other],
      ] as const) {
        await note(personId, text, source);
        await addTask(personId, text, source);
        await keepNote(personId, { text, saidAt: '2026-01-01T10:00:00Z', sources: [source] });
      }
      const forgetPlace = (preview: boolean) => ask(memoryContract.forgetPlace, { audience, preview });
      expect(await forgetPlace(true)).toEqual({ sources: [told] });
      expect(await forgetPlace(false)).toEqual({ sources: [told] });
      const { blocks } = await ask(memoryContract.core, place(personId));
      const { tasks } = await ask(memoryContract.tasks, { personId });
      const notes = await rowsOf(personId);
      expect([...blocks, ...tasks, ...notes].map(({ text }) => text)).toEqual(Array(3).fill('Ann bakes.'));
    });

    it('brings nothing back of a place that is gone by the undo of an earlier order', async () => {
      const audience = 'channel:discord:left' as const;
      const { personId } = await say('My sister Ida has a limp', { audience });
      const orderId = await order(personId, EVERYTHING);
      await ask(memoryContract.forgetPlace, { audience });
      await undo(personId, orderId);
      expect(await rowsOf(personId)).toEqual([]);
    });

    it('keeps nothing that comes late of a place which is gone', async () => {
      const audience = 'channel:discord:gone' as const;
      const turn = memory.turn('My sister Ida has a limp', { audience });
      const other = memory.turn('I bake bread', { personId: turn.personId });
      const { personId } = turn;
      // Nothing is kept of it yet: its episode waits for an embedding.
      const said = [{ personId, messageIds: [`${turn.turnId}-0`] }];
      await ask(memoryContract.forgetPlace, { audience, said });
      await remember(turn);
      await remember(other);
      expect(await wordsOf(personId)).toEqual(['I bake bread']);
      await expect(note(personId, 'Ida walks badly.', `${turn.turnId}-0`)).rejects.toThrow(
        'forgotten meanwhile',
      );
    });
  });
}
