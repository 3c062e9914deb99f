import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isRunning } from '../processes/end-child.js';
import { untilPortIsFree } from '../processes/free-port.js';
import { IN_ENGLISH, ensureCluster, postgresPrograms, serverUser } from './postgres-cluster.js';
import { IS_READY, LOG_LINE_PREFIX, fatalLineOf } from './postgres-log.js';
import { isSocketPath, StoreProcess } from './store-process.js';

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

const OWNER = 'postgres';
/** Asks a server to end every connection and stop. */
const FAST_STOP = 'SIGINT';
/** Silence after which a start is given up. While it repairs what a crash left, it says every ten seconds how far it is. */
const START_SILENCE_MS = 120_000;
/** Line of PostgreSQL's log that tells how far its repair is. Lines about refused connections tell no progress. */
const REPAIRING = /LOG: {2}(\w.{0,200}elapsed time: [\d.]{1,20} s)/;
/** The kernel takes a moment to end a process. */
const POLL_MS = 20;
const ENDING_SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

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
  const [{ postgres }, user] = await Promise.all([postgresPrograms(), serverUser()]);
  await ensureCluster(directory, user, { name: OWNER, password });
  const speed = options.durable
    ? []
    : ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off'];
  const hasSocket = isSocketPath(join(directory, `.s.PGSQL.${port}`));
  const flags = [
    '-D',
    directory,
    '-p',
    String(port),
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    `unix_socket_directories=${hasSocket ? listed(directory) : ''}`,
    '-c',
    'unix_socket_permissions=0700',
    '-c',
    'max_connections=200',
    '-c',
    `log_line_prefix=${LOG_LINE_PREFIX}`,
    ...speed,
  ];
  let lastLine = '';
  /** Line of its log that says why it ends. */
  let fatalLine = '';
  /** Process and deadline of a start that is under way. */
  let starting: { child: ChildProcess; deadline: NodeJS.Timeout } | undefined;
  const endStart = () => void starting?.child.kill(FAST_STOP);
  const hear = (line: string) => {
    lastLine = line.trim() || lastLine;
    fatalLine = fatalLineOf(line, fatalLine);
    if (line.includes('LOG:')) starting?.deadline.refresh();
    const progress = REPAIRING.exec(line)?.[1];
    if (progress === undefined) return;
    options.onRepair?.(progress);
    starting?.deadline.refresh();
  };
  const launch = async () => {
    fatalLine = '';
    const child = spawn(postgres, flags, {
      env: { ...process.env, ...IN_ENGLISH },
      stdio: ['ignore', 'ignore', 'pipe'],
      ...user,
    });
    endsWithUs(child);
    starting = { child, deadline: setTimeout(endStart, START_SILENCE_MS) };
    try {
      await new Promise<void>((resolve, reject) => {
        child.on('error', reject);
        child.once('close', () => reject(new Error(fatalLine || lastLine || 'it ended and said nothing')));
        // A process that could not be started has no output: `error` reports it.
        if ((child.stderr as Readable | undefined) === undefined) return;
        createInterface({ input: child.stderr }).on('line', (line) => {
          hear(line);
          if (IS_READY.test(line)) resolve();
        });
      });
      return child;
    } catch (error) {
      throw new Error(`PostgreSQL could not be started: ${(error as Error).message}`, { cause: error });
    } finally {
      clearTimeout(starting.deadline);
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
      return store.stop(async (child) => {
        const gone = once(child, 'exit');
        child.kill(FAST_STOP);
        await gone;
      });
    },
    start: () => store.start(),
    crash: () => store.stop(() => killAll(directory)),
  };
}

/** Entry of one of PostgreSQL's lists, which are split at commas. */
function listed(path: string): string {
  return `"${path.replaceAll('"', '""')}"`;
}

const running = new Set<ChildProcess>();

/** Stops a server when a signal ends this process: it would go on alone. */
function endsWithUs(child: ChildProcess): void {
  if (!isRunning(child)) return;
  if (running.size === 0) for (const signal of ENDING_SIGNALS) process.on(signal, stopAll);
  running.add(child);
  child.once('exit', () => {
    running.delete(child);
    if (running.size === 0) for (const signal of ENDING_SIGNALS) process.off(signal, stopAll);
  });
}

function stopAll(signal: NodeJS.Signals): void {
  // Another listener stops everything in order.
  if (process.listenerCount(signal) > 1) return;
  for (const child of running) child.kill(FAST_STOP);
  process.off(signal, stopAll);
  process.kill(process.pid, signal);
}

async function killAll(directory: string): Promise<void> {
  const [main = ''] = (await readFile(join(directory, 'postmaster.pid'), 'utf8')).split('\n');
  const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=', '--ppid', main]);
  const pids = [main, ...stdout.split('\n')].map(Number).filter((pid) => pid > 0);
  for (const pid of pids) sendSignal(pid, 'SIGKILL');
  while (pids.some((pid) => sendSignal(pid, 0))) await sleep(POLL_MS);
}

/** Sends a signal; false when the process does not exist. Signal 0 only asks. */
function sendSignal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
