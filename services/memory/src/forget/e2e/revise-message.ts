import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { memoryContract } from '@kith/contracts';
import { eventually } from '@kith/testing';
import type { Orders } from './orders.js';

/** Tests what is kept of a message that was edited or deleted. */
export function reviseMessage(orders: Orders): void {
  const { remember, say, rowsOf } = orders.memory;
  const { memory, ask, revise, wordsOf } = orders;

  describe('a message that was edited or deleted', () => {
    it('keeps the words that a message was edited to, and never again those before', async () => {
      const turn = memory.turn('I like fish');
      const { personId, turnId } = turn;
      await remember(turn);
      await revise(personId, turnId);
      expect(await rowsOf(personId)).toEqual([]);
      // A job that read the old words before the edit comes late.
      await ask(memoryContract.reread, { personId, turnIds: [] });
      await memory.stores.query('DELETE FROM memory_handled_turns WHERE turn_id = $1', [turnId]);
      await remember(turn);
      expect(await rowsOf(personId)).toEqual([]);
      turn.messages = turn.messages.map((message) => ({ ...message, text: 'I like figs', revision: 1 }));
      await ask(memoryContract.reread, { personId, turnIds: [turnId] });
      await eventually('the new words are kept', async () => (await rowsOf(personId)).length === 1);
      expect((await rowsOf(personId))[0]).toMatchObject({ text: 'I like figs' });
    });

    it('brings no words back that were corrected or merged when another message of their turn is edited', async () => {
      const bakery = 'I will start my new job at the bakery';
      const turn = await say(['My sister lives in Oslo', `${bakery}!`, `${bakery}!!!`, 'She has a catt']);
      const { personId, turnId } = turn;
      const sister = (await rowsOf(personId)).find(({ text }) => text === 'My sister lives in Oslo');
      await ask(memoryContract.change, {
        personId,
        id: sister?.['id'] as string,
        change: { text: 'My sister lives in Bergen' },
      });
      const day = new Date().toISOString().slice(0, 10);
      const from = `${day}T00:00:00.000Z`;
      const to = new Date(Date.parse(from) + 86_400_000).toISOString();
      await memory.parts.consolidation.consolidate({ personId, companionId: 'wren', day, from, to });

      await revise(personId, turnId, { n: 3 });
      turn.messages = turn.messages.map((message) =>
        message.externalId === `${turnId}-3` ? { ...message, text: 'She has a cat', revision: 1 } : message,
      );
      await ask(memoryContract.reread, { personId, turnIds: [turnId] });
      await eventually('the new words are kept', async () =>
        (await wordsOf(personId)).includes('She has a cat'),
      );
      expect(await wordsOf(personId)).toEqual([`${bakery}!!!`, 'My sister lives in Bergen', 'She has a cat']);
      // What they say anew is kept as what it is, whatever was corrected before.
      await say('My sister lives in Oslo', { personId });
      expect(await wordsOf(personId)).toContain('My sister lives in Oslo');
    });

    it('names what went with a changed message as often as it is asked', async () => {
      const { personId, turnId } = await say('I like fish');
      const again = await say('I like fish', { personId });
      const [fish] = await rowsOf(personId);
      const deleted = { orderId: randomUUID(), revision: null };
      const done = await revise(personId, turnId, deleted);
      expect(done).toEqual({ memoryIds: [fish!['id']], others: [`${again.turnId}-0`] });
      // The order was broken off behind it, and is carried out from its beginning.
      expect(await revise(personId, turnId, deleted)).toEqual(done);
    });
  });
}
