import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { RunningPostgres } from './start-postgres.js';
import { DATABASE } from './start-stores.js';

const APP_ROLE = 'kith_app';
/** Pause between two lines while the database is changed: far below the silence after which a start is given up. */
const SAY_EVERY_MS = 30_000;

/** Brings the database up to date. Returns the services' address of it. @throws Error with the line that the command says */
export async function migrate(options: {
  root: string;
  postgres: Pick<RunningPostgres, 'ownerUrl'>;
  appPassword: string;
  /** Called again and again while it goes on: a large database takes as long as it takes. */
  say?: (line: string) => void;
  signal?: AbortSignal | undefined;
}): Promise<string> {
  const { root, postgres, appPassword, say, signal } = options;
  const ownerUrl = postgres.ownerUrl(DATABASE);
  const app = new URL(ownerUrl);
  app.username = APP_ROLE;
  app.password = appPassword;
  const env = { ...process.env, DATABASE_OWNER_URL: ownerUrl, DATABASE_URL: app.href };
  const command = [join(root, 'libs/database/dist/migrate-cli.js'), 'deploy'];
  const saying = setInterval(() => say?.('the database is being brought up to date…'), SAY_EVERY_MS);
  try {
    await promisify(execFile)(process.execPath, command, { env, ...(signal ? { signal } : {}) });
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    throw new Error(stderr?.trim() || message, { cause: error });
  } finally {
    clearInterval(saying);
  }
  return app.href;
}
