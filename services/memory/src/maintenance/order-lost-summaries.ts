import { DAY_MS, jobsContract } from '@kith/contracts';
import { oneByOne } from '@kith/messaging';
import type { Pair } from '../rows/memory-scope.js';
import { CHECK_EVERY_MS } from './unread-lines.js';
import type { UpkeepParts } from './upkeep-parts.js';

/** Time after which a summary is not ordered any more: a companion out of service has no night for its day. */
const GIVE_UP_MS = 7 * DAY_MS;
/** Changes that are looked at once: the others follow when these summaries are written. */
const MAX_CHANGES = 1_000;

/** Orders again the summaries that went with a change of a memory, and whose own order was lost or came to nothing. */
export async function orderLostSummaries({
  database,
  messenger,
}: Pick<UpkeepParts, 'database' | 'messenger'>) {
  const lost = await database.reader('system').$queryRaw<(Pair & { at: Date })[]>`
    SELECT DISTINCT person_id::text AS "personId", companion_id AS "companionId", unnest(lost_summaries) AS at
    FROM (
      SELECT person_id, companion_id, lost_summaries FROM forget_records
      WHERE lost_summaries <> '{}' AND at < now() - ${CHECK_EVERY_MS} * interval '1 ms'
        AND at > now() - ${GIVE_UP_MS} * interval '1 ms'
      ORDER BY at LIMIT ${MAX_CHANGES}) AS change`;
  await oneByOne(lost, ({ at, ...whose }) =>
    messenger.enqueue(jobsContract.consolidateAgain, { ...whose, at: at.toISOString() }),
  );
}
