import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { isPortTaken } from './free-port.js';

export interface RunningRedis {
  url: string;
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Starts it again after `stop`, on the same data and port. */
  start(): Promise<void>;
}

const START_TIMEOUT_MS = 10_000;
const RESTARTS = 5;
const RESTART_AFTER_MS = 1_000;

/**
 * Starts the system's `redis-server` on 127.0.0.1 with a password, append-only file and noeviction (a queue
 * must never lose an entry to eviction).
 */
export async function startRedis(options: {
  directory: string;
  port: number;
  password: string;
}): Promise<RunningRedis> {
  const { directory, port, password } = options;
  if (await isPortTaken(port)) {
    throw new Error(
      `port ${port}, meant for Redis, is taken: stop what listens there or set KITH_REDIS_PORT`,
    );
  }
  await mkdir(directory, { recursive: true });
  const settings: Record<string, string> = {
    port: String(port),
    bind: '127.0.0.1',
    dir: directory,
    requirepass: password,
    save: '',
    appendonly: 'yes',
    appendfsync: 'everysec',
    'maxmemory-policy': 'noeviction',
  };
  const begin = async (): Promise<ChildProcess> => {
    const started = spawn(
      'redis-server',
      Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
      { stdio: ['ignore', 'pipe', 'ignore'], detached: false },
    );
    await Promise.race([untilAnswers(url), failsToStart(started)]);
    return started;
  };
  const url = `redis://:${encodeURIComponent(password)}@127.0.0.1:${port}`;
  let child = await begin();
  return {
    url,
    stop: async (signal = 'SIGTERM') => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill(signal);
      await once(child, 'exit');
    },
    start: async () => {
      // While it was away, its port may have been lent to a connection that is on its way out.
      for (let again = RESTARTS; ; again -= 1) {
        try {
          child = await begin();
          return;
        } catch (error) {
          if (again === 0) throw error;
          await sleep(RESTART_AFTER_MS);
        }
      }
    },
  };
}

async function failsToStart(child: ChildProcess): Promise<never> {
  let last = '';
  child.stdout?.on('data', (words: Buffer) => {
    last = words.toString().trim().split('\n').at(-1) ?? last;
  });
  const problem = await Promise.race([
    once(child, 'error').then(([error]) => (error as Error).message),
    once(child, 'exit').then(([code]) => last || `it ended with code ${String(code)}`),
  ]);
  throw new Error(
    `redis-server could not be started (${problem}). Install it: apt-get install redis-server, or brew install redis`,
  );
}

async function untilAnswers(url: string): Promise<void> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => 20, maxRetriesPerRequest: null });
  redis.on('error', () => undefined); // refused until it listens
  const timeout = setTimeout(() => redis.disconnect(), START_TIMEOUT_MS);
  try {
    await redis.ping();
  } finally {
    clearTimeout(timeout);
    redis.disconnect();
  }
}
