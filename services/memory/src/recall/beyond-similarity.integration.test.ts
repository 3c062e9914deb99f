import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { memoryContract, type ReadTurn } from '@kith/contracts';
import { CHANNEL, onEachIndex } from '../e2e/on-each-index.js';
import { ExtractService } from '../facts/extract.service.js';

onEachIndex('recall beyond similarity', (memory) => {
  const { sayOn, recall } = memory;
  const extract = ({ personId }: Pick<ReadTurn, 'personId'>) =>
    memory.get(ExtractService).extract([{ personId, companionId: 'wren' }]);

  describe('wishes', () => {
    const wished = async (turn: ReadTurn, audience: 'direct' | typeof CHANNEL = 'direct') =>
      (await recall(turn, 'what is new?', { withCore: true, audience })).wishes.map(({ text }) => text);

    it('are told whatever is asked, not in a channel when they were told in a DM, and end', async () => {
      const first = await sayOn('2026-01-05', 'Never mention my brother Tom.');
      const { personId } = first;
      await sayOn('2026-01-06', 'I prefer short answers.', { personId, audience: CHANNEL });
      await extract(first);
      expect(await wished(first)).toEqual([
        expect.stringContaining('“I prefer short answers”'),
        expect.stringContaining('“Never mention my brother Tom”'),
      ]);
      expect(await wished(first, CHANNEL)).toEqual([expect.stringContaining('“I prefer short answers”')]);

      await sayOn('2026-02-01', 'I like long answers.', { personId });
      await extract(first);
      expect(await wished(first)).toEqual([
        expect.stringContaining('long answers'),
        expect.stringContaining('Tom'),
      ]);
      expect(await wished(first, CHANNEL)).toEqual([expect.stringContaining('short answers')]);

      const what = { kind: 'sources' as const, sources: [`${first.turnId}-0`] };
      await memory.messenger.ask(memoryContract.forget, { orderId: randomUUID(), personId, what });
      expect(await wished(first)).toEqual([expect.stringContaining('long answers')]);
    });
  });
});
