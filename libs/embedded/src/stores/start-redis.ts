import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { endChild } from '../processes/end-child.js';
import { untilPortIsFree } from '../processes/free-port.js';
import { makePrivate, withPrivateFiles } from '../files/private-files.js';
import { isSocketPath, StoreProcess } from './store-process.js';

export interface RunningRedis {
  url: string;
  /** URL over its socket, which takes a third less of the processor's time; `url` where its path is too long. */
  socketUrl: string;
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Starts it again after `stop`, on the same data and port. */
  start(): Promise<void>;
}

/** Reading a large append-only file back takes seconds, on a busy machine many. */
const START_TIMEOUT_MS = 60_000;
/** Wait for its end: it writes its whole file when it is asked to stop. */
const STOP_TIMEOUT_MS = 20_000;
/** Words with which Redis refuses a file that a full disk left with half an entry in its middle. */
const DAMAGED = 'Bad file format reading the append only file';
/** A port that is lent out is free again within seconds. */
const RESTARTS = 5;
const RESTART_AFTER_MS = 1_000;

/**
 * Starts the system's `redis-server` on 127.0.0.1 with a password, append-only file and noeviction (a queue
 * must never lose an entry to eviction). Its directory and files are the owner's alone. When it ends unasked it is started
 * again.
 * @param options.onSpawn called with each process that is started
 * @throws Error that says why in one line; no process is left then
 */
export async function startRedis(options: {
  directory: string;
  port: number;
  password: string;
  /** Lines of Redis' settings that make further users. */
  users?: readonly string[];
  onSpawn?: (child: ChildProcess) => void;
  /** Called when a damaged file was cut off at the damage. */
  onMended?: () => void;
  /** Called with the reason whenever it is to be started again. */
  onDeath?: (why: string) => void;
  startTimeoutMs?: number;
  program?: string;
}): Promise<RunningRedis> {
  const { directory, port, password, users = [], onSpawn, onMended, onDeath } = options;
  const { startTimeoutMs = START_TIMEOUT_MS, program = 'redis-server' } = options;
  await untilPortIsFree(port, 'Redis', 'KITH_REDIS_PORT');
  await makePrivate(directory);
  const socket = join(directory, 'redis.sock');
  const hasSocket = isSocketPath(socket);
  const settings = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${quote(directory)}`,
    `requirepass ${quote(password)}`,
    ...(hasSocket ? [`unixsocket ${quote(socket)}`, 'unixsocketperm 700'] : []),
    'save ""',
    'appendonly yes',
    'appendfsync everysec',
    'maxmemory-policy noeviction',
    ...users,
  ];
  const url = `redis://:${encodeURIComponent(password)}@127.0.0.1:${port}`;
  const launch = async (): Promise<ChildProcess> => {
    // By its input: what stands in a command line every user of the machine can read.
    const started = withPrivateFiles(() => spawn(program, ['-'], { stdio: ['pipe', 'pipe', 'ignore'] }));
    started.on('error', () => undefined); // reported by `failsToStart`, unless something fails before it listens
    onSpawn?.(started);
    started.stdin.on('error', () => undefined); // it ended before it read them, which `failsToStart` reports
    started.stdin.end(`${settings.join('\n')}\n`);
    const ready = new AbortController();
    try {
      await Promise.race([untilAnswers(url, startTimeoutMs, ready.signal), failsToStart(started)]);
      return started;
    } catch (error) {
      await endChild(started, 'SIGKILL', STOP_TIMEOUT_MS);
      throw error;
    } finally {
      ready.abort();
    }
  };
  const begin = async (): Promise<ChildProcess> => {
    try {
      return await launch();
    } catch (error) {
      const isDamaged = error instanceof Error && error.message.includes(DAMAGED);
      if (!isDamaged || !(await cutAtDamage(join(directory, 'appendonlydir')))) throw error;
      onMended?.();
      return launch();
    }
  };
  const store = new StoreProcess(begin, onDeath);
  await store.start();
  return {
    url,
    socketUrl: hasSocket ? `${url}?path=${encodeURIComponent(socket)}` : url,
    stop: (signal = 'SIGTERM') => store.stop((child) => endChild(child, signal, STOP_TIMEOUT_MS)),
    start: async () => {
      // While it was away, its port may have been lent to a connection that is on its way out.
      for (let again = RESTARTS; ; again -= 1) {
        try {
          await store.start();
          return;
        } catch (error) {
          if (again === 0) throw error;
          await sleep(RESTART_AFTER_MS);
        }
      }
    },
  };
}

/**
 * Cuts the append-only file off where it can't be read. What came after is lost to Redis, as if it had been flushed
 * since: the services bring their queues back from Postgres.
 * @returns false where it can't be mended
 */
async function cutAtDamage(directory: string): Promise<boolean> {
  const manifest = (await readdir(directory).catch(() => [])).find((name) => name.endsWith('.manifest'));
  if (manifest === undefined) return false;
  const check = spawn('redis-check-aof', ['--fix', join(directory, manifest)], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  check.stdin.on('error', () => undefined); // it ended before it asked
  check.stdin.end('y\n');
  const code: unknown = await once(check, 'exit').then(
    ([status]: unknown[]) => status,
    () => 'not installed',
  );
  return code === 0;
}

/** As Redis reads a value in its settings. */
function quote(value: string): string {
  return JSON.stringify(value);
}

async function failsToStart(child: ChildProcess): Promise<never> {
  let last = '';
  child.stdout?.on('data', (words: Buffer) => {
    last = words.toString().trim().split('\n').at(-1) ?? last;
  });
  const problem = await Promise.race([
    once(child, 'error').then(
      ([error]) =>
        `${(error as Error).message}. Install it: apt-get install redis-server, or brew install redis`,
    ),
    once(child, 'exit').then(
      ([code, signal]) => last || `it ended with ${String(code ?? signal)} and said nothing`,
    ),
  ]);
  throw new Error(`redis-server could not be started: ${problem}`);
}

/** Resolves when Redis has read its data and answers. */
async function untilAnswers(url: string, withinMs: number, signal: AbortSignal): Promise<void> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => 20, maxRetriesPerRequest: null });
  redis.on('error', () => undefined); // refused until it listens
  const answer = redis.ping();
  answer.catch(() => undefined); // given up below
  try {
    // Not by the client's own end: between two tries to connect it forgets the question without a word.
    const late = sleep(withinMs, 'late', { signal }).catch(() => 'ended');
    if ((await Promise.race([answer, late])) === 'late') {
      throw new Error(`redis-server did not answer within ${withinMs / 1_000} s`);
    }
  } finally {
    redis.disconnect();
  }
}
