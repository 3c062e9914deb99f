import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort, startPostgres, type RunningPostgres } from '@kith/embedded';
import pg from 'pg';
import { Database, type Tx } from './database.js';

const POOL_SIZE = 3;
const unavailable = { code: 'unavailable' };
let directory: string;
let options: Parameters<typeof startPostgres>[0];
let postgres: RunningPostgres;
let appUrl: URL;
let database: Database;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kith-outage-'));
  options = {
    directory: join(directory, 'postgres'),
    port: await freePort(),
    password: randomUUID(),
    durable: false,
  };
  postgres = await startPostgres(options);
  const ownerUrl = postgres.ownerUrl('kith_test');
  appUrl = new URL(ownerUrl);
  appUrl.username = 'kith_app';
  const env = { ...process.env, DATABASE_OWNER_URL: ownerUrl, DATABASE_URL: appUrl.href };
  await promisify(execFile)(
    process.execPath,
    [join(import.meta.dirname, '../../dist/migrate-cli.js'), 'deploy'],
    { env },
  );
  database = new Database({ url: appUrl.href, poolSize: POOL_SIZE });
}, 60_000);
afterAll(async () => {
  await database.close();
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
});

const look = (tx: Tx) => tx.person.count();

async function asOwner(name: string, statement: string): Promise<void> {
  const owner = new pg.Client({ connectionString: postgres.ownerUrl(name) });
  await owner.connect();
  await owner.query(statement);
  await owner.end();
}

