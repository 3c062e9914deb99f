import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import type { Redis } from 'ioredis';
import { eventually } from '../testing-redis.js';
import { Bench } from '../testing-service.js';
import { ClaimRenewer } from './claim-renewer.js';

const CLAIM_IDLE_MS = 300;
const bench = Bench.forThisFile();

it('an entry in work is held again once Redis is back, however long that took', async () => {
  let isAway = true;
  const { renewer, entry, idleMs } = await hold((redis, name) =>
    name === 'status' && isAway ? 'reconnecting' : Reflect.get(redis, name),
  );
  renewer.add(entry);
  await sleep(1.5 * CLAIM_IDLE_MS);
  expect(await idleMs()).toBeGreaterThan(CLAIM_IDLE_MS);
  isAway = false;
  await eventually(async () => (await idleMs()) < CLAIM_IDLE_MS, 'it is held');
});

it('an entry that ends while it is renewed is held no longer', async () => {
  let renewals = 0;
  const { renewer, entry, idleMs } = await hold((redis, name) =>
    name === 'xclaim'
      ? async (...given: Parameters<Redis['xclaim']>) => {
          renewals += 1;
          renewer.remove(entry);
          return redis.xclaim(...given);
        }
      : Reflect.get(redis, name),
  );
  renewer.add(entry);
  await eventually(async () => (await idleMs()) > 2 * CLAIM_IDLE_MS, 'it is free for others');
  expect(renewals).toBe(1);
});

/** Takes an entry, and makes what holds it, over a connection that answers so. */
async function hold(get: (redis: Redis, name: PropertyKey) => unknown) {
  const redis = bench.look();
  const [stream, group, consumer] = [`${bench.keyPrefix}event:calc.counted`, 'calc', 'me'];
  await redis.xgroup('CREATE', stream, group, '0', 'MKSTREAM');
  const id = (await redis.xadd(stream, '*', 'd', '1'))!;
  await redis.xreadgroup('GROUP', group, consumer, 'STREAMS', stream, '>');
  const over = new Proxy(redis, { get: (target, name) => get(target, name) });
  const renewer = new ClaimRenewer(over, { group, consumer, claimIdleMs: CLAIM_IDLE_MS }, bench.logger);
  bench.onClose(() => renewer.stop());
  const idleMs = async () => {
    const [pending] = (await redis.xpending(stream, group, '-', '+', 1)) as [string, string, number][];
    return pending![2];
  };
  return { renewer, entry: { stream, id }, idleMs };
}
