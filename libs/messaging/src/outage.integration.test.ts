import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { defineEvent, defineJob, defineRequest } from '@kith/contracts';
import { Controller } from '@nestjs/common';
import { z } from 'zod';
import { Handles } from './handlers/handles.js';
import type { Messenger } from './messenger.js';
import { eventually, gate, SilentProxy } from './testing-redis.js';
import { Bench } from './testing-service.js';

const bench = Bench.forThisFile();
const Numbered = z.object({ n: z.number() });
const twice = defineRequest('calc.twice', { request: Numbered, response: Numbered, timeoutMs: 2_000 });
const counted = defineEvent('calc.counted', Numbered);
const note = defineJob('calc.note', {
  payload: Numbered,
  idOf: ({ n }) => `n-${n}`,
  attempts: 3,
  backoffMs: 10,
});

/** A service of every kind of handler, whose work waits for `door`. */
async function startService(options: { redisUrl?: string; door?: Promise<void> } = {}) {
  const { door, ...where } = options;
  const heard: number[] = [];
  const noted: number[] = [];
  @Controller()
  class Calc {
    @Handles(twice)
    async onTwice({ n }: { n: number }) {
      await door;
      return { n: n * 2 };
    }

    @Handles(counted)
    async onCounted({ n }: { n: number }) {
      heard.push(n);
    }

    @Handles(note)
    async onNote({ n }: { n: number }) {
      noted.push(n);
      await door;
    }
  }
  await bench.startReplica('calc', [Calc], { ...where, jobs: { deafAfterMs: 1_000 } });
  return { heard, noted };
}

let number = 0;
/** Everything a messenger does arrives and is answered, soon. */
async function expectService(
  { heard, noted }: Awaited<ReturnType<typeof startService>>,
  messenger: Messenger = bench.messenger,
): Promise<void> {
  const n = (number += 1);
  await eventually(
    () =>
      messenger.ask(twice, { n }).then(
        (answer) => answer.n === n * 2,
        () => false,
      ),
    'a question is answered',
  );
  await messenger.announce(counted, { n });
  await messenger.enqueue(note, { n });
  await eventually(() => heard.includes(n) && noted.includes(n), 'event and job arrive');
}

