import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, startPostgres, type RunningPostgres } from '@kith/embedded';
import pg from 'pg';
import { Database } from '../database/database.js';
import type { Writer } from '../transactions/transaction.js';
import { TurnLedger } from './turn-ledger.js';

const run = promisify(execFile);
let directory: string;
let postgres: RunningPostgres;
let database: Database;
let ledger: TurnLedger;

/** A Postgres as operators run it, but for one thing: what waits for nobody stays in memory for long. */
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kith-ledger-'));
  const options = { port: await freePort(), password: randomUUID(), durable: true };
  postgres = await startPostgres({ directory: join(directory, 'postgres'), ...options });
  const ownerUrl = postgres.ownerUrl('kith_test');
  const appUrl = new URL(ownerUrl);
  appUrl.username = 'kith_app';
  const env = { ...process.env, DATABASE_OWNER_URL: ownerUrl, DATABASE_URL: appUrl.href };
  await run(process.execPath, [join(import.meta.dirname, '../../dist/migrate-cli.js'), 'deploy'], { env });
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  await owner.query(`ALTER SYSTEM SET wal_writer_delay = '10s'`);
  await owner.query(`ALTER SYSTEM SET wal_writer_flush_after = '2GB'`);
  await owner.query('SELECT pg_reload_conf()');
  await owner.end();
  database = new Database({ url: appUrl.href, poolSize: 3 });
  ledger = new TurnLedger(database, 'memory_handled_turns');
}, 60_000);
afterAll(async () => {
  await database.close();
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
});

async function crash(): Promise<void> {
  await postgres.crash();
  await postgres.start();
}

const handle = (turnId: string, personId: string) =>
  ledger.handle([personId], (people) =>
    people.of(personId, async (tx) => {
      await Promise.all([keep(tx, personId), ledger.noteAll(tx, personId, [{ turnId }])]);
    }),
  );
const keep = (tx: Writer, personId: string) =>
  tx.$executeRaw`INSERT INTO private_times (id, person_id) VALUES (gen_random_uuid(), ${personId}::uuid)`;
const kept = (personId: string) =>
  database.read({ personId }, (tx) => tx.$queryRaw<unknown[]>`SELECT 1 FROM private_times`);

describe('a crash of Postgres', () => {
  it('takes back a handled turn whole, work and note, and the turn is to be done again', async () => {
    const [turnId, personId] = [randomUUID(), randomUUID()];
    await handle(turnId, personId);
    expect(await ledger.missing([turnId])).toEqual([]);
    await crash();
    expect(await ledger.missing([turnId])).toEqual([turnId]);
    expect(await kept(personId)).toEqual([]);
    await handle(turnId, personId);
    expect(await kept(personId)).toHaveLength(1);
  }, 60_000);

  it('takes nothing back that another transaction was told of and kept', async () => {
    const [turnId, personId] = [randomUUID(), randomUUID()];
    await handle(turnId, personId);
    expect(await ledger.missing([turnId])).toEqual([]);
    // As the gateway notes that everything that follows the turn is done.
    await database.write({ personId: randomUUID() }, async (tx) => {
      await tx.$executeRaw`INSERT INTO left_places (audience) VALUES (${`channel:test:${turnId}`})`;
    });
    await crash();
    expect(await ledger.missing([turnId])).toEqual([]);
    expect(await kept(personId)).toHaveLength(1);
  }, 60_000);

  it('takes back nothing of any other transaction', async () => {
    const personId = randomUUID();
    await database.write({ personId }, async (tx) => {
      await keep(tx, personId);
    });
    await crash();
    expect(await kept(personId)).toHaveLength(1);
  }, 60_000);
});

describe('a commit that does not wait for the disk', () => {
  const settingIn = async (tx: Writer) => {
    const [row] = await tx.$queryRaw<{ is: string }[]>`SELECT current_setting('synchronous_commit') AS is`;
    return row?.is;
  };

  it('is one of the ledger alone, and of no transaction after it', async () => {
    const personId = randomUUID();
    const inLedger = (waitsForDisk: boolean) =>
      ledger.handle([personId], (people) => people.of(personId, settingIn), { waitsForDisk });
    expect(await inLedger(false)).toBe('off');
    expect(await inLedger(true)).toBe('on');
    for (let n = 0; n < 6; n += 1) expect(await database.write({ personId }, settingIn)).toBe('on');
    expect(await database.asPerson(personId, settingIn)).toBe('on');
  });
});
