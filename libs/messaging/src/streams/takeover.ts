import type { Redis } from 'ioredis';
import {
  type ConsumerSettings,
  deliveryCount,
  keyOf,
  type ClaimedEntry,
  readDeliveryCount,
} from './claimed-entry.js';
import { fieldsByName } from './entry.js';

type PendingEntry = [id: string, consumer: string, idleMs: number, deliveries: number];
type ClaimReply = [id: string, fields: string[] | null] | null;

/**
 * Claims at most `limit` entries that nobody has touched for the claim time: a dead replica's, or a failed event's
 * whose next try is due. Only one replica gets each.
 * @param inWork keys of the entries that this replica works on. Where it stood still they may look untouched, and must
 *   not hide others.
 * @returns those, and how many entries are pending with any replica, dead or alive
 */
export async function takeOver(
  redis: Redis,
  settings: ConsumerSettings,
  limit: number,
  inWork: Pick<ReadonlyMap<string, unknown>, 'size' | 'has'>,
): Promise<{ taken: ClaimedEntry[]; pending: number }> {
  const { streams, group, consumer, claimIdleMs } = settings;
  const taken: ClaimedEntry[] = [];
  let pendingInAll = 0;
  for (const stream of streams) {
    const [count] = (await redis.xpending(stream, group)) as [number];
    pendingInAll += count;
    if (count === 0 || taken.length >= limit) continue;
    const room = limit - taken.length;
    const page = room + inWork.size;
    const pending = (await redis.xpending(
      stream,
      group,
      'IDLE',
      claimIdleMs,
      '-',
      '+',
      page,
    )) as PendingEntry[];
    const others = pending.filter(([id]) => !inWork.has(keyOf({ stream, id })));
    for (const [id, , , deliveries] of others.slice(0, room)) {
      // Empty when another replica was quicker, or when the entry itself is gone.
      const [entry] = (await redis.xclaim(stream, group, consumer, claimIdleMs, id)) as ClaimReply[];
      if (entry?.[1]) taken.push({ stream, id, fields: entry[1], ...readDeliveryCount(deliveries) });
    }
  }
  return { taken, pending: pendingInAll };
}

type Claimer = Pick<ConsumerSettings, 'group' | 'consumer'>;

/** Notes that a delivery failed while its process lived on. It comes again when the claim time is over. */
export function noteFailure(redis: Redis, claimer: Claimer, entry: ClaimedEntry): Promise<void> {
  return setCount(redis, claimer, entry, deliveryCount({ ...entry, failures: entry.failures + 1 }));
}

/** Takes a delivery back that was not handed out: it counts neither as a failure nor as a death. */
export function takeBack(redis: Redis, claimer: Claimer, entry: ClaimedEntry): Promise<void> {
  return setCount(redis, claimer, entry, deliveryCount(entry));
}

async function setCount(
  redis: Redis,
  { group, consumer }: Claimer,
  { stream, id }: ClaimedEntry,
  count: number,
): Promise<void> {
  await redis.xclaim(stream, group, consumer, 0, id, 'RETRYCOUNT', count, 'JUSTID');
}

// Checked and done in one step: removing a consumer forgets what is pending with it.
const REMOVE_IDLE_CONSUMER = `
if #redis.call('XPENDING', KEYS[1], ARGV[1], '-', '+', 1, ARGV[2]) == 0 then
  return redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], ARGV[2])
end
return -1`;

/** Removes this consumer from the group where nothing is pending with it. What is pending, others take over. */
export async function leaveGroup(
  redis: Redis,
  { streams, group, consumer }: Pick<ConsumerSettings, 'streams' | 'group' | 'consumer'>,
): Promise<void> {
  if (redis.status !== 'ready') return;
  for (const stream of streams) await redis.eval(REMOVE_IDLE_CONSUMER, 1, stream, group, consumer);
}

/** Removes consumers that died without leaving, once their pending entries were taken over. */
export async function removeDeadConsumers(redis: Redis, settings: ConsumerSettings): Promise<void> {
  for (const stream of settings.streams) {
    const consumers = (await redis.xinfo('CONSUMERS', stream, settings.group)) as (string | number)[][];
    for (const fields of consumers) {
      const { name, idle } = fieldsByName(fields);
      if (Number(idle) > settings.forgetConsumerAfterMs && name !== settings.consumer)
        await redis.eval(REMOVE_IDLE_CONSUMER, 1, stream, settings.group, String(name));
    }
  }
}
