import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { Redis } from 'ioredis';
import { DATABASE } from './start-stores.js';
import type { RunningPostgres } from './postgres.js';
import type { RunningRedis } from './redis.js';

/** Reads a backup into stores that no service uses, and empties Redis, which knows of other rows. */
export async function restoreBackup(
  root: string,
  { postgres, redis }: { postgres: RunningPostgres; redis: RunningRedis },
  backup: string,
): Promise<void> {
  await runBackup(root, 'read', backup, { DATABASE_OWNER_URL: postgres.ownerUrl(DATABASE) });
  const connection = new Redis(redis.url);
  await connection.flushdb();
  connection.disconnect();
}

/** Has a backup checked or read. @throws Error with what is wrong with it */
export async function runBackup(
  root: string,
  verb: 'check' | 'read',
  backup: string,
  environment: Record<string, string> = {},
): Promise<void> {
  const child = spawn(process.execPath, [join(root, 'libs/database/dist/backup-cli.js'), verb], {
    env: { ...process.env, ...environment },
    stdio: ['pipe', 'inherit', 'pipe'],
  });
  const said = text(child.stderr);
  // What it leaves unread when it refuses is no error of its own.
  const [[code]] = await Promise.all([
    once(child, 'exit') as Promise<[number]>,
    pipeline(createReadStream(backup), child.stdin).catch(() => undefined),
  ]);
  if (code !== 0) throw new Error((await said).trim());
}
