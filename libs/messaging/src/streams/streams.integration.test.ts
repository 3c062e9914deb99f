import { describe, expect, it, jest } from '@jest/globals';
import { AppError, defineEvent, defineRequest } from '@kith/contracts';
import { Controller } from '@nestjs/common';
import { z } from 'zod';
import { Handles } from '../handlers/handles.js';
import { eventually, gate } from '../testing-redis.js';
import { Bench } from '../testing-service.js';
import { decodeMessage } from './entry.js';
import type { HandledEntry } from './server-options.js';

const Numbered = z.object({ n: z.number() });
const double = defineRequest('calc.double', {
  request: Numbered,
  response: z.object({ doubled: z.number() }),
  timeoutMs: 3_000,
});
const counted = defineEvent('calc.counted', Numbered);

const bench = Bench.forThisFile();
const range = (count: number) => Array.from({ length: count }, (_, n) => n);

/** A replica's controller that notes what it did. */
function calculator(during: (n: number) => void | Promise<void> = () => undefined) {
  const seen: number[] = [];
  @Controller()
  class Calculator {
    @Handles(double)
    async onDouble({ n }: { n: number }) {
      seen.push(n);
      await during(n);
      return { doubled: 2 * n };
    }

    @Handles(counted)
    async onCounted({ n }: { n: number }) {
      seen.push(n);
      await during(n);
    }
  }
  return { Calculator, seen };
}

