import { setTimeout as sleep } from 'node:timers/promises';
import { AWAY_MS, away, type Fault } from './fault.ts';
import type { FaultSuite } from './fault-suite.ts';
import { blackHole, cut, network, refuse, slow } from './network-faults.ts';

async function wakeUpRedis(suite: FaultSuite, signal: NodeJS.Signals, awayMs: number): Promise<void> {
  await suite.stack.redis.stop(signal);
  await sleep(awayMs);
  await suite.stack.redis.start();
}

async function commandRedis(suite: FaultSuite, ...command: [string, ...string[]]): Promise<void> {
  const { Redis } = await import('ioredis');
  const redis = new Redis(suite.stack.redis.url, { maxRetriesPerRequest: 3 });
  try {
    await redis.call(...command);
  } finally {
    redis.disconnect();
  }
}

/** Redis, Postgres and the vector index that fail, and the disk they share. */
export const STORE_FAULTS: readonly Fault[] = [
  {
    name: 'disk full',
    mayMiss: 'mount',
    async happen(context) {
      const { suite, random } = context;
      await sleep(random.between(50, 500));
      const isFull = await suite.fillDisk();
      if (!isFull) return false;
      await away(context);
      await suite.freeDisk();
      return true;
    },
  },
  network('redis', cut, 'connections cut'),
  network('redis', refuse, 'out of reach'),
  network('redis', blackHole, 'black hole'),
  network('redis', slow, 'slow'),
  {
    name: 'redis restarted',
    async happen({ suite, random }) {
      await sleep(random.between(50, 500));
      await wakeUpRedis(suite, random.pick(['SIGTERM', 'SIGKILL']), 100);
      return true;
    },
  },
  {
    name: 'redis down for a while',
    async happen({ suite, random }) {
      await wakeUpRedis(suite, 'SIGTERM', random.between(...AWAY_MS));
      return true;
    },
  },
  {
    name: 'redis flushed',
    async happen({ suite, random }) {
      await sleep(random.between(50, 900));
      await commandRedis(suite, 'FLUSHALL');
      return true;
    },
  },
  {
    name: 'redis out of memory',
    async happen(context) {
      await commandRedis(context.suite, 'CONFIG', 'SET', 'maxmemory', '1');
      await away(context);
      await commandRedis(context.suite, 'CONFIG', 'SET', 'maxmemory', '0');
      return true;
    },
  },
  network('postgres', cut, 'connections cut'),
  network('postgres', refuse, 'out of reach'),
  network('postgres', blackHole, 'black hole'),
  network('postgres', slow, 'slow'),
  {
    name: 'postgres restarted',
    async happen({ suite, random }) {
      await sleep(random.between(50, 500));
      await suite.stack.postgres.stop();
      await sleep(random.between(100, 2_000));
      await suite.stack.postgres.start();
      return true;
    },
  },
  {
    // What follows the last turns is lost with it: its commits did not wait for the disk.
    name: 'postgres killed',
    async happen({ suite, random }) {
      await sleep(random.between(50, 1_500));
      await suite.stack.postgres.crash();
      await sleep(random.between(0, 1_000));
      await suite.stack.postgres.start();
      return true;
    },
  },
  network('vectors', refuse, 'out of reach'),
  network('vectors', blackHole, 'black hole'),
  network('vectors', slow, 'slow'),
  network('vectors', cut, 'connections cut'),
  {
    name: 'vectors collection lost',
    async happen({ suite, random }) {
      await sleep(random.between(50, 900));
      if (suite.index === 'qdrant') await suite.qdrant.clear();
      else await suite.query('TRUNCATE memory_vectors, memory_vector_versions');
      return true;
    },
  },
];
