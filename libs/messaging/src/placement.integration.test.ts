import { describe, expect, it } from '@jest/globals';
import { AppError, defineEvent, defineJob, defineRequest } from '@kith/contracts';
import { Controller } from '@nestjs/common';
import { z } from 'zod';
import { currentCorrelationId, withCorrelationId } from './correlation.js';
import { Handles } from './handlers/handles.js';
import type { JobRun } from './jobs/job-runner.js';
import { Neighbours } from './local/neighbours.js';
import { eventually, gate } from './testing-redis.js';
import { Bench } from './testing-service.js';

const Numbered = z.object({ n: z.number() });
const double = defineRequest('calc.double', {
  request: Numbered.extend({ times: z.number().default(2) }),
  response: z.object({ doubled: z.number() }),
  timeoutMs: 3_000,
});
const counted = defineEvent('calc.counted', Numbered, { mayBeLost: true });
const count = defineJob('calc.count', {
  payload: Numbered,
  idOf: ({ n }) => `number-${n}`,
  backoffMs: 50,
  concurrency: 2,
});

const bench = Bench.forThisFile();

/** A service that notes what reaches it. `during` may fail. */
function calculator(during: (n: number, run?: JobRun) => void | Promise<void> = () => undefined) {
  const seen: { n: number; correlationId: string | undefined }[] = [];
  const note = (n: number) => seen.push({ n, correlationId: currentCorrelationId() });
  @Controller()
  class Calculator {
    @Handles(double)
    async onDouble({ n, times }: { n: number; times: number }) {
      note(n);
      await during(n);
      return { doubled: n * times, secret: 'not in the contract' };
    }

    @Handles(counted)
    async onCounted({ n }: { n: number }) {
      note(n);
      await during(n);
    }

    @Handles(count)
    async onCount({ n }: { n: number }, run: JobRun) {
      await during(n, run);
      note(n);
    }
  }
  return { Calculator, seen };
}

/** Starts the calculator and somebody who asks it: in two processes' way, or in one's. */
async function place(placement: 'apart' | 'together', { Calculator }: ReturnType<typeof calculator>) {
  const beside = placement === 'together' ? { neighbours: new Neighbours() } : {};
  const calc = await bench.startReplica('calc', [Calculator], beside);
  const asker = await bench.startReplica('asker', [], beside);
  return { calc, messenger: asker.messenger, broadcasts: [calc.broadcasts, asker.broadcasts] as const };
}

describe.each(['apart', 'together'] as const)('services placed %s', (placement) => {
  it('answer by their contract, under the asker’s correlation id', async () => {
    const service = calculator();
    const { messenger } = await place(placement, service);
    const answer = await withCorrelationId('from-the-door', () => messenger.ask(double, { n: 4 }));
    expect(answer).toEqual({ doubled: 8 });
    expect(service.seen).toEqual([{ n: 4, correlationId: 'from-the-door' }]);
  });

  it('throw the same errors: their own by code, any other without its words', async () => {
    const service = calculator((n) => {
      throw n === 1 ? new AppError('conflict', 'taken', { field: 'n' }) : new Error('a secret');
    });
    const { messenger } = await place(placement, service);
    const errorOf = (n: number) => messenger.ask(double, { n }).catch((error: unknown) => error);
    expect(await errorOf(1)).toMatchObject({ code: 'conflict', message: 'taken', details: { field: 'n' } });
    expect(await errorOf(2)).toMatchObject({
      code: 'internal',
      message: 'the service met an unexpected error',
    });
    expect(await messenger.ask(double, { n: 'x' as never }).catch((error: unknown) => error)).toMatchObject({
      code: 'invalid_request',
    });
  });

  it('are waited for no longer than asked', async () => {
    const opened = gate();
    const { messenger } = await place(
      placement,
      calculator(() => opened.opened),
    );
    const began = performance.now();
    await expect(messenger.ask(double, { n: 1 }, { timeoutMs: 200 })).rejects.toMatchObject({
      code: 'unavailable',
    });
    expect(performance.now() - began).toBeLessThan(double.timeoutMs);
    opened.open();
  });

  it('hear of events, and again of one that failed', async () => {
    let failures = 1;
    const service = calculator(() => {
      if (failures-- > 0) throw new Error('not now');
    });
    const { messenger } = await place(placement, service);
    await messenger.announce(counted, { n: 7 });
    await eventually(() => service.seen.length === 2, 'the event comes again');
  });

  it('do a job that is handed over, again where it failed, and those under way together only once', async () => {
    const attempts: number[] = [];
    const service = calculator((_, run) => {
      attempts.push(run!.attempt);
      if (attempts.length === 1) throw new Error('not now');
    });
    const { messenger } = await place(placement, service);
    await messenger.handOver(count, { n: 3 });
    await eventually(() => service.seen.length === 1, 'the job is done');
    expect(attempts).toHaveLength(2);
  });

  it('give up a job that fails each time, for an operator to retry', async () => {
    const { messenger } = await place(
      placement,
      calculator(() => {
        throw new AppError('invalid_request', 'never');
      }),
    );
    await messenger.handOver(count, { n: 5 });
    await eventually(async () => (await messenger.jobs.listFailed(count)).length > 0, 'the job is given up');
    expect(await messenger.jobs.listFailed(count)).toMatchObject([{ id: 'number-5', payload: { n: 5 } }]);
  });

  it('finish what they have in hand before they close', async () => {
    const opened = gate();
    const inHand = new Set<number>();
    const service = calculator((n) => {
      inHand.add(n);
      return opened.opened;
    });
    const { calc, messenger } = await place(placement, service);
    const answer = messenger.ask(double, { n: 2 });
    await messenger.handOver(count, { n: 9 });
    await eventually(() => inHand.size === 2, 'both are in hand');
    const closed = calc.close();
    opened.open();
    expect(await answer).toEqual({ doubled: 4 });
    await closed;
    expect(service.seen.map(({ n }) => n).toSorted()).toEqual([2, 9]);
  });

  it('hear each other’s broadcasts until they stop listening', async () => {
    const { broadcasts } = await place(placement, calculator());
    const heard: unknown[] = [];
    const stop = await broadcasts[0].subscribe('mood', (payload) => {
      heard.push(payload);
      if (heard.length === 1) throw new Error('one listener’s trouble is its own');
    });
    for (const n of [1, 2]) await broadcasts[1].publish('mood', { n });
    await eventually(() => heard.length === 2, 'both are heard');
    expect(heard).toEqual([{ n: 1 }, { n: 2 }]);
    await stop();
    await broadcasts[1].publish('mood', { n: 3 });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(heard).toHaveLength(2);
  });
});

describe('services placed together', () => {
  it('are asked while Redis is away', async () => {
    const { messenger } = await place('together', calculator());
    await bench.redis.kill();
    try {
      expect(await messenger.ask(double, { n: 4 })).toEqual({ doubled: 8 });
      expect([messenger.canAsk, messenger.canOrder]).toEqual([true, false]);
    } finally {
      await bench.redis.start();
    }
  });

  it('go by Redis for what no neighbour does', async () => {
    const service = calculator();
    await bench.startReplica('calc', [service.Calculator]);
    const asker = await bench.startReplica('asker', [], { neighbours: new Neighbours() });
    expect(await asker.messenger.ask(double, { n: 4 })).toEqual({ doubled: 8 });
    await asker.messenger.handOver(count, { n: 6 });
    await eventually(() => service.seen.length === 2, 'the job is done');
  });
});