describe('requests over streams', () => {
  it('are shared by two replicas, each answered once', async () => {
    const one = calculator();
    const two = calculator();
    await bench.startReplica('calc', [one.Calculator], { concurrency: 4 });
    await bench.startReplica('calc', [two.Calculator], { concurrency: 4 });
    const answers = await Promise.all(range(200).map((n) => bench.messenger.ask(double, { n })));
    expect(answers.map(({ doubled }) => doubled)).toEqual(range(200).map((n) => 2 * n));
    expect([...one.seen, ...two.seen].sort((a, b) => a - b)).toEqual(range(200));
    expect(one.seen.length).toBeGreaterThan(0);
    expect(two.seen.length).toBeGreaterThan(0);
  });

  it('leave nothing behind in Redis once answered', async () => {
    const replica = await bench.startReplica('calc', [calculator().Calculator]);
    await Promise.all(range(300).map((n) => bench.messenger.ask(double, { n })));
    await replica.close();
    const redis = bench.look();
    expect(await redis.xlen(`${bench.keyPrefix}request:calc`)).toBe(0);
    const [reply] = await redis.keys(`${bench.keyPrefix}reply:*`);
    expect(await redis.xlen(reply!)).toBeLessThan(300);
    expect(await redis.pttl(reply!)).toBeGreaterThan(0);
  });

  it('carry the code of an error across, and nothing of a bug but that it is one', async () => {
    @Controller()
    class Faulty {
      @Handles(double)
      onDouble({ n }: { n: number }): { doubled: number } {
        if (n === 1) throw new AppError('conflict', 'one is taken', { n });
        throw new TypeError('the secret text');
      }
    }
    await bench.startReplica('calc', [Faulty]);
    const known = await bench.messenger.ask(double, { n: 1 }).catch((error: unknown) => error);
    expect(known).toBeInstanceOf(AppError);
    expect(known).toMatchObject({ code: 'conflict', message: 'one is taken', details: { n: 1 } });
    const bug = await bench.messenger.ask(double, { n: 2 }).catch((error: unknown) => error);
    expect(bug).toMatchObject({ code: 'internal' });
    expect(JSON.stringify(bug)).not.toContain('secret');
    expect(bench.logged).toContainEqual(
      expect.objectContaining({
        level: 'error',
        fields: expect.objectContaining({ err: expect.any(TypeError) }),
      }),
    );
  });

  it('are refused as invalid by either end, without a value in the error', async () => {
    await bench.startReplica('calc', [calculator().Calculator]);
    const wrong = { n: 'a secret' } as unknown as { n: number };
    const here = await bench.messenger.ask(double, wrong).catch((error: unknown) => error);
    expect(here).toMatchObject({ code: 'invalid_request', details: { problems: ['n: invalid_type'] } });
    const loose = { ...double, request: z.object({ n: z.any() }) };
    const there = await bench.messenger.ask(loose, wrong).catch((error: unknown) => error);
    expect(there).toMatchObject({ code: 'invalid_request', details: { problems: ['n: invalid_type'] } });
    expect(JSON.stringify([here, there])).not.toContain('secret');
  });

  it('wait for a service that is still starting', async () => {
    const answer = bench.messenger.ask(double, { n: 4 });
    await bench.startReplica('calc', [calculator().Calculator]);
    expect(await answer).toEqual({ doubled: 8 });
  });

  it('that need not wait for a service that is gone do not, and are asked again once it is back', async () => {
    const ifThere = (n: number) => bench.messenger.ask(double, { n }, { ifThere: true });
    const replica = await bench.startReplica('calc', [calculator().Calculator]);
    expect(await ifThere(1)).toEqual({ doubled: 2 });
    await replica.close();
    await expect(ifThere(2)).rejects.toMatchObject({ code: 'unavailable', message: /calc is away/ });
    const askedAt = performance.now();
    await Promise.all(range(50).map((n) => expect(ifThere(n)).rejects.toThrow('calc is away')));
    expect(performance.now() - askedAt).toBeLessThan(double.timeoutMs);
    await bench.startReplica('calc', [calculator().Calculator]);
    await eventually(
      () =>
        ifThere(3).then(
          ({ doubled }) => doubled === 6,
          () => false,
        ),
      'it is asked again',
    );
  });

  it('wait for a service that is slow, also where they would not for one that is gone', async () => {
    const open = gate();
    await bench.startReplica('calc', [calculator(() => open.opened).Calculator]);
    const answer = bench.messenger.ask(double, { n: 5 }, { ifThere: true });
    setTimeout(() => open.open(), 400);
    expect(await answer).toEqual({ doubled: 10 });
  });

  it('are answered in time, whatever time this machine takes it to be', async () => {
    const answer = bench.messenger.ask(double, { n: 5 });
    const now = Date.now;
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + 24 * 3_600_000);
    try {
      await bench.startReplica('calc', [calculator().Calculator]);
      expect(await answer).toEqual({ doubled: 10 });
      expect(await bench.messenger.ask(double, { n: 6 })).toEqual({ doubled: 12 });
    } finally {
      clock.mockRestore();
    }
  });

  it('that nobody waits for any more are skipped', async () => {
    const handled: HandledEntry[] = [];
    const { Calculator, seen } = calculator();
    const late = await bench.messenger
      .ask(double, { n: 1 }, { timeoutMs: 1_000 })
      .catch((error: unknown) => error);
    expect(late).toMatchObject({ code: 'unavailable' });
    await bench.startReplica('calc', [Calculator], { observe: (one) => handled.push(one) });
    expect(await bench.messenger.ask(double, { n: 2 })).toEqual({ doubled: 4 });
    expect(seen).toEqual([2]);
    await eventually(() => handled.length === 2, 'both are observed');
    // They are handled side by side: whichever is done first is observed first.
    expect(handled.map(({ outcome }) => outcome).toSorted()).toEqual(['expired', 'ok']);
  });

  it('fail as unavailable when their time is over and Redis is down', async () => {
    await bench.startReplica('calc', [calculator().Calculator]);
    await bench.messenger.ask(double, { n: 1 });
    await bench.redis.kill();
    const startedAt = performance.now();
    const error = await bench.messenger
      .ask(double, { n: 2 }, { timeoutMs: 150 })
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'unavailable' });
    expect(performance.now() - startedAt).toBeLessThan(double.timeoutMs);
    await bench.redis.start();
  });

  it('go on after a Redis restart, and those under way are answered', async () => {
    const door = gate();
    const slow = calculator((n) => (n === 1 ? door.opened : undefined));
    await bench.startReplica('calc', [slow.Calculator]);
    const underWay = bench.messenger.ask(double, { n: 1 }, { timeoutMs: 10_000 });
    await eventually(() => slow.seen.length === 1, 'the request is in work');
    await bench.redis.kill();
    const whileDown = bench.messenger.ask(double, { n: 2 }, { timeoutMs: 10_000 });
    door.open();
    await bench.redis.start();
    expect(await underWay).toEqual({ doubled: 2 });
    expect(await whileDown).toEqual({ doubled: 4 });
    expect(await bench.messenger.ask(double, { n: 3 })).toEqual({ doubled: 6 });
  });

  it('go on when Redis comes back empty', async () => {
    await bench.startReplica('calc', [calculator().Calculator]);
    await bench.messenger.ask(double, { n: 1 });
    await bench.look().flushall();
    expect(await bench.messenger.ask(double, { n: 2 })).toEqual({ doubled: 4 });
  });

  it.each(['e', 'd'])('fail alone where the answer is no JSON (%s)', async (field) => {
    const asked = bench.messenger.ask(double, { n: 1 }).catch((error: unknown) => error);
    const redis = bench.look();
    const stream = `${bench.keyPrefix}request:calc`;
    await eventually(async () => (await redis.xlen(stream)) === 1, 'it is asked');
    const [[id, fields] = ['', []]] = await redis.xrange(stream, '-', '+');
    const { reply } = decodeMessage(fields);
    await redis.multi().xdel(stream, id).xadd(reply!.stream, '*', 'i', reply!.requestId, field, '{').exec();
    expect(await asked).toMatchObject({ code: 'internal' });
    await bench.startReplica('calc', [calculator().Calculator]);
    expect(await bench.messenger.ask(double, { n: 2 })).toEqual({ doubled: 4 });
  });

  it('slower than the claim time are not handled twice', async () => {
    const door = gate();
    const one = calculator(() => door.opened);
    const two = calculator(() => door.opened);
    // Longer than a loaded machine holds a process up: who is held up for longer than the claim time is taken for dead.
    await bench.startReplica('calc', [one.Calculator], { claimIdleMs: 1_000 });
    await bench.startReplica('calc', [two.Calculator], { claimIdleMs: 1_000 });
    const answer = bench.messenger.ask(double, { n: 1 });
    setTimeout(door.open, 2_500);
    expect(await answer).toEqual({ doubled: 2 });
    expect([...one.seen, ...two.seen]).toEqual([1]);
  });

  it('in work are finished before a replica leaves, and it leaves no trace', async () => {
    const door = gate();
    const { Calculator, seen } = calculator(() => door.opened);
    const replica = await bench.startReplica('calc', [Calculator]);
    const answer = bench.messenger.ask(double, { n: 5 });
    await eventually(() => seen.length === 1, 'the request is in work');
    const closed = replica.close();
    door.open();
    await closed;
    expect(await answer).toEqual({ doubled: 10 });
    expect(await bench.look().xinfo('CONSUMERS', `${bench.keyPrefix}request:calc`, 'calc')).toEqual([]);
  });
});

