import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { TurnLedger, type Database, type Writer } from '@kith/database';
import { freshDatabase, ifStarted, type FreshDatabase } from '@kith/testing';
import { readBehindLock } from '../facts/reading-records.js';
import { DailyCount } from '../remember/daily-count.js';
import type { SaidLine } from '../facts/plan-facts.js';
import { readKnown } from '../remember/episode-rows.js';
import { SpeakerNames } from './speaker-names.js';
import { UsualLanguages } from './usual-languages.js';

/** Memories of somebody who has said much; by an index each is read once more. */
const PAST = 6_000;
const MAX_READ = 300;
const [personId, other, lineId] = [randomUUID(), randomUUID(), randomUUID()];

let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await freshDatabase();
  // Plans are made here, before Postgres knows anything of the table, and kept.
  for (const look of [namesOf, languageOf, knownOf, unreadOf]) await reading(look);
  await fresh.stores.query(
    `INSERT INTO memories (id, person_id, companion_id, kind, text, content_hash, audience, writer, speaker,
       importance, said_at, sources)
     SELECT CASE n WHEN 1 THEN $3 ELSE gen_random_uuid() END, $1, CASE n % 2 WHEN 0 THEN 'mira' ELSE 'wren' END, 'episode',
       CASE n WHEN 1 THEN 'I live here.' ELSE 'Ich wohne mit meinem Hund in Köln.' END, n, 'direct',
       CASE n % 3 WHEN 0 THEN 'companion' ELSE 'person' END, CASE n % 3 WHEN 0 THEN 'Mira' ELSE 'Ann' END, 3,
       now() - n * interval '1 hour' - interval '1 day', '{}'
     FROM generate_series(1, $2) AS n`,
    [personId, PAST, lineId],
  );
  // Somebody else has said as much, all of it today.
  await fresh.stores.query(
    `INSERT INTO memories (id, person_id, companion_id, kind, text, content_hash, audience, writer, importance, said_at)
     SELECT gen_random_uuid(), $1, companion_id, kind, text, content_hash, audience, writer, importance, now()
     FROM memories`,
    [other],
  );
}, 60_000);
afterAll(() => ifStarted(fresh)?.stop());

/** Reads as a turn does. Returns what was read, and from how many memories. */
function reading(work: Look) {
  return fresh.database.write({ personId }, async (tx) => {
    const found = await work(tx, { reader: () => tx } as unknown as Database);
    const [{ read } = { read: NaN }] = await tx.$queryRaw<{ read: number }[]>`
      SELECT (seq_tup_read + idx_tup_fetch)::int AS read FROM pg_stat_xact_user_tables WHERE relname = 'memories'`;
    return { found, read };
  });
}

type Look = (tx: Writer, database: Database) => Promise<unknown>;
const namesOf: Look = (_, database) => new SpeakerNames(database).of(personId);
const languageOf: Look = (_, database) => new UsualLanguages(database).of(personId);
const place = { personId, companionId: 'mira', audience: 'direct' as const, turns: [], drafts: [] };
const knownOf: Look = async (tx) => {
  const ledger = new TurnLedger(fresh.database, 'memory_handled_turns');
  return (await readKnown(tx, place, { ledger, counts: new DailyCount() })).keptToday;
};
const unreadOf: Look = async (tx) => {
  const line = { id: lineId, text: 'I live here.', audience: 'direct', sources: [] } as unknown as SaidLine;
  const { there } = await readBehindLock(tx, { ...place, orders: '0' }, [line], []);
  return [...there];
};

it.each([
  [
    'the names among them',
    namesOf,
    [
      { name: 'Ann', isOwn: true },
      { name: 'Mira', isOwn: false },
    ],
  ],
  ['the language of their latest lines, to whichever companion', languageOf, 'de'],
  ['the number of lines that they said today', knownOf, 0],
  ['the lines that are read for facts', unreadOf, [lineId]],
])('somebody’s memories are not all read for %s', async (_, look, expected) => {
  const { found, read } = await reading(look);
  expect(found).toEqual(expected);
  expect(read).toBeLessThan(MAX_READ);
});
