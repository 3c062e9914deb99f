import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { Redis } from 'ioredis';
import { DATABASE } from './start-stores.js';
import type { RunningPostgres } from './start-postgres.js';
import type { RunningRedis } from './start-redis.js';

/** Reads a backup into stores that no service uses, and empties Redis, which knows of other rows. */
export async function restoreBackup(
  root: string,
  { postgres, redis }: { postgres: RunningPostgres; redis: RunningRedis },
  backup: string,
): Promise<void> {
  await readBackup(root, backup, postgres.ownerUrl(DATABASE));
  const connection = new Redis(redis.url);
  await connection.flushdb();
  connection.disconnect();
}

/** Has a backup read. @throws Error with what is wrong with it */
async function readBackup(root: string, backup: string, ownerUrl: string): Promise<void> {
  const child = spawn(process.execPath, [join(root, 'libs/database/dist/backup-cli.js'), 'read'], {
    env: { ...process.env, DATABASE_OWNER_URL: ownerUrl },
    stdio: ['pipe', 'inherit', 'pipe'],
  });
  const said = text(child.stderr);
  // What it leaves unread when it refuses is no error of its own.
  const [[code, signal]] = await Promise.all([
    once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>,
    pipeline(createReadStream(backup), child.stdin).catch(() => undefined),
  ]);
  if (code !== 0) throw new Error(howItEnded(await said, code, signal));
}

/** Reason that a backup was not read: what its reading said, or how that ended where it could say nothing. Pure. */
export function howItEnded(said: string, code: number | null, signal: NodeJS.Signals | null): string {
  return (
    said.trim() || `the reading of the backup ended with ${signal ?? `code ${String(code)}`} and said nothing`
  );
}
