import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { memoryContract } from '@kith/contracts';
import { freePort, startRedis, type RunningRedis } from '@kith/embedded';
import { Messenger } from '@kith/messaging';
import { silentLogger } from '@kith/testing';
import { UnrecoverableError, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endOf, runCli } from '../e2e/scripted-api.js';

let directory: string;
let redis: RunningRedis;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kith-cli-'));
  redis = await startRedis({ directory, port: await freePort(), password: 'secret' });
});
afterAll(async () => {
  await redis.stop('SIGKILL');
  await rm(directory, { recursive: true, force: true });
});

/** Work that memory gave up on. */
async function buryALetter(url: string, kind: 'event' | 'request'): Promise<void> {
  const client = new Redis(url);
  const fields = {
    kind,
    stream: `kith:${kind}:gateway.turn-ended`,
    pattern: 'gateway.turn-ended',
    service: 'memory',
  };
  const rest = { d: '{}', c: randomUUID(), n: '5', error: 'no luck' };
  await client.xadd('kith:dead', '*', ...Object.entries({ ...fields, ...rest }).flat());
  await client.quit();
}

/** Jobs whose worker gave them up. */
async function failJobs(redisUrl: string, count: number, keyPrefix = 'kith:'): Promise<void> {
  const messenger = new Messenger({ redisUrl, keyPrefix, service: 'test', logger: silentLogger });
  for (let n = 0; n < count; n += 1)
    await messenger.enqueue(memoryContract.remember, { turnIds: [randomUUID()] });
  const worker = new Worker(
    memoryContract.remember.pattern,
    () => Promise.reject(new UnrecoverableError('no luck')),
    { connection: { url: redisUrl }, prefix: `${keyPrefix}bull` },
  );
  for (let failed = 0; failed < count; failed += 1) await once(worker, 'failed');
  await worker.close();
  await messenger.close();
}

const dead = (args: string[], prefix?: string) =>
  endOf(
    runCli(['dead', ...args], {
      url: 'http://x',
      settings: { REDIS_URL: redis.url, ...(prefix !== undefined && { REDIS_KEY_PREFIX: prefix }) },
    }),
  );

describe('kith dead', () => {
  it('lists what was given up, and nothing else', async () => {
    expect(await dead(['list'])).toMatchObject({ code: 0, notes: 'nothing was given up\n' });
    expect(await dead(['replay', '1-1'])).toMatchObject({
      code: 1,
      notes: expect.stringContaining('nothing that was given up has the id 1-1'),
    });
  });

  it('shows a dead event and a failed job, and gives both back', async () => {
    await buryALetter(redis.url, 'event');
    await failJobs(redis.url, 1);
    const { code, out } = await dead(['list', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject([
      { what: 'event gateway.turn-ended', service: 'memory', error: 'no luck' },
      { what: 'job memory.remember', service: 'memory', error: 'no luck' },
    ]);
    expect(await dead(['replay', '--all'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('replayed 2'),
    });
    expect(JSON.parse((await dead(['list', '--json'])).out)).toEqual([]);
  });

  it('gives back any of many jobs, and all', async () => {
    const kith = async (...args: string[]) => {
      const { code, out } = await dead(args, 'many:');
      return [code, out] as const;
    };
    const listed = async () => JSON.parse((await kith('list', '--json'))[1]) as { id: string }[];
    // More than a page, so that the oldest and the newest are on different ones.
    await failJobs(redis.url, 250, 'many:');
    const ids = (await listed()).map(({ id }) => id);
    expect(new Set(ids).size).toBe(250);
    const ends = [ids.at(0)!, ids.at(-1)!];
    expect(await kith('replay', ...ends)).toEqual([0, expect.stringContaining('replayed 2')]);
    expect(await kith('replay', '--all')).toEqual([0, expect.stringContaining('replayed 248')]);
    expect(await listed()).toEqual([]);
  }, 30_000);

  it('says of an error other than a Redis out of reach what it is', async () => {
    const client = new Redis(redis.url);
    await client.set('odd:dead', 'no stream');
    await client.quit();
    const { code, notes } = await dead(['list'], 'odd:');
    expect(code).toBe(1);
    expect(notes).toContain("Redis was reached, but what was given up can't be read: WRONGTYPE");
  });

  it('shows a request that ended its service, and does not give it back', async () => {
    await buryALetter(redis.url, 'request');
    const [one] = JSON.parse((await dead(['list', '--json'])).out) as { id: string; what: string }[];
    expect(one!.what).toBe('request gateway.turn-ended');
    expect(await dead(['replay', one!.id])).toMatchObject({
      code: 1,
      notes: expect.stringContaining('nobody waits for its answer any more'),
    });
    expect(await dead(['replay', '--all'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('replayed 0'),
    });
  });
});
