import type { MemoryView } from '@kith/contracts';
import { dayOf } from '../page/describe-date.js';

/** Words for how often it came to mind, and for its shelf where that is not the open one. */
export function describeUse(
  memory: Pick<MemoryView, 'kind' | 'timesRecalled' | 'lastRecalledAt' | 'shelf' | 'shelfReason' | 'sources'>,
) {
  const { kind, timesRecalled, lastRecalledAt, shelf, shelfReason, sources } = memory;
  const uses =
    timesRecalled === 0
      ? 'never recalled'
      : `recalled ${timesRecalled === 1 ? 'once' : `${timesRecalled} times`}${lastRecalledAt === null ? '' : `, last on ${dayOf(lastRecalledAt)}`}`;
  // The sources of a document's part are the document and the part, and no messages.
  const from = sources.length > 1 && kind !== 'knowledge' ? [`from ${sources.length} messages`] : [];
  const where =
    shelf === 'open' ? [] : [shelfReason === null ? `in ${shelf}` : `in ${shelf}: ${shelfReason}`];
  return [uses, ...from, ...where].join(' · ');
}
