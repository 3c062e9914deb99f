import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, jest } from '@jest/globals';
import { migrate } from './migrate.js';

it('says again and again that it goes on, and nothing once it has ended', async () => {
  const root = await mkdtemp(join(tmpdir(), 'kith-migrate-'));
  const program = join(root, 'libs/database/dist/migrate-cli.js');
  await mkdir(dirname(program), { recursive: true });
  await writeFile(program, 'setTimeout(() => {}, 300);');
  const told: string[] = [];
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'setTimeout'] });
  try {
    const done = migrate({
      root,
      postgres: { ownerUrl: (name) => `postgres://owner@127.0.0.1:1/${name}` },
      appPassword: 'secret',
      say: (line) => told.push(line),
    });
    jest.advanceTimersByTime(65_000);
    expect(told).toEqual(Array(2).fill('the database is being brought up to date…'));
    expect(await done).toBe('postgres://kith_app:secret@127.0.0.1:1/kith');
    jest.advanceTimersByTime(65_000);
    expect(told).toHaveLength(2);
  } finally {
    jest.useRealTimers();
    await rm(root, { recursive: true, force: true });
  }
});