describe('Redis', () => {
  it.each([
    ['emptied', () => bench.look().flushall()],
    ['back without what it held', () => bench.redis.restartEmpty()],
    ['restarted', () => bench.redis.kill().then(() => bench.redis.start())],
  ])('%s, is used again by everyone at once', async (_, fault) => {
    const service = await startService();
    await expectService(service);
    await fault();
    await expectService(service);
  });

  it.each([
    ['back without what it held', () => bench.redis.restartEmpty()],
    ['rid of the answers', (stream: string) => bench.look().del(stream)],
  ])('%s and with a clock that is behind, has its answers read', async (_, fault) => {
    const service = await startService();
    await expectService(service);
    const redis = bench.look();
    const [stream = ''] = await redis.keys(`${bench.keyPrefix}reply:*`);
    // An answer that the clock of before was a day ahead for.
    await redis.xadd(stream, `${Date.now() + 86_400_000}-0`, 'i', 'unknown', 'd', '{}');
    await fault(stream);
    await expectService(service);
  });

  it('emptied under work leaves nobody hanging', async () => {
    const door = gate();
    const service = await startService({ door: door.opened });
    const asked = bench.messenger.ask(twice, { n: 1 }).catch((error: unknown) => error);
    await bench.messenger.enqueue(note, { n: 1 });
    await eventually(() => service.noted.length === 1, 'the job is in work');
    await bench.look().flushall();
    door.open();
    // Its request was lost or its answer was not: either way there is an end.
    expect([{ n: 2 }, expect.objectContaining({ code: 'unavailable' })]).toContainEqual(await asked);
    await expectService(service);
  });

  it('out of memory refuses, and takes everything again when it has some', async () => {
    const service = await startService();
    await expectService(service);
    await bench.messenger.enqueue(note, { n: 900 }, { delayMs: 300 });
    const redis = bench.look();
    await redis.config('SET', 'maxmemory', '1');
    const before = service.noted.length;
    const refused = { code: 'unavailable' };
    await expect(bench.messenger.ask(twice, { n: 1 })).rejects.toMatchObject(refused);
    await expect(bench.messenger.announce(counted, { n: 1 })).rejects.toMatchObject(refused);
    await expect(bench.messenger.enqueue(note, { n: 901 })).rejects.toMatchObject(refused);
    await redis.config('SET', 'maxmemory', '0');
    await eventually(() => service.noted.length > before, 'what waited is done');
    expect(service.noted).toContain(900);
    await expectService(service);
  });

  it('out of memory while a job waits is asked for it again after a pause, and that is told once', async () => {
    const door = gate();
    const service = await startService({ door: door.opened });
    const redis = bench.look();
    const refusals = async () =>
      Number(/errorstat_OOM:count=(\d+)/.exec(await redis.info('errorstats'))?.[1]);
    // Both come up at once: a full Redis still gives the first, and no other.
    for (const n of [904, 905]) await bench.messenger.enqueue(note, { n }, { delayMs: 500 });
    await redis.config('SET', 'maxmemory', '1');
    try {
      await eventually(() => bench.logged.length > 0, 'the refusal is told');
      const before = await refusals();
      await sleep(2_000);
      // Lock renewals are refused as well.
      expect((await refusals()) - before).toBeLessThan(100);
      const told = bench.logged.filter(({ fields }) => String(Reflect.get(fields, 'err')).includes('OOM'));
      expect(told).toHaveLength(1);
    } finally {
      await redis.config('SET', 'maxmemory', '0');
    }
    door.open();
    await eventually(() => service.noted.includes(904) && service.noted.includes(905), 'both are done');
  });

  it('that is a replica for a while is told of once by each connection', async () => {
    const service = await startService();
    await expectService(service);
    const redis = bench.look();
    const told = () =>
      bench.logged
        .map(({ message }) => message)
        .filter((message) => /refused|error/.test(message))
        .toSorted();
    const once = [
      'a worker met an error',
      // Of requests, and of events.
      'reading a stream was refused',
      'reading a stream was refused',
      'waiting for jobs was refused',
    ];
    await redis.replicaof('127.0.0.1', 1);
    await eventually(() => told().length >= once.length, 'all are refused');
    await sleep(2_000);
    await redis.replicaof('NO', 'ONE');
    expect(told()).toEqual(once);
    await expectService(service);
  });

  it('that lets nobody read answers is told of once, and asked again when it does', async () => {
    const service = await startService();
    await expectService(service);
    const redis = bench.look();
    await redis.call('ACL', 'SETUSER', 'default', '-xread');
    try {
      // The read that waits began with the right to.
      await bench.messenger.ask(twice, { n: 1 });
      await expect(bench.messenger.ask(twice, { n: 1 })).rejects.toMatchObject({ code: 'unavailable' });
      expect(bench.logged.map(({ message }) => message)).toEqual(['reading answers was refused']);
    } finally {
      await redis.call('ACL', 'SETUSER', 'default', '+xread');
    }
    await expectService(service);
  });

  it('that is a replica for a while is connected to anew, and takes what was sent', async () => {
    const service = await startService();
    await expectService(service);
    const redis = bench.look();
    const connected = async () =>
      String(await redis.client('LIST')).match(/id=\d+ .* name=test-sender /)?.[0];
    const before = (await connected())?.split(' ')[0];
    await redis.replicaof('127.0.0.1', 1);
    const told = bench.messenger.announce(counted, { n: 903 });
    await eventually(async () => (await connected())?.split(' ')[0] !== before, 'it connects anew');
    await redis.replicaof('NO', 'ONE');
    await told;
    await eventually(() => service.heard.includes(903), 'the event arrives');
    await expectService(service);
  });

  it('that falls silent on open connections is connected to anew', async () => {
    const proxy = await SilentProxy.start(bench.redis);
    bench.onClose(() => proxy.stop());
    const service = await startService({ redisUrl: proxy.url });
    const messenger = bench.openMessenger({ redisUrl: proxy.url });
    const broadcasts = bench.openBroadcasts({ redisUrl: proxy.url });
    const heard: unknown[] = [];
    await broadcasts.subscribe('c', (payload) => heard.push(payload));
    await expectService(service, messenger);
    proxy.silence();
    await eventually(
      () =>
        messenger.enqueue(note, { n: 902 }).then(
          () => true,
          () => false,
        ),
      'a job is taken',
      20_000,
    );
    await eventually(() => service.noted.includes(902), 'and done', 20_000);
    await expectService(service, messenger);
    const near = bench.openBroadcasts();
    const isHeard = () => near.publish('c', 'news').then(() => heard.length > 0);
    await eventually(isHeard, 'broadcasts are heard', 20_000);
  }, 60_000);
});
