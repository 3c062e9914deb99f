import type { ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { freePort, isPortTaken } from '../processes/free-port.js';
import { startRedis } from './start-redis.js';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kith-redis-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** A program in the place of `redis-server`. */
async function script(name: string, text: string): Promise<string> {
  const file = join(directory, name);
  await writeFile(file, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return file;
}

describe('a Redis that does not start', () => {
  it('is ended when it does not answer in time, and says so in one line', async () => {
    let child: ChildProcess | undefined;
    const starting = startRedis({
      directory: join(directory, 'silent'),
      port: await freePort(),
      password: 'secret',
      startTimeoutMs: 300,
      program: await script('silent-server', 'exec sleep 600'),
      onSpawn: (started) => (child = started),
    });
    await expect(starting).rejects.toThrow(/^redis-server did not answer within 0.3 s$/);
    expect(child?.signalCode).toBe('SIGKILL');
  });

  it('says what its own last line was', async () => {
    const starting = startRedis({
      directory: join(directory, 'bad'),
      port: await freePort(),
      password: 'secret',
      program: await script(
        'bad-server',
        'echo "1:M # Bad file format reading the append only file"; exit 1',
      ),
    });
    await expect(starting).rejects.toThrow('redis-server could not be started: 1:M # Bad file format');
  });
});

describe('a Redis that runs', () => {
  it('keeps what it writes to its own user, also what an earlier version left open', async () => {
    const data = join(directory, 'data');
    await mkdir(join(data, 'appendonlydir'), { recursive: true, mode: 0o755 });
    const port = await freePort();
    const redis = await startRedis({ directory: data, port, password: 'it"s\\ a secret' });
    const connection = new Redis(redis.url);
    await connection.set('word', 'private');
    connection.disconnect();
    const names = await readdir(data, { recursive: true });
    expect(names.length).toBeGreaterThan(2);
    for (const name of ['.', ...names]) {
      const { mode } = await stat(join(data, name));
      expect([name, (mode & 0o077).toString(8)]).toEqual([name, '0']);
    }
    await redis.stop();
    expect(await isPortTaken(port)).toBe(false);
  });

  it('starts from a file that a full disk left damaged, with what stood before the damage', async () => {
    const data = join(directory, 'damaged');
    const options = { directory: data, port: await freePort(), password: 'secret' };
    const first = await startRedis(options);
    const before = new Redis(first.url);
    await before.set('early', 'kept');
    await before.set('late', 'lost');
    before.disconnect();
    await first.stop();
    const files = await readdir(join(data, 'appendonlydir'));
    const log = join(
      data,
      'appendonlydir',
      files.find((name) => name.endsWith('.incr.aof'))!,
    );
    const text = await readFile(log, 'latin1');
    const half = text.indexOf('late') - 8;
    await writeFile(log, `${text.slice(0, half)}${'x'.repeat(40)}${text.slice(half)}`, 'latin1');

    let mended = 0;
    const again = await startRedis({ ...options, onMended: () => (mended += 1) });
    const after = new Redis(again.url);
    expect([await after.get('early'), await after.get('late'), mended]).toEqual(['kept', null, 1]);
    await after.set('more', 'written');
    after.disconnect();
    await again.stop();
  });

  it('shows its password in no command line', async () => {
    let child: ChildProcess | undefined;
    const redis = await startRedis({
      directory: join(directory, 'quiet'),
      port: await freePort(),
      password: 'not-for-everybody',
      onSpawn: (started) => (child = started),
    });
    expect(child?.spawnargs.join(' ')).not.toContain('not-for-everybody');
    await redis.stop();
  });
});
