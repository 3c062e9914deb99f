import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AppError, defineEvent, defineJob, defineRequest } from '@kith/contracts';
import { Controller } from '@nestjs/common';
import { z } from 'zod';
import { currentCorrelationId, withCorrelationId } from './correlation.js';
import { Answers, Hears, Works } from './handlers/decorators.js';
import { Messenger } from './messenger.js';
import { eventually, TestRedis } from './testing-redis.js';
import { type Replica, silent, startReplica } from './testing-service.js';

const sum = defineRequest('calc.sum', {
  request: z.object({ a: z.number(), b: z.number().default(1) }),
  response: z.object({ sum: z.number() }),
  timeoutMs: 2_000,
});
const summed = defineEvent('calc.summed', z.object({ sum: z.number() }));
const note = defineJob('calc.note', {
  payload: z.object({ n: z.number() }),
  idOf: ({ n }) => `n-${n}`,
  backoffMs: 10,
});

let redis: TestRedis;
let messenger: Messenger;
let open: Replica[] = [];
let seen: string[] = [];

beforeAll(async () => {
  redis = await TestRedis.start();
});
afterAll(() => redis.stop());
beforeEach(() => {
  seen = [];
  messenger = new Messenger({ redisUrl: redis.url, service: 'test', keyPrefix: 'test:', logger: silent });
});
afterEach(async () => {
  await Promise.all(open.map((replica) => replica.close()));
  open = [];
  await messenger.close();
  const client = redis.client();
  await client.flushall();
  client.disconnect();
});

@Controller()
class Calc {
  @Answers(sum)
  add({ a, b }: { a: number; b: number }) {
    if (a < 0) throw new AppError('conflict', 'negative', { a });
    if (a > 1_000) throw new Error('secret');
    seen.push(`asked ${currentCorrelationId()}`);
    return { sum: a + b };
  }
  @Hears(summed)
  async onSummed({ sum: value }: { sum: number }) {
    seen.push(`heard ${value} ${currentCorrelationId()}`);
  }
  @Works(note)
  async note({ n }: { n: number }) {
    seen.push(`worked ${n} ${currentCorrelationId()}`);
  }
}

describe('messaging', () => {
  it('asks, announces and enqueues, under one correlation id', async () => {
    open.push(await startReplica(redis.url, 'calc', [Calc]));
    await withCorrelationId('c1', async () => {
      expect(await messenger.ask(sum, { a: 2 })).toEqual({ sum: 3 });
      await messenger.announce(summed, { sum: 3 });
      await messenger.enqueue(note, { n: 3 });
    });
    await eventually(() => seen.length === 3, 'all three');
    expect(seen.sort()).toEqual(['asked c1', 'heard 3 c1', 'worked 3 c1']);
  });

  it('is quick', async () => {
    open.push(await startReplica(redis.url, 'calc', [Calc]));
    for (let n = 0; n < 200; n += 1) await messenger.ask(sum, { a: n });
    const took: number[] = [];
    for (let n = 0; n < 500; n += 1) {
      const at = performance.now();
      await messenger.ask(sum, { a: n });
      took.push(performance.now() - at);
    }
    took.sort((a, b) => a - b);
    console.log(took[250], took[475]);
  });
});
