import { type ChildProcess, spawn } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { AppError, defineEvent } from '@kith/contracts';
import { Controller } from '@nestjs/common';
import { z } from 'zod';
import { currentCorrelationId, withCorrelationId } from '../correlation.js';
import { Hears } from '../handlers/decorators.js';
import { eventually } from '../testing-redis.js';
import { Bench } from '../testing-service.js';
import { listDeadLetters, replayDeadLetters } from './dead-letters.js';

const counted = defineEvent('calc.counted', z.object({ n: z.number() }));
const bench = Bench.forThisFile();

/** Hears events for `service` with `during`, and notes each that it finished. */
function listener(during: (n: number) => void = () => undefined) {
  const heard: number[] = [];
  const correlationIds: (string | undefined)[] = [];
  @Controller()
  class Listener {
    @Hears(counted)
    async onCounted({ n }: { n: number }) {
      during(n);
      heard.push(n);
      correlationIds.push(currentCorrelationId());
    }
  }
  return { Listener, heard, correlationIds };
}

// A replica in a process of its own, from the built library: it takes events and never finishes one.
const STUCK_REPLICA = `
  import { StreamsServer } from '@kith/messaging';
  const [redisUrl, keyPrefix] = process.argv.slice(1);
  const server = new StreamsServer({ redisUrl, keyPrefix, group: 'calc', claimIdleMs: 60_000 });
  let taken = 0;
  server.addHandler('calc.counted', () => {
    taken += 1;
    if (taken === 5) process.stdout.write('five in work');
    return new Promise(() => undefined);
  }, true);
  server.listen((error) => { if (error) throw error; });
`;

async function stuckReplica(): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    ['--input-type=module', '-e', STUCK_REPLICA, bench.redis.url, bench.keyPrefix],
    {
      cwd: process.cwd(),
      env: { PATH: process.env['PATH'] ?? '' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  bench.onClose(() => void child.kill('SIGKILL'));
  return child;
}

describe('what a replica had in hand', () => {
  it('is taken over whole when it is killed in the middle of five events', async () => {
    const child = await stuckReplica();
    const inWork = new Promise((resolve) => child.stdout!.once('data', resolve));
    for (const n of [1, 2, 3, 4, 5]) await bench.messenger.announce(counted, { n });
    await inWork;
    child.kill('SIGKILL');
    const { Listener, heard } = listener();
    await bench.startReplica('calc', [Listener], { claimIdleMs: 200 });
    await eventually(() => heard.length === 5, 'all five are handled by the other replica');
    expect(heard.sort()).toEqual([1, 2, 3, 4, 5]);
  });

  it('becomes a dead letter when it killed its replica every time', async () => {
    const redis = bench.look();
    const stream = `${bench.keyPrefix}event:calc.counted`;
    await bench.messenger.announce(counted, { n: 13 });
    await redis.xgroup('CREATE', stream, 'calc', '0');
    await redis.xreadgroup('GROUP', 'calc', 'dead-1', 'COUNT', 1, 'STREAMS', stream, '>');
    const { Listener, heard } = listener();
    await bench.startReplica('calc', [Listener], { claimIdleMs: 40, maxDeliveries: 1 });
    const letters = () => listDeadLetters(redis, { keyPrefix: bench.keyPrefix });
    await eventually(async () => (await letters()).length === 1, 'it is put aside');
    expect(heard).toEqual([]);
    expect(await letters()).toMatchObject([
      { payload: { n: 13 }, error: 'the service died while handling it' },
    ]);
  });
});

describe('dead letters', () => {
  it('hold an event that failed on every try, for its service only, and can be replayed', async () => {
    let broken = true;
    const calc = listener(() => {
      if (broken) throw new AppError('unavailable', 'the store is away');
    });
    const audit = listener();
    await bench.startReplica('calc', [calc.Listener], { claimIdleMs: 40, maxDeliveries: 3 });
    await bench.startReplica('audit', [audit.Listener]);
    await withCorrelationId('c-7', () => bench.messenger.announce(counted, { n: 7 }));
    const redis = bench.look();
    const query = { keyPrefix: bench.keyPrefix, service: 'calc' };
    await eventually(async () => (await listDeadLetters(redis, query)).length === 1, 'it is put aside');
    expect(await listDeadLetters(redis, query)).toMatchObject([
      {
        pattern: 'calc.counted',
        service: 'calc',
        payload: { n: 7 },
        correlationId: 'c-7',
        deliveries: 3,
        error: 'unavailable: the store is away',
      },
    ]);
    expect(await replayDeadLetters(redis, { ...query, service: 'audit' })).toBe(0);

    broken = false;
    expect(await replayDeadLetters(redis, query)).toBe(1);
    await eventually(() => calc.heard.length === 1, 'calc hears it at last');
    expect(calc.correlationIds).toEqual(['c-7']);
    expect(await listDeadLetters(redis, query)).toEqual([]);
    await bench.messenger.announce(counted, { n: 8 });
    await eventually(() => audit.heard.includes(8), 'audit is past the replayed one');
    expect(audit.heard).toEqual([7, 8]);
  });

  it('hold at once what no further try can mend', async () => {
    await bench.startReplica('calc', [listener().Listener]);
    const malformed = { ...counted, payload: z.object({ n: z.string() }) };
    await bench.messenger.announce(malformed, { n: 'text' });
    const redis = bench.look();
    const letters = () => listDeadLetters(redis, { keyPrefix: bench.keyPrefix });
    await eventually(async () => (await letters()).length === 1, 'it is put aside');
    expect(await letters()).toMatchObject([
      { deliveries: 1, error: expect.stringContaining('invalid_request') },
    ]);
  });

  it('are listed by pattern, by id and up to a limit, past a page', async () => {
    const redis = bench.look();
    for (let n = 0; n < 205; n += 1) {
      await redis.xadd(
        `${bench.keyPrefix}dead`,
        '*',
        'pattern',
        n === 204 ? 'a.last' : 'a.b',
        'd',
        String(n),
      );
    }
    const keyPrefix = bench.keyPrefix;
    const [last] = await listDeadLetters(redis, { keyPrefix, pattern: 'a.last' });
    expect(last).toMatchObject({ payload: 204 });
    expect(await listDeadLetters(redis, { keyPrefix, ids: [last!.id] })).toEqual([last]);
    expect(await listDeadLetters(redis, { keyPrefix, limit: 3 })).toHaveLength(3);
  });
});
