import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, jest } from '@jest/globals';
import { AppError, defineEvent, defineRequest } from '@kith/contracts';
import { Controller } from '@nestjs/common';
import { z } from 'zod';
import { currentCorrelationId, withCorrelationId } from '../correlation.js';
import { Handles } from '../handlers/handles.js';
import { eventually, gate } from '../testing-redis.js';
import { Bench } from '../testing-service.js';
import { listDeadLetters, replayDeadLetter } from './dead-letters.js';

const counted = defineEvent('calc.counted', z.object({ n: z.number() }));
const count = defineRequest('calc.count', {
  request: z.object({ upTo: z.number(), note: z.string().default('') }),
  response: z.object({ reached: z.number() }),
  timeoutMs: 30_000,
});
const bench = Bench.forThisFile();
const letters = () => listDeadLetters(bench.look(), bench.keyPrefix);
const replay = (id: string) => replayDeadLetter(bench.look(), id, bench.keyPrefix);

/** A replica that answers, and notes what it was asked. */
function counter() {
  const asked: number[] = [];
  @Controller()
  class Counter {
    @Handles(count)
    async onCount({ upTo }: { upTo: number }) {
      asked.push(upTo);
      return { reached: upTo };
    }
  }
  return { Counter, asked };
}

/** Hears events for `service` with `during`, and notes each that it finished. */
function listener(during: (n: number) => void | Promise<void> = () => undefined) {
  const heard: number[] = [];
  const correlationIds: (string | undefined)[] = [];
  @Controller()
  class Listener {
    @Handles(counted)
    async onCounted({ n }: { n: number }) {
      await during(n);
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
  const say = () => undefined;
  const logger = { debug: say, info: say, warn: say, error: say };
  const server = new StreamsServer({ redisUrl, keyPrefix, logger, group: 'calc', claimIdleMs: 60_000 });
  let taken = 0;
  server.addHandler('calc.counted', () => {
    taken += 1;
    if (taken === 5) process.stdout.write('five in work');
    return new Promise(() => undefined);
  }, true);
  server.listen((error) => { if (error) throw error; });
`;

// One whose handlers end their process at once.
const DEADLY_REPLICA = `
  import { StreamsServer } from '@kith/messaging';
  const [redisUrl, keyPrefix] = process.argv.slice(1);
  const say = () => undefined;
  const logger = { debug: say, info: say, warn: say, error: say };
  const server = new StreamsServer({ redisUrl, keyPrefix, logger, group: 'calc', claimIdleMs: 200 });
  const die = () => process.kill(process.pid, 'SIGKILL');
  server.addHandler('calc.counted', () => die(), true);
  server.addHandler('calc.count', () => die(), false);
  server.listen((error) => { if (error) throw error; });
`;

/** Runs a replica until a message has ended it. */
async function dieOfAMessage(): Promise<void> {
  const child = startProcess(DEADLY_REPLICA);
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
  expect(signal).toBe('SIGKILL');
}

function startProcess(program: string): ChildProcess {
  const child = spawn(
    process.execPath,
    ['--input-type=module', '-e', program, bench.redis.url, bench.keyPrefix],
    { cwd: process.cwd(), env: { PATH: process.env['PATH'] ?? '' }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  bench.onClose(() => void child.kill('SIGKILL'));
  return child;
}

describe('what a replica had in hand', () => {
  it('is taken over whole when it is killed in the middle of five events', async () => {
    const child = startProcess(STUCK_REPLICA);
    const inWork = new Promise((resolve) => child.stdout!.once('data', resolve));
    for (const n of [1, 2, 3, 4, 5]) await bench.messenger.announce(counted, { n });
    await inWork;
    child.kill('SIGKILL');
    const { Listener, heard } = listener();
    await bench.startReplica('calc', [Listener], { claimIdleMs: 200 });
    await eventually(() => heard.length === 5, 'all five are handled by the other replica');
    expect(heard.sort()).toEqual([1, 2, 3, 4, 5]);
  });

  it('becomes a dead letter when it ended its process twice, and what comes after it is handled', async () => {
    await bench.messenger.announce(counted, { n: 13 });
    await dieOfAMessage();
    await dieOfAMessage();
    const { Listener, heard } = listener();
    await bench.startReplica('calc', [Listener], { claimIdleMs: 200 });
    await bench.messenger.announce(counted, { n: 14 });
    await eventually(async () => (await letters()).length === 1, 'it is put aside');
    await eventually(() => heard.length === 1, 'the next one is handled');
    expect(heard).toEqual([14]);
    expect(await letters()).toMatchObject([
      { kind: 'event', payload: { n: 13 }, deliveries: 2, error: 'the service died while handling it' },
    ]);
  });

  it('stays given up while Redis is too full for a dead letter', async () => {
    await bench.messenger.announce(counted, { n: 19 });
    const [redis, stream] = [bench.look(), `${bench.keyPrefix}event:calc.counted`];
    await redis.xgroup('CREATE', stream, 'calc', '0');
    await redis.xreadgroup('GROUP', 'calc', 'dead', 'STREAMS', stream, '>');
    const [[id] = []] = (await redis.xpending(stream, 'calc', '-', '+', 1)) as [string][];
    await redis.xclaim(stream, 'calc', 'dead', 0, id!, 'RETRYCOUNT', 15, 'JUSTID');
    await redis.config('SET', 'maxmemory', '1');
    const { Listener, heard } = listener();
    await bench.startReplica('calc', [Listener], { claimIdleMs: 50 });
    const refusals = () =>
      bench.logged.filter(({ message }) => message === 'an entry could not be acknowledged');
    try {
      await eventually(() => refusals().length >= 3, 'it could not be put aside');
    } finally {
      await redis.config('SET', 'maxmemory', '0');
    }
    await eventually(async () => (await letters()).length === 1, 'it is put aside');
    expect(heard).toEqual([]);
  });

  it('is handled by another when it ended its process once, whatever tries failed before', async () => {
    let failures = 0;
    const failing = listener(() => {
      failures += 1;
      throw new AppError('unavailable', 'not yet');
    });
    const first = await bench.startReplica('calc', [failing.Listener], { claimIdleMs: 100 });
    await bench.messenger.announce(counted, { n: 15 });
    await eventually(() => failures === 2, 'two tries failed');
    await first.close();
    await dieOfAMessage();
    const { Listener, heard } = listener();
    await bench.startReplica('calc', [Listener], { claimIdleMs: 200 });
    await eventually(() => heard.length === 1, 'it is handled');
    expect(await letters()).toEqual([]);
  });

  it('has not ended a process whose tries failed while Redis was away', async () => {
    let tries = 0;
    let started = Promise.resolve();
    const { Listener, heard } = listener(async () => {
      await started;
      if (tries === 2) return;
      await bench.redis.kill();
      tries += 1;
      throw new AppError('unavailable', 'not now');
    });
    await bench.startReplica('calc', [Listener], { claimIdleMs: 200 });
    await bench.messenger.announce(counted, { n: 17 });
    for (let time = 1; time <= 2; time += 1) {
      await eventually(() => tries === time, `try ${time} fails`);
      await sleep(50); // It has been tried to note that.
      started = bench.redis.start();
      await started;
    }
    await eventually(() => heard.length === 1, 'the third try does it');
    expect(await letters()).toEqual([]);
  });

  it('is not handled again when Redis was away for a minute at its end', async () => {
    const { Listener, heard } = listener(() => bench.redis.kill());
    await bench.startReplica('calc', [Listener], { claimIdleMs: 200 });
    await bench.messenger.announce(counted, { n: 18 });
    await eventually(() => heard.length === 1, 'it is done');
    const now = performance.now.bind(performance);
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + 60_000);
    await bench.redis.start();
    const redis = bench.look();
    const pending = async () => (await redis.xpending(`${bench.keyPrefix}event:calc.counted`, 'calc'))[0];
    await eventually(async () => (await pending()) === 0, 'it is acknowledged');
    clock.mockRestore();
    expect(heard).toEqual([18]);
  });

  it('has not ended a process that closed without waiting for it', async () => {
    const door = gate();
    let taken = 0;
    const { Listener, heard } = listener(() => {
      taken += 1;
      return door.opened;
    });
    await bench.messenger.announce(counted, { n: 16 });
    for (let time = 1; time <= 2; time += 1) {
      const replica = await bench.startReplica('calc', [Listener], { claimIdleMs: 100, drainMs: 50 });
      await eventually(() => taken === time, `${time} have taken it`);
      await replica.close();
    }
    const last = listener();
    await bench.startReplica('calc', [last.Listener], { claimIdleMs: 100 });
    await eventually(() => last.heard.includes(16), 'a third one handles it');
    door.open();
    expect(heard).toEqual([]);
    expect(await letters()).toEqual([]);
  });
});

describe('a request', () => {
  it('that ended its process twice is answered with an error and put aside without its words', async () => {
    const asked = bench.messenger.ask(count, { upTo: 3, note: 'a secret' });
    const refusal = expect(asked).rejects.toMatchObject({
      code: 'internal',
      message: 'the service died while answering',
    });
    await dieOfAMessage();
    await dieOfAMessage();
    const healthy = counter();
    await bench.startReplica('calc', [healthy.Counter], { claimIdleMs: 200 });
    await refusal;
    expect(healthy.asked).toEqual([]);
    const found = await letters();
    expect(found).toMatchObject([{ kind: 'request', pattern: 'calc.count', service: 'calc', deliveries: 2 }]);
    expect(JSON.stringify(found)).not.toContain('secret');
    expect(await replay(found[0]!.id)).toBe(false);
    expect(await letters()).toEqual(found);
    expect(await bench.messenger.ask(count, { upTo: 4 })).toEqual({ reached: 4 });
  });

  it('that ended its process once is answered by another while its caller waits', async () => {
    const asked = bench.messenger.ask(count, { upTo: 5 });
    await dieOfAMessage();
    await bench.startReplica('calc', [counter().Counter], { claimIdleMs: 200 });
    expect(await asked).toEqual({ reached: 5 });
  });

  it('whose caller no longer waits is never delivered again', async () => {
    const asked = bench.messenger.ask(count, { upTo: 6 }, { timeoutMs: 8_000 });
    const refusal = expect(asked).rejects.toMatchObject({ code: 'unavailable' });
    await dieOfAMessage();
    await refusal;
    const healthy = counter();
    await bench.startReplica('calc', [healthy.Counter], { claimIdleMs: 200 });
    const length = () => bench.look().xlen(`${bench.keyPrefix}request:calc`);
    await eventually(async () => (await length()) === 0, 'it is let go of');
    expect(healthy.asked).toEqual([]);
    expect(bench.logged.map(({ message }) => message)).toContain('a request died with its process');
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
    await eventually(async () => (await letters()).length === 1, 'it is put aside');
    const found = await letters();
    expect(found).toMatchObject([
      {
        pattern: 'calc.counted',
        service: 'calc',
        payload: { n: 7 },
        correlationId: 'c-7',
        deliveries: 3,
        error: 'unavailable: the store is away',
      },
    ]);

    broken = false;
    expect(await replay(found[0]!.id)).toBe(true);
    expect(await replay(found[0]!.id)).toBe(false);
    await eventually(() => calc.heard.length === 1, 'calc hears it at last');
    expect(calc.correlationIds).toEqual(['c-7']);
    expect(await letters()).toEqual([]);
    await bench.messenger.announce(counted, { n: 8 });
    await eventually(() => audit.heard.includes(8), 'audit is past the replayed one');
    expect(audit.heard).toEqual([7, 8]);
  });

  it('hold at once what no further try can mend', async () => {
    await bench.startReplica('calc', [listener().Listener]);
    const malformed = { ...counted, payload: z.object({ n: z.string() }) };
    await bench.messenger.announce(malformed, { n: 'text' });
    await eventually(async () => (await letters()).length === 1, 'it is put aside');
    expect(await letters()).toMatchObject([
      { deliveries: 1, error: expect.stringContaining('invalid_request') },
    ]);
  });

  it('are listed past a page', async () => {
    const redis = bench.look();
    for (let n = 0; n < 205; n += 1)
      await redis.xadd(`${bench.keyPrefix}dead`, '*', 'pattern', 'a.b', 'd', String(n));
    expect((await letters()).map(({ payload }) => payload)).toEqual(Array.from({ length: 205 }, (_, n) => n));
  });
});