async function cutConnections(): Promise<void> {
  const ended = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'kith_app'`;
  await asOwner('kith_test', ended);
}

const LOCK = 'LOCK people IN SHARE MODE';
const countOf = (name: string) =>
  database.asSystem((tx) => tx.person.count({ where: { displayName: name } }));

/** Opens a database whose connections break, or go silent, as the test wants. */
async function openBehindProxy(poolSize = 1): Promise<{ proxy: FaultyProxy; far: Database }> {
  const proxy = new FaultyProxy(options.port);
  const behind = new URL(appUrl);
  behind.port = String(await proxy.start());
  return { proxy, far: new Database({ url: behind.href, poolSize }) };
}

/** Adds a person by a statement of its own, and does something while it waits for a lock. */
async function addMeanwhile(through: Database, name: string, act: () => unknown): Promise<number> {
  const owner = new pg.Client({ connectionString: postgres.ownerUrl('kith_test') });
  await owner.connect();
  await owner.query(`BEGIN; ${LOCK}`);
  const added = through.writer('system').$executeRaw`
    INSERT INTO people (person_id, display_name) VALUES (${randomUUID()}::uuid, ${name})`;
  added.catch(() => undefined);
  while ((await owner.query('SELECT 1 FROM pg_locks WHERE NOT granted')).rowCount !== 1) await sleep(20);
  await act();
  await owner.query('COMMIT');
  await owner.end();
  return added;
}

describe('a cut connection', () => {
  beforeEach(() => database.asSystem(look));

  it('that was idle is not noticed', async () => {
    await cutConnections();
    await database.asSystem(look);
  });

  it.each([
    ['before the first statement', async () => cutConnections()],
    [
      'between two statements',
      async (tx: Tx) => {
        await look(tx);
        await cutConnections();
        await look(tx);
      },
    ],
    [
      'under a statement',
      async (tx: Tx) => {
        setTimeout(() => void cutConnections(), 100);
        await tx.$queryRaw`SELECT pg_sleep(5)`;
      },
    ],
    [
      'before the commit',
      async (tx: Tx) => {
        await look(tx);
        await cutConnections();
        await sleep(50);
      },
    ],
  ])('ends its transaction as unavailable when it breaks %s', async (_, work) => {
    // More often than the pool has connections: none of them may be lost with it.
    for (let n = 0; n <= POOL_SIZE; n += 1) {
      await expect(database.asSystem(work)).rejects.toMatchObject(unavailable);
    }
    await Promise.all(Array.from({ length: POOL_SIZE * 2 }, () => database.asSystem(look)));
  });

  it('under a statement that is a transaction of its own has it given again, as nothing of it was kept', async () => {
    expect(await addMeanwhile(database, 'Given again', cutConnections)).toBe(1);
    expect(await countOf('Given again')).toBe(1);
  });

  it('on which nothing of a reading was answered yet has it asked again', async () => {
    const { proxy, far } = await openBehindProxy();
    try {
      const ask = () => far.reader('system').$queryRaw`SELECT 1 AS one`;
      await ask();
      proxy.silence();
      const asked = ask();
      await sleep(50);
      proxy.cut();
      expect(await asked).toEqual([{ one: 1 }]);
    } finally {
      proxy.stop();
      await far.close();
    }
  });

  it('that leaves in doubt whether such a statement was kept does not have it given again', async () => {
    const { proxy, far } = await openBehindProxy();
    try {
      const added = addMeanwhile(far, 'In doubt', () => proxy.cut());
      await expect(added).rejects.toMatchObject(unavailable);
      // Postgres goes on with it: whoever locks the table has waited for its end.
      await asOwner('kith_test', `BEGIN; ${LOCK}; COMMIT`);
      expect(await countOf('In doubt')).toBe(1);
    } finally {
      proxy.stop();
      await far.close();
    }
  });

  it('frees the lock that was held on it, and leaves what the work came to as it is', async () => {
    const held = database.withLock('chore', async () => {
      await cutConnections();
      await sleep(50);
    });
    expect(await held).toBe(true);
    const failing = database.withLock('chore', async () => {
      await cutConnections();
      throw new Error('no luck');
    });
    await expect(failing).rejects.toThrow('no luck');
    expect(await database.withLock('chore', async () => undefined)).toBe(true);
  });
});

describe('Postgres', () => {
  it('that restarts is waited for', async () => {
    await postgres.stop();
    const asked = Promise.all(Array.from({ length: 10 }, () => database.asSystem(look)));
    postgres = await startPostgres(options);
    await asked;
  });

  it('that is down is unavailable, after a moment, and used again once it is back', async () => {
    await postgres.stop();
    const startedAt = performance.now();
    await expect(database.asSystem(look)).rejects.toMatchObject(unavailable);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    await expect(database.ping()).rejects.toMatchObject(unavailable);
    await expect(database.withLock('chore', async () => undefined)).rejects.toMatchObject(unavailable);
    postgres = await startPostgres(options);
    await database.asSystem(look);
  });

  it('that falls silent on open connections is connected to anew', async () => {
    const { proxy, far } = await openBehindProxy(POOL_SIZE);
    try {
      await Promise.all(Array.from({ length: POOL_SIZE }, () => far.asSystem(look)));
      proxy.silence();
      const stuck = Array.from({ length: POOL_SIZE }, () => far.asSystem(look));
      for (const one of stuck) await expect(one).rejects.toMatchObject(unavailable);
      // The silent connections make way for new ones.
      await far.asSystem(look).catch(() => far.asSystem(look));
    } finally {
      proxy.stop();
      await far.close();
    }
  }, 60_000);
});

describe('Postgres that refuses the suite for a while', () => {
  const lookRaw = (tx: Tx) => tx.$queryRaw`SELECT count(*) FROM people`;
  const password = (word: string) => `ALTER ROLE kith_app PASSWORD '${word}'`;

  it.each([
    ['its password', () => password('other'), () => password(decodeURIComponent(appUrl.password))],
    ['its right to log in', () => 'ALTER ROLE kith_app NOLOGIN', () => 'ALTER ROLE kith_app LOGIN'],
    [
      'its database',
      () => 'ALTER DATABASE kith_test RENAME TO kith_away',
      () => 'ALTER DATABASE kith_away RENAME TO kith_test',
    ],
  ])('by %s is unavailable, and used again after that', async (_, refuse, admit) => {
    await database.close();
    await cutConnections();
    await asOwner('postgres', refuse());
    database = new Database({ url: appUrl.href, poolSize: POOL_SIZE });
    try {
      await expect(database.asSystem(look)).rejects.toMatchObject(unavailable);
      await expect(database.asSystem(lookRaw)).rejects.toMatchObject(unavailable);
      await expect(database.ping()).rejects.toThrow('Postgres refuses');
    } finally {
      await asOwner('postgres', admit());
    }
    await database.asSystem(look);
  });

  it('by a table is unavailable, and used again after that', async () => {
    await asOwner('kith_test', 'REVOKE SELECT ON people FROM kith_app');
    try {
      await expect(database.asSystem(look)).rejects.toMatchObject(unavailable);
      await expect(database.asSystem(lookRaw)).rejects.toMatchObject(unavailable);
    } finally {
      await asOwner('kith_test', 'GRANT SELECT ON people TO kith_app');
    }
    await database.asSystem(look);
  });
});

/** A way to Postgres on which connections can break, or go silent without being closed, as when a cable is pulled. */
class FaultyProxy {
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  constructor(port: number) {
    this.server = createServer((client) => {
      const upstream = connect(port, '127.0.0.1');
      for (const [one, other] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        this.sockets.add(one);
        one.on('error', () => undefined);
        one.on('close', () => other.destroy());
        one.pipe(other);
      }
    });
  }

  start(): Promise<number> {
    return new Promise((resolve) => {
      this.server.listen(0, '127.0.0.1', () => {
        const address = this.server.address();
        resolve(typeof address === 'object' && address ? address.port : 0);
      });
    });
  }

  silence(): void {
    for (const socket of this.sockets) socket.unpipe().pause();
  }

  /** Breaks the open connections. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  stop(): void {
    this.cut();
    this.server.close();
  }
}
