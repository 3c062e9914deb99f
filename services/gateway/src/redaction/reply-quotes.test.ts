import { expect, it } from '@jest/globals';
import type { Tx } from '@kith/database';
import { recalledQuotes } from './reply-quotes.js';

it('looks through the replies of years in a moment', async () => {
  const turnIds = Array.from({ length: 20_000 }, (_, n) => `turn-${n}`);
  const lines = turnIds.flatMap((turnId) =>
    ['person', 'companion'].map((role) => ({ id: 1n, conversationId: 'talk', turnId, role, text: 'rain' })),
  );
  const tx = { transcriptMessage: { findMany: () => Promise.resolve(lines) } } as unknown as Tx;
  const began = process.threadCpuUsage();
  expect(await recalledQuotes(tx, turnIds, new Set(['harbour']))).toEqual([]);
  const { user, system } = process.threadCpuUsage(began);
  expect((user + system) / 1_000).toBeLessThan(1_000);
});
