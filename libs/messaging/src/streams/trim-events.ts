import { DAY_MS } from '@kith/contracts';
import type { Redis } from 'ioredis';
import { fieldsByName } from './entry.js';

/**
 * Time an event waits for a group that does not read, such as that of a service which is no more.
 * A service that was down for longer has to catch up from what the others own.
 */
export const KEEP_EVENTS_MS = 7 * DAY_MS;

interface GroupState {
  /** The newest entry given to the group. */
  readonly lastDelivered: string;
  /** The oldest entry it was given and has not acknowledged. */
  readonly oldestPending: string | null;
}

/** The oldest entry that some group still needs; null when there is no group. */
export function oldestNeeded(groups: readonly GroupState[]): string | null {
  const needed = groups.map(({ lastDelivered, oldestPending }) => oldestPending ?? following(lastDelivered));
  return needed.reduce<string | null>(
    (oldest, id) => (oldest === null || isOlder(id, oldest) ? id : oldest),
    null,
  );
}

/** Entry ids are `<ms>-<sequence>`: numbers, not text. */
function isOlder(id: string, than: string): boolean {
  const [ms, sequence] = parts(id);
  const [thanMs, thanSequence] = parts(than);
  return ms === thanMs ? sequence < thanSequence : ms < thanMs;
}

/** The smallest entry id after this one. */
function following(id: string): string {
  const [ms, sequence] = parts(id);
  return `${ms}-${sequence + 1n}`;
}

function parts(id: string): [ms: bigint, sequence: bigint] {
  const [ms = '0', sequence = '0'] = id.split('-');
  return [BigInt(ms), BigInt(sequence)];
}

/** Removes the entries of an event stream that every group has acknowledged. */
export async function trimEvents(redis: Redis, stream: string): Promise<void> {
  const groups = ((await redis.xinfo('GROUPS', stream)) as unknown[][]).map(fieldsByName);
  const states: GroupState[] = [];
  for (const group of groups) {
    // Read before the pending summary: what a group takes in between can only make this keep more.
    const lastDelivered = String(group['last-delivered-id']);
    const summary = await redis.xpending(stream, String(group['name']));
    states.push({ lastDelivered, oldestPending: (summary[1] as string | null) ?? null });
  }
  const needed = oldestNeeded(states);
  if (needed !== null) await redis.xtrim(stream, 'MINID', needed);
}
