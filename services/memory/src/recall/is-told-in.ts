import type { MemoryRequest } from '@kith/contracts';
import type { MemoryRow } from '../rows/memory-row.js';

/** Makes the test for lines that stand in the talk of a prompt. Facts do not: nobody said them in these words. */
export function isToldIn(
  told: MemoryRequest<'recall'>['told'],
): (row: Pick<MemoryRow, 'kind' | 'conversation' | 'saidAt'>) => boolean {
  if (told === undefined) return () => false;
  const since = Date.parse(told.since);
  return ({ kind, conversation, saidAt }) =>
    kind === 'episode' && conversation === told.conversation && saidAt.getTime() >= since;
}
