import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { freePort, startRedis, type RunningRedis } from '@kith/embedded';
import { RedisKeptModel } from './redis-kept-model.js';

let directory: string;
let server: RunningRedis;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kith-kept-'));
  server = await startRedis({ directory, port: await freePort(), password: 'secret' });
});
afterAll(async () => {
  await server.stop('SIGKILL');
  await rm(directory, { recursive: true, force: true });
});

it('keeps the first model that was chosen, for every process', async () => {
  const [one, other] = [1, 2].map(() => new RedisKeptModel({ url: server.url, keyPrefix: 'kith:' }));
  expect(await one!.read('gemini')).toBeNull();
  expect(await one!.keep('gemini', 'gemini-embedding-001')).toBe('gemini-embedding-001');
  expect(await other!.keep('gemini', 'gemini-embedding-2')).toBe('gemini-embedding-001');
  expect(await other!.read('gemini')).toBe('gemini-embedding-001');
  one!.close();
  other!.close();
});