describe('events over streams', () => {
  it('sent while the service is down arrive when it comes', async () => {
    for (const n of range(5)) await bench.messenger.announce(counted, { n });
    const { Calculator, seen } = calculator();
    await bench.startReplica('calc', [Calculator]);
    await eventually(() => seen.length === 5, 'all five are heard');
    expect(seen.sort()).toEqual(range(5));
  });

  it('in work are not begun again where their group was lost meanwhile', async () => {
    const door = gate();
    const { Calculator, seen } = calculator(() => door.opened);
    await bench.startReplica('calc', [Calculator]);
    await bench.messenger.announce(counted, { n: 1 });
    await eventually(() => seen.length === 1, 'the first is in work');
    await bench.look().xgroup('DESTROY', `${bench.keyPrefix}event:calc.counted`, 'calc');
    await bench.messenger.announce(counted, { n: 2 });
    await eventually(() => seen.includes(2), 'there is a group again');
    expect(seen).toEqual([1, 2]);
    door.open();
  });

  it('reach each service once, whichever replica', async () => {
    const [calcOne, calcTwo, audit] = [calculator(), calculator(), calculator()];
    await bench.startReplica('calc', [calcOne.Calculator]);
    await bench.startReplica('calc', [calcTwo.Calculator]);
    await bench.startReplica('audit', [audit.Calculator]);
    for (const n of range(40)) await bench.messenger.announce(counted, { n });
    const byCalc = () => [...calcOne.seen, ...calcTwo.seen].sort((a, b) => a - b);
    await eventually(
      () => byCalc().length === 40 && audit.seen.length === 40,
      'both services have heard all',
    );
    expect(byCalc()).toEqual(range(40));
    expect(audit.seen.sort((a, b) => a - b)).toEqual(range(40));
  });

  it('are rejected, not swallowed, while Redis is down, and go on after it', async () => {
    const messenger = bench.openMessenger({ sendWithinMs: 150 });
    const { Calculator, seen } = calculator();
    await bench.startReplica('calc', [Calculator]);
    await bench.messenger.announce(counted, { n: 1 });
    await bench.redis.kill();
    await expect(messenger.announce(counted, { n: 2 })).rejects.toMatchObject({ code: 'unavailable' });
    await bench.redis.start();
    await bench.messenger.announce(counted, { n: 3 });
    await eventually(() => seen.includes(3), 'the later event is heard');
    expect(seen).not.toContain(2);
  });

  it('are tried again when they fail, and removed once every service has heard them', async () => {
    let failures = 2;
    const { Calculator, seen } = calculator(() => {
      if ((failures -= 1) >= 0) throw new AppError('unavailable', 'not now');
    });
    const audit = calculator();
    await bench.startReplica('calc', [Calculator], { claimIdleMs: 60, trimAfterMs: 40 });
    await bench.startReplica('audit', [audit.Calculator], { trimAfterMs: 40 });
    const redis = bench.look();
    const stream = `${bench.keyPrefix}event:calc.counted`;
    // Once one service has heard it, it is kept for those alone that are known to Redis.
    const groups = () => redis.xinfo('GROUPS', stream).catch(() => []);
    await eventually(async () => ((await groups()) as unknown[]).length === 2, 'both are known');
    await bench.messenger.announce(counted, { n: 1 });
    // Where the machine stands still for longer than the claim time, there is a fourth.
    await eventually(() => seen.length >= 3, 'the third try');
    expect(audit.seen).toEqual([1]);
    await eventually(async () => (await redis.xlen(stream)) === 0, 'it is trimmed');
  });

  it('stay for a service that is down while others have heard them', async () => {
    const audit = calculator();
    const replica = await bench.startReplica('audit', [audit.Calculator]);
    await bench.messenger.announce(counted, { n: 1 });
    await eventually(() => audit.seen.length === 1, 'audit has heard the first');
    await replica.close();
    const { Calculator, seen } = calculator();
    await bench.startReplica('calc', [Calculator], { trimAfterMs: 20 });
    await bench.messenger.announce(counted, { n: 2 });
    await eventually(() => seen.includes(2), 'calc has heard the second');
    const redis = bench.look();
    const stream = `${bench.keyPrefix}event:calc.counted`;
    await eventually(async () => (await redis.xlen(stream)) === 1, 'the first is trimmed, the second is not');
    await bench.startReplica('audit', [audit.Calculator]);
    await eventually(() => audit.seen.includes(2), 'audit hears what it missed');
  });

  it('strike off a consumer that died with nothing pending', async () => {
    const redis = bench.look();
    const stream = `${bench.keyPrefix}event:calc.counted`;
    await redis.xgroup('CREATE', stream, 'calc', '0', 'MKSTREAM');
    await redis.xgroup('CREATECONSUMER', stream, 'calc', 'long-gone');
    await bench.startReplica('calc', [calculator().Calculator], {
      claimIdleMs: 40,
      forgetConsumerAfterMs: 60,
    });
    const consumers = async () => JSON.stringify(await redis.xinfo('CONSUMERS', stream, 'calc'));
    await eventually(async () => !(await consumers()).includes('long-gone'), 'it is struck off');
  });
});
