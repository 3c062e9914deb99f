import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { TurnView } from '@kith/contracts';
import { eventually } from '@kith/testing';
import { startSuite, type Suite } from './suite.js';

/** Rows that a person's past has in each table they talk into. */
const PAST = 4_000;
/** Rows of one table that a turn may read, with all that follows it: by an index, each row counts twice. */
const MAX_READ = 1_000;
/** Turns before, so that each connection has its plans. */
const BEFORE = 30;
const TURNS = 20;

let suite: Suite;

beforeAll(async () => {
  const recorder = pathToFileURL(join(import.meta.dirname, 'record-packages.mjs')).href;
  suite = await startSuite(
    // As in life, so that many lines are read for facts at once and after these turns, however slow the machine is: without
    // statistics Postgres takes a person's rows for few, and finds twenty of them by reading all.
    { FACTS_AFTER_MS: '110000' },
    { placement: 'together', processEnvironment: { NODE_OPTIONS: `--import ${recorder}` } },
  );
}, 120_000);
afterAll(() => suite.stop());

it('reads no more for a turn of somebody who has said much, while Postgres knows nothing of its tables', async () => {
  await suite.query(`ALTER SYSTEM SET autovacuum = off`);
  await suite.query('SELECT pg_reload_conf()');
  const { key, personId } = await suite.newPerson('Ana');
  let said = 0;
  const talk = async (turns: number) => {
    let last: TurnView | undefined;
    for (let turn = 0; turn < turns; turn += 1)
      last = await suite.say(`Note ${++said}: the kettle in room ${said % 17} sings.`, { key });
    await eventually('the last turn is remembered', async () => {
      const handled = 'SELECT FROM memory_handled_turns WHERE turn_id = $1';
      return (await suite.query(handled, [last!.turnId])).length === 1;
    });
  };
  await talk(BEFORE);
  await givePast(personId);
  const before = await rowsRead();
  await talk(TURNS);
  await endConnections();
  const each = Object.entries(await rowsRead()).map(
    ([table, rows]) => [table, (rows - (before[table] ?? 0)) / TURNS] as const,
  );
  expect(each.filter(([, rows]) => rows > MAX_READ)).toEqual([]);
}, 120_000);

it('has never loaded Prisma by then, whose compiler takes 24 MB', async () => {
  await suite.stack.stop();
  const log = await readFile(join(suite.stack.options.directory, 'logs/kith.log'), 'utf8');
  const loaded = [...log.matchAll(/^\{"askedBy":.*$/gm)].map(([line]) => line);
  expect(loaded).not.toEqual([]);
  expect(loaded.filter((line) => line.includes('"@prisma/client":'))).toEqual([]);
});

/** Copies a row of each table that a person's talk fills, as often as a long talk would. */
async function givePast(personId: string): Promise<void> {
  const copies = (table: string, columns: string) =>
    `INSERT INTO ${table} SELECT made.* FROM generate_series(1, ${PAST}) AS n
     CROSS JOIN (SELECT row AS one FROM ${table} AS row WHERE person_id = '${personId}' LIMIT 1) AS first
     CROSS JOIN LATERAL jsonb_populate_record(one, jsonb_build_object(${columns})) AS made`;
  const turn = `'turn_id', md5('turn ' || n)::uuid`;
  await suite.query(
    [
      'SET LOCAL session_replication_role = replica',
      copies('inbox', `'id', nextval('inbox_id_seq'), ${turn}, 'external_id', 'past ' || n`),
      copies('turns', `${turn}, 'followed_up_at', now()`),
      copies('transcript', `'id', -n, ${turn}, 'external_id', 'past ' || n`),
      copies('usage', `'id', gen_random_uuid(), ${turn}`),
      copies(
        'memories',
        `'id', gen_random_uuid(), ${turn}, 'content_hash', md5('past ' || n), 'read_at', now(),
         'said_at', now() - n * interval '1 hour', 'created_at', now() - n * interval '1 hour'`,
      ),
      copies('felt_turns', `'id', nextval('felt_turns_id_seq'), ${turn}`),
      ...['memory', 'personality', 'outreach'].map((ledger) => copies(`${ledger}_handled_turns`, turn)),
    ].join(';'),
  );
}

/** Ends the services' connections, each of which tells what it has read by then. */
async function endConnections(): Promise<void> {
  await suite.query(
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
     WHERE datname = current_database() AND usename = 'kith_app' AND state = 'idle'`,
  );
}

/** Rows that were read of each table so far, by its indexes or past them. */
async function rowsRead(): Promise<Record<string, number>> {
  const rows = await suite.query<{ name: string; read: string }>(
    `SELECT relname AS name, coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) + coalesce((
       SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relid = tables.relid), 0) AS read
     FROM pg_stat_user_tables AS tables`,
  );
  return Object.fromEntries(rows.map(({ name, read }) => [name, Number(read)]));
}
