import { DAY_MS } from '@kith/contracts';
import type { Redis } from 'ioredis';
import type { MessagingLogger } from '../logger.js';
import { fieldsByName } from './entry.js';

/**
 * Time an event waits for a group that does not read, such as that of a service which is no more.
 * A service that was down for longer has to catch up from what the others own.
 */
export const KEEP_EVENTS_MS = 7 * DAY_MS;

/**
 * Removes what every group has acknowledged from event streams, soon after something on them was acknowledged here.
 * Whichever group is the last to acknowledge trims; where nothing happens nothing is sent.
 */
export class EventTrimmer {
  private readonly due = new Set<string>();
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(
    private readonly redis: Redis,
    private readonly afterMs: number,
    private readonly log: MessagingLogger,
  ) {}

  /** Something on this stream was acknowledged, or may have been by a process before this one. */
  order(stream: string): void {
    if (this.isStopped) return;
    this.due.add(stream);
    this.timer ??= setTimeout(() => void this.trim(), this.afterMs).unref();
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
    this.due.clear();
  }

  private async trim(): Promise<void> {
    this.timer = undefined;
    const streams = [...this.due];
    this.due.clear();
    for (const stream of streams) {
      try {
        await trimEvents(this.redis, stream);
      } catch (error) {
        if (this.redis.status === 'ready')
          this.log.warn({ stream, err: error }, 'could not trim an event stream');
        this.order(stream);
      }
    }
  }
}

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
async function trimEvents(redis: Redis, stream: string): Promise<void> {
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
