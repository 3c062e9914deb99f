import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID, hash } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startPostgres, type RunningPostgres } from '@kith/embedded';
import pg from 'pg';
import { deployMigrations } from './deploy-migrations.js';
import { readMigrations } from './read-migrations.js';

const REAL = join(import.meta.dirname, '../../../../prisma/migrations');
const FIRST = '20261126191000_privacy_in_line';
const ANN = '00000000-0000-4000-8000-000000000001';

let directory: string;
let postgres: RunningPostgres;
let client: pg.Client;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kith-rows-'));
  postgres = await startPostgres({
    directory: join(directory, 'postgres'),
    port: await freePort(),
    password: randomUUID(),
    durable: false,
  });
  const earlier = await mkdtemp(join(directory, 'earlier-'));
  for (const { name } of await readMigrations(REAL))
    if (name < FIRST) await cp(join(REAL, name), join(earlier, name), { recursive: true });
  await deployMigrations(postgres.ownerUrl('kith_rows'), earlier);
  client = new pg.Client({ connectionString: postgres.ownerUrl('kith_rows') });
  await client.connect();
  // Whoever owns the tables is no superuser everywhere: row-level security holds for them too.
  await client.query(`
    CREATE ROLE migrator; GRANT USAGE, CREATE ON SCHEMA public TO migrator;
    ALTER TABLE people OWNER TO migrator; ALTER TABLE memories OWNER TO migrator;
    ALTER TABLE memory_tally_changes OWNER TO migrator;
    ALTER TABLE intentions OWNER TO migrator; ALTER TABLE outreach_sealed_rows OWNER TO migrator;
    ALTER TABLE outreach_settings OWNER TO migrator; ALTER TABLE outreach_handled_turns OWNER TO migrator;
    ALTER TABLE turns OWNER TO migrator;
    ALTER TABLE quirks OWNER TO migrator; ALTER TABLE quirk_sources OWNER TO migrator;
    ALTER TABLE personality_sealed_rows OWNER TO migrator; ALTER TABLE memory_sealed_rows OWNER TO migrator;
    ALTER TABLE forget_records OWNER TO migrator; ALTER TABLE inbox OWNER TO migrator;
    ALTER TABLE api_keys OWNER TO migrator; ALTER FUNCTION kith_private OWNER TO migrator;
    GRANT SET ON PARAMETER "app.scope" TO migrator;`);
}, 60_000);

afterAll(async () => {
  await client.end();
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
});

async function migrateAsOwner(migration: string): Promise<void> {
  const { sql } = (await readMigrations(REAL)).find(({ name }) => name === migration)!;
  await client.query(`BEGIN; SET LOCAL ROLE migrator; ${sql}; COMMIT`);
}

it('those who talk in private are compared once', async () => {
  await client.query(`
    INSERT INTO people (person_id, display_name, private_from, private_until) VALUES
      ('${ANN}', 'Ann', now(), NULL), (gen_random_uuid(), 'Bo', now(), now()), (gen_random_uuid(), 'Cy', NULL, NULL)`);
  await migrateAsOwner(FIRST);
  const asked = await client.query('SELECT display_name FROM people WHERE privacy_asked_at IS NOT NULL');
  expect(asked.rows).toEqual([{ display_name: 'Ann' }]);
});

it('companions’ notes are theirs, and lines that somebody brought along are not', async () => {
  const lines = [
    ['said here', 'person', 'Annie', 'c1', ['m1']],
    ['noted', 'import', 'Wren', null, ['m1', 'm2']],
    ['brought along, of a name of theirs', 'import', 'Annie', null, ['m3']],
    ['brought along, of the name they have now', 'import', 'Ann', null, ['m4']],
    ['brought along from a talk', 'import', 'Wren', 'c0', ['m5']],
    ['brought along without a name', 'import', null, null, ['m6']],
  ];
  for (const values of lines)
    await client.query(
      `INSERT INTO memories (id, person_id, companion_id, kind, audience, importance, said_at, content_hash, text, writer,
         speaker, conversation, sources)
       VALUES (gen_random_uuid(), $1, 'wren', 'episode', 'direct', 5, now(), $2, $2, $3, $4, $5, $6)`,
      [ANN, ...values],
    );
  await migrateAsOwner('20261126210000_notes_told_apart');
  const notes = await client.query("SELECT text FROM memories WHERE writer = 'companion'");
  expect(notes.rows).toEqual([{ text: 'noted' }]);
});

it('what comes every year on a 29 February is of that day, and what is sealed can be put back', async () => {
  const days = [
    ['yearly, on the day', true, '2028-02-29T09:00:00Z'],
    ['yearly, on the day before', true, '2028-02-28T23:59:00Z'],
    ['yearly, on the day after', true, '2028-03-01T00:00:00Z'],
    ['once, on the day', false, '2028-02-29T09:00:00Z'],
  ];
  for (const values of days)
    await client.query(
      `INSERT INTO intentions (id, person_id, companion_id, about, yearly, due_at)
       VALUES (gen_random_uuid(), '${ANN}', 'wren', $1, $2, $3)`,
      values,
    );
  await client.query(`
    WITH gone AS (DELETE FROM intentions WHERE about = 'yearly, on the day after' RETURNING *)
    INSERT INTO outreach_sealed_rows (order_id, person_id, relation, row, until)
    SELECT gen_random_uuid(), person_id, 'intentions', to_jsonb(gone), now() + interval '1 minute' FROM gone
    UNION ALL SELECT gen_random_uuid(), '${ANN}', 'outreach_attempts', '{}', now() + interval '1 minute'`);
  await migrateAsOwner('20261126220000_leap_days');
  const leaping = await client.query('SELECT about FROM intentions WHERE leap_day');
  expect(leaping.rows).toEqual([{ about: 'yearly, on the day' }]);
  const back = await client.query(`
    INSERT INTO intentions SELECT restored.* FROM outreach_sealed_rows AS sealed
    CROSS JOIN LATERAL jsonb_populate_record(NULL::intentions, sealed.row) AS restored
    WHERE relation = 'intentions' RETURNING about, leap_day`);
  expect(back.rows).toEqual([{ about: 'yearly, on the day after', leap_day: false }]);
  const others = await client.query("SELECT row FROM outreach_sealed_rows WHERE relation <> 'intentions'");
  expect(others.rows).toEqual([{ row: {} }]);
});

it('times that were named by the clock are told from those that were counted, also where they are sealed', async () => {
  const kept = [
    ['a day that matters', 'date', null, '2028-05-03T10:00:00Z'],
    ['at six', 'request', randomUUID(), '2028-05-03T18:00:00Z'],
    ['in two hours', 'request', randomUUID(), '2028-05-03T18:00:33Z'],
    ['of its own accord', 'interest', null, '2028-05-03T18:00:00Z'],
  ];
  for (const values of kept)
    await client.query(
      `INSERT INTO intentions (id, person_id, companion_id, about, kind, turn_id, due_at)
       VALUES (gen_random_uuid(), '${ANN}', 'wren', $1, $2, $3, $4)`,
      values,
    );
  await client.query(`
    INSERT INTO outreach_sealed_rows (order_id, person_id, relation, row, until)
    SELECT gen_random_uuid(), person_id, 'intentions', to_jsonb(one) || '{"about": "sealed"}', now() + interval '1 minute'
    FROM intentions AS one WHERE due_at >= '2028-05-03' AND due_at < '2028-05-04'`);
  await migrateAsOwner('20261128130000_times_by_the_clock');
  const named = await client.query(
    "SELECT about FROM intentions WHERE by_clock AND due_at >= '2028-05-03' ORDER BY about",
  );
  expect(named.rows).toEqual([{ about: 'a day that matters' }, { about: 'at six' }]);
  const sealed = await client.query<{ kind: string; by_clock: boolean }>(`
    SELECT row ->> 'kind' AS kind, (row ->> 'by_clock')::boolean AS by_clock FROM outreach_sealed_rows
    WHERE row ->> 'about' = 'sealed' ORDER BY 1, 2`);
  expect(sealed.rows).toEqual([
    { kind: 'date', by_clock: true },
    { kind: 'interest', by_clock: false },
    { kind: 'request', by_clock: false },
    { kind: 'request', by_clock: true },
  ]);
});

it('requests are known as asked for, also where they are sealed', async () => {
  for (const kind of ['request', 'promise'])
    await client.query(
      `INSERT INTO intentions (id, person_id, companion_id, about, kind, due_at)
       VALUES (gen_random_uuid(), '${ANN}', 'wren', 'of 2029', $1, '2029-05-03T10:00:00Z')`,
      [kind],
    );
  await client.query(`
    INSERT INTO outreach_sealed_rows (order_id, person_id, relation, row, until)
    SELECT gen_random_uuid(), person_id, 'intentions', to_jsonb(one) || '{"about": "sealed in 2029"}',
      now() + interval '1 minute'
    FROM intentions AS one WHERE about = 'of 2029'`);
  await migrateAsOwner('20261130100000_asked_for');
  const asked = await client.query("SELECT kind FROM intentions WHERE asked AND about = 'of 2029'");
  expect(asked.rows).toEqual([{ kind: 'request' }]);
  const sealed = await client.query(`
    SELECT row ->> 'kind' AS kind, row -> 'asked' AS asked FROM outreach_sealed_rows
    WHERE row ->> 'about' = 'sealed in 2029' ORDER BY kind`);
  expect(sealed.rows).toEqual([
    { kind: 'promise', asked: false },
    { kind: 'request', asked: true },
  ]);
});

it('reflections are known by a hash apart from all texts, also where they are sealed or forgotten', async () => {
  const sha256 = (text: string) => hash('sha256', text);
  const [old, now] = [sha256('topic garden'), sha256(`reflection ${sha256('topic garden')}`)];
  for (const kind of ['reflection', 'knowledge'])
    await client.query(
      `INSERT INTO memories (id, person_id, companion_id, kind, text, content_hash, audience, writer, importance, said_at)
       VALUES (gen_random_uuid(), '${ANN}', 'of ' || $1, $1, 'About garden', $2, 'direct', 'model', 5, now())`,
      [kind, old],
    );
  await client.query(`
    INSERT INTO memory_sealed_rows (order_id, person_id, relation, row, until)
    SELECT gen_random_uuid(), person_id, 'memories', to_jsonb(one), now() + interval '1 minute'
    FROM memories AS one WHERE text = 'About garden'`);
  await migrateAsOwner('20261128120000_forgotten_summaries');
  const subjects = [`wren direct ${old}`, `mira channel:discord:1 ${sha256('reflection 2026-05-04')}`];
  await client.query(
    `INSERT INTO forget_records (id, person_id, everything, subjects)
     VALUES (gen_random_uuid(), '${ANN}', false, $1), (gen_random_uuid(), '${ANN}', false, '{}')`,
    [subjects],
  );
  await migrateAsOwner('20261201090000_subjects_apart');
  const hashes = await client.query(`
    SELECT kind, content_hash FROM memories WHERE text = 'About garden' UNION ALL
    SELECT row ->> 'kind', row ->> 'content_hash' FROM memory_sealed_rows WHERE row ->> 'text' = 'About garden'
    ORDER BY kind`);
  expect(hashes.rows).toEqual(
    ['knowledge', 'reflection'].flatMap((kind) => {
      const row = { kind, content_hash: kind === 'reflection' ? now : old };
      return [row, row];
    }),
  );
  const forgotten = await client.query('SELECT subjects FROM forget_records ORDER BY cardinality(subjects)');
  expect(forgotten.rows).toEqual([
    { subjects: [] },
    {
      subjects: [
        `wren direct ${now}`,
        `mira channel:discord:1 ${sha256(`reflection ${sha256('reflection 2026-05-04')}`)}`,
      ],
    },
  ]);
});

it('what migrations without a scope left out is made up for', async () => {
  for (const [text, outcome] of [
    ['answered', 'answered'],
    ['waiting', null],
  ])
    await client.query(
      `INSERT INTO inbox (conversation_id, person_id, door, external_id, text, quote, outcome, sent_at)
       VALUES (gen_random_uuid(), '${ANN}', 'discord', $1, $1, '{}', $2, now())`,
      [text, outcome],
    );
  const keys = [
    ['of before', ['chat', 'admin'], '2026-11-20'],
    ['made without it', ['admin'], '2026-11-25'],
    ['of a guest', ['chat'], '2026-11-20'],
  ];
  for (const values of keys)
    await client.query(
      `INSERT INTO api_keys (id, person_id, name, hash, scopes, created_at)
       VALUES (gen_random_uuid(), '${ANN}', $1, $1, $2, $3)`,
      values,
    );
  const turn = randomUUID();
  for (const [about, turnId] of [
    ['of a turn', turn],
    ['of no turn', null],
  ])
    await client.query(
      `INSERT INTO intentions (id, person_id, companion_id, about, turn_id, due_at)
       VALUES (gen_random_uuid(), '${ANN}', 'wren', $1, $2, '2030-01-01')`,
      [about, turnId],
    );
  await migrateAsOwner('20261127130000_quotes_end');
  await migrateAsOwner('20261202090000_quotes_end_again');
  const quoted = await client.query('SELECT text FROM inbox WHERE quote IS NOT NULL');
  expect(quoted.rows).toEqual([{ text: 'waiting' }]);
  const scopes = await client.query('SELECT name, scopes FROM api_keys ORDER BY name');
  expect(scopes.rows).toEqual([
    { name: 'made without it', scopes: ['admin'] },
    { name: 'of a guest', scopes: ['chat'] },
    { name: 'of before', scopes: ['chat', 'admin', 'audit'] },
  ]);
  const sources = await client.query(
    "SELECT about, sources FROM intentions WHERE due_at = '2030-01-01' ORDER BY 1",
  );
  expect(sources.rows).toEqual([
    { about: 'of a turn', sources: [`turn:${turn}`] },
    { about: 'of no turn', sources: [] },
  ]);
});

it('zones that were kept by their letters are what people mean by them', async () => {
  await client.query(`
    INSERT INTO outreach_settings (person_id, time_zone, updated_at)
    SELECT gen_random_uuid(), zone, now() FROM unnest(ARRAY['BST', 'est', 'Europe/Vienna', 'UTC']) AS zone`);
  await migrateAsOwner('20261127001000_letters_of_zones');
  const zones = await client.query<{ time_zone: string }>('SELECT time_zone FROM outreach_settings');
  expect(zones.rows.map((row) => row.time_zone).toSorted()).toEqual([
    'America/New_York',
    'Europe/London',
    'Europe/Vienna',
    'UTC',
  ]);
});

it('a zone that the suite gave is not one that a person named', async () => {
  await client.query(`
    WITH seen AS (
      INSERT INTO outreach_settings (person_id, time_zone, updated_at, topics_off)
      SELECT gen_random_uuid(), zone, now() + changed * interval '1 minute', ARRAY['of ' || changed]
      FROM unnest(ARRAY['UTC', 'Europe/Oslo']) AS zone, unnest(ARRAY[0, 1]) AS changed RETURNING person_id)
    INSERT INTO outreach_handled_turns (turn_id, person_id) SELECT gen_random_uuid(), person_id FROM seen`);
  await migrateAsOwner('20261203091000_time_zone_unnamed');
  const named = await client.query(
    "SELECT time_zone, topics_off FROM outreach_settings WHERE zone_named AND topics_off <> '{}'",
  );
  expect(named.rows).toEqual([{ time_zone: 'Europe/Oslo', topics_off: ['of 1'] }]);
});

it('habits show in their channel, everywhere where three said it in talk of their own, and not where it is unsure', async () => {
  const MODS = 'channel:discord:1';
  const heard: [text: string, audiences: (string | null)[]][] = [
    ['layoffs', [MODS, MODS, MODS]],
    ['sourdough', ['direct', 'direct', 'direct']],
    ['telescope', [MODS, 'direct', 'channel:discord:2']],
    ['juggling, of turns that are gone', [null, null, null]],
  ];
  for (const [text, audiences] of heard) {
    const quirkId = randomUUID();
    await client.query(
      `INSERT INTO quirks (id, companion_id, kind, text, strength, origin, day)
       VALUES ($1, 'mira', 'interest', $2, 0.5, 'reflection', '2026-05-04')`,
      [quirkId, text],
    );
    for (const audience of audiences)
      await client.query(
        `WITH source AS (INSERT INTO quirk_sources (quirk_id, turn_id, person_id)
           VALUES ($1, gen_random_uuid(), gen_random_uuid()) RETURNING turn_id, person_id)
         INSERT INTO turns (turn_id, conversation_id, person_id, companion_id, door, audience, origin, outcome, trace,
           started_at, ended_at)
         SELECT turn_id, turn_id, person_id, 'mira', 'discord', $2, 'message', 'answered', '{}', now(), now()
         FROM source WHERE $2::text IS NOT NULL`,
        [quirkId, audience],
      );
  }
  await migrateAsOwner('20261128080000_habits_of_a_place');
  const shown = await client.query('SELECT text, audience FROM quirks ORDER BY text');
  expect(shown.rows).toEqual([
    { text: 'layoffs', audience: MODS },
    { text: 'sourdough', audience: 'everywhere' },
  ]);
});

it('a private time that is over is kept beside the one that lasts', async () => {
  await client.query(`
    INSERT INTO people (person_id, display_name, private_from, private_until) VALUES
      (gen_random_uuid(), 'Di', '2026-05-04', NULL), (gen_random_uuid(), 'Ed', '2026-05-04', '2026-05-05'),
      (gen_random_uuid(), 'Flo, by two clocks', '2026-05-04', '2026-05-03'), (gen_random_uuid(), 'Gil', NULL, NULL)`);
  await migrateAsOwner('20261203090000_private_times_kept');
  const states = await client.query(`
    SELECT display_name, kith_private(person_id, ARRAY['2026-05-04 12:00'::timestamptz]) AS at_noon,
      kith_private(person_id, ARRAY['2026-05-06'::timestamptz]) AS later
    FROM people WHERE display_name > 'D' ORDER BY 1`);
  expect(states.rows).toEqual([
    { display_name: 'Di', at_noon: 'open', later: 'open' },
    { display_name: 'Ed', at_noon: 'over', later: null },
    { display_name: 'Flo, by two clocks', at_noon: null, later: null },
    { display_name: 'Gil', at_noon: null, later: null },
  ]);
});

it('imported lines without sources have their own, and so do the facts that were read from them', async () => {
  const said = '2026-05-04T10:00:00.120Z';
  const rows = [
    ['of import', 'episode', 'import', said, []],
    ['of import, with one', 'episode', 'import', said, ['m1']],
    ['of import, a summary', 'reflection', 'import', said, []],
    ['of import, a fact', 'fact', 'person', said, []],
    ['of import, a fact of another time', 'fact', 'person', '2026-05-05T10:00:00Z', []],
    ['twin a', 'episode', 'import', '2026-05-06T10:00:00Z', []],
    ['twin b', 'episode', 'import', '2026-05-06T10:00:00Z', []],
    ['of twins, a fact', 'fact', 'person', '2026-05-06T10:00:00Z', []],
  ];
  for (const values of rows)
    await client.query(
      `INSERT INTO memories (id, person_id, companion_id, audience, importance, text, content_hash, kind, writer, said_at,
         sources)
       VALUES (gen_random_uuid(), '${ANN}', 'odo', 'direct', 5, $1, $1, $2, $3, $4, $5)`,
      values,
    );
  await client.query(`
    INSERT INTO memory_sealed_rows (order_id, person_id, relation, row, until)
    SELECT gen_random_uuid(), person_id, 'memories', to_jsonb(one) || '{"companion_id": "sealed"}',
      now() + interval '1 minute'
    FROM memories AS one WHERE companion_id = 'odo'`);
  await migrateAsOwner('20261204090000_sources_of_imports');
  // As an import makes it of the line.
  const own = [`import:${hash('sha256', `direct ${said} of import`).slice(0, 32)}`];
  const known = await client.query(
    "SELECT text, sources FROM memories WHERE companion_id = 'odo' AND text NOT LIKE 'twin%' ORDER BY 1",
  );
  expect(known.rows).toEqual([
    { text: 'of import', sources: own },
    { text: 'of import, a fact', sources: own },
    { text: 'of import, a fact of another time', sources: [] },
    { text: 'of import, a summary', sources: [] },
    { text: 'of import, with one', sources: ['m1'] },
    // Nobody knows which of the twins told it.
    { text: 'of twins, a fact', sources: [] },
  ]);
  const sealed = await client.query(
    `
    SELECT row ->> 'text' AS text FROM memory_sealed_rows
    WHERE row ->> 'companion_id' = 'sealed' AND row -> 'sources' = $1 ORDER BY 1`,
    [JSON.stringify(own)],
  );
  expect(sealed.rows).toEqual([{ text: 'of import' }]);
});

it('ages are told with the day on which they were said', async () => {
  const rows = [
    ['age', 'Ann is 33 years old (since 5 February 2026)'],
    ['age', 'Perhaps Ann is 30 years old (from 5 January 2023 until 5 February 2024, no longer)'],
    ['son tom:age', 'Tom is 4 (since 5 February 2026)'],
    ['age', 'I was born in 1993 (in spring)'],
    ['home', 'Ann lives in Graz (since 5 February 2026)'],
  ];
  for (const values of rows)
    await client.query(
      `INSERT INTO memories (id, person_id, companion_id, audience, importance, text, content_hash, kind, writer, said_at,
         attribute, indexed_in)
       VALUES (gen_random_uuid(), '${ANN}', 'ada', 'direct', 5, $2, $2, 'fact', 'person', now(), $1, 'a space')`,
      values,
    );
  await migrateAsOwner('20261207150000_ages_as_they_were_said');
  const told = await client.query(
    `SELECT text, indexed_in FROM memories WHERE companion_id = 'ada' ORDER BY 1`,
  );
  expect(told.rows).toEqual([
    { text: 'Ann is 33 years old (said on 5 February 2026)', indexed_in: null },
    { text: 'Ann lives in Graz (since 5 February 2026)', indexed_in: 'a space' },
    { text: 'I was born in 1993 (in spring)', indexed_in: 'a space' },
    { text: 'Perhaps Ann is 30 years old (said on 5 January 2023, no longer)', indexed_in: null },
    { text: 'Tom is 4 (said on 5 February 2026)', indexed_in: null },
  ]);
});

it('an age in its owner’s words keeps them, and one that an undo puts back is told as it was said', async () => {
  const rows = [
    ['Ann is 33 years old (since 5 February 2026)', null],
    ['I turned 33 (since last week)', 'I turned 33 (since last week)'],
    ['Ann turned 30 (from 5 January 2023 until 5 February 2024, no longer)', 'Ann turned 30.'],
  ];
  for (const values of rows)
    await client.query(
      `INSERT INTO memories (id, person_id, companion_id, audience, importance, text, content_hash, kind, writer, said_at,
         attribute, indexed_in, wording)
       VALUES (gen_random_uuid(), '${ANN}', 'eve', 'direct', 5, $1, $1, 'fact', 'person', now(), 'age', 'a space', $2)`,
      values,
    );
  await client.query(
    `INSERT INTO memory_sealed_rows (order_id, person_id, relation, row, until)
     SELECT gen_random_uuid(), person_id, 'memories', to_jsonb(memories), now() FROM memories WHERE companion_id = 'eve'`,
  );
  await migrateAsOwner('20261207150000_ages_as_they_were_said');
  const told = [
    { text: 'Ann is 33 years old (said on 5 February 2026)' },
    { text: 'Ann turned 30 (said on 5 January 2023, no longer)' },
    { text: 'I turned 33 (since last week)' },
  ];
  const kept = await client.query(`SELECT text FROM memories WHERE companion_id = 'eve' ORDER BY 1`);
  expect(kept.rows).toEqual(told);
  const sealed = await client.query(
    `SELECT row ->> 'text' AS text FROM memory_sealed_rows WHERE row ->> 'companion_id' = 'eve' ORDER BY 1`,
  );
  expect(sealed.rows).toEqual(told);
});

it('lines whose words are compared in another way are indexed anew', async () => {
  const anew = ['أحب القهوة', 'ラーメン', 'ﾗｰﾒﾝ', 'Kran\u00adkenhaus', 'I \u2764\ufe0f you'];
  const same = ['I like soup', 'Größe', 'ねこ', 'a\u200bb', 'Привет'];
  for (const text of [...anew, ...same])
    await client.query(
      `INSERT INTO memories (id, person_id, companion_id, audience, importance, text, content_hash, kind, writer, said_at,
         indexed_in)
       VALUES (gen_random_uuid(), '${ANN}', 'kim', 'direct', 5, $1, $1, 'episode', 'person', now(), 'a space')`,
      [text],
    );
  await migrateAsOwner('20261208020000_words_in_several_spellings');
  const lacking = await client.query<{ text: string }>(
    `SELECT text FROM memories WHERE companion_id = 'kim' AND indexed_in IS NULL`,
  );
  expect(lacking.rows.map(({ text }) => text).toSorted()).toEqual(anew.toSorted());
});

it('reasons of whoever has named a zone count as placed by it, also where they are sealed', async () => {
  for (const [person, isNamed] of [
    [ANN, true],
    [randomUUID(), false],
  ])
    await client.query(
      `WITH one AS (
         INSERT INTO outreach_settings (person_id, zone_named, updated_at) VALUES ($1, $2, now())
         ON CONFLICT (person_id) DO UPDATE SET zone_named = excluded.zone_named RETURNING person_id)
       INSERT INTO intentions (id, person_id, companion_id, about, due_at)
       SELECT gen_random_uuid(), person_id, 'wren', 'of 2031 ' || $2::boolean, '2031-05-03T10:00:00Z' FROM one`,
      [person, isNamed],
    );
  await client.query(`
    INSERT INTO outreach_sealed_rows (order_id, person_id, relation, row, until)
    SELECT gen_random_uuid(), person_id, 'intentions', to_jsonb(one), now() + interval '1 minute'
    FROM intentions AS one WHERE about LIKE 'of 2031 %'`);
  await migrateAsOwner('20261209020000_reasons_of_a_named_zone');
  const kept = await client.query(
    "SELECT about, zone_named FROM intentions WHERE about LIKE 'of 2031 %' ORDER BY 1",
  );
  const placed = [
    { about: 'of 2031 false', zone_named: false },
    { about: 'of 2031 true', zone_named: true },
  ];
  expect(kept.rows).toEqual(placed);
  const sealed = await client.query(`
    SELECT row ->> 'about' AS about, row -> 'zone_named' AS zone_named FROM outreach_sealed_rows
    WHERE row ->> 'about' LIKE 'of 2031 %' ORDER BY 1`);
  expect(sealed.rows).toEqual(placed);
});

it('reasons that were dropped may have moved with a change of the zone, and open ones stay as they are', async () => {
  await client.query(
    `INSERT INTO intentions (id, person_id, companion_id, about, due_at, status, by_clock, zone_named)
     SELECT gen_random_uuid(), $1, 'wren', 'of 2032 ' || status, '2032-05-03T10:00:00Z', status, true, true
     FROM unnest(ARRAY['dropped', 'open']) AS status`,
    [ANN],
  );
  await migrateAsOwner('20261214010000_reasons_to_place_again');
  const kept = await client.query(
    "SELECT about, zone_named FROM intentions WHERE about LIKE 'of 2032 %' ORDER BY 1",
  );
  expect(kept.rows).toEqual([
    { about: 'of 2032 dropped', zone_named: false },
    { about: 'of 2032 open', zone_named: true },
  ]);
});

it('any reason that there is may have moved, also one that is sealed, and a new one has not', async () => {
  const add = (about: string) =>
    client.query(
      `INSERT INTO intentions (id, person_id, companion_id, about, due_at)
       VALUES (gen_random_uuid(), $1, 'wren', $2, '2033-05-03T10:00:00Z')`,
      [ANN, about],
    );
  await add('of 2033, before');
  await client.query(`
    INSERT INTO outreach_sealed_rows (order_id, person_id, relation, row, until)
    SELECT gen_random_uuid(), person_id, 'intentions', to_jsonb(one), now() + interval '1 minute'
    FROM intentions AS one WHERE about LIKE 'of 2033,%'`);
  await migrateAsOwner('20261223010000_reasons_that_moved');
  await add('of 2033, after');
  const kept = await client.query(
    "SELECT about, moved FROM intentions WHERE about LIKE 'of 2033,%' ORDER BY 1",
  );
  expect(kept.rows).toEqual([
    { about: 'of 2033, after', moved: false },
    { about: 'of 2033, before', moved: true },
  ]);
  const sealed = await client.query(
    `SELECT row -> 'moved' AS moved FROM outreach_sealed_rows WHERE row ->> 'about' LIKE 'of 2033,%'`,
  );
  expect(sealed.rows).toEqual([{ moved: true }]);
});

it('records to forget have empty lists where they had none, and those that name nothing go', async () => {
  await migrateAsOwner('20261206050000_lost_summaries');
  const given = [
    ['merged', 'NULL', "'{}'", "'{}'"],
    ['still in the index', 'NULL', `'{${ANN}}'`, "'{}'"],
    ['of a task', 'NULL', 'NULL', `'{${ANN}}'`],
    ['of a message', "'{m1}'", "'{}'", "'{}'"],
  ] as const;
  for (const [name, sources, pending, removed] of given)
    await client.query(
      `INSERT INTO forget_records (id, person_id, companion_id, everything, sources, pending, removed)
       VALUES (gen_random_uuid(), $1, $2, false, ${sources}, ${pending}, ${removed})`,
      [ANN, `list ${name}`],
    );
  await migrateAsOwner('20261209040000_lists_of_forget_records');
  const kept = await client.query(
    "SELECT companion_id AS name, sources, pending FROM forget_records WHERE companion_id LIKE 'list %' ORDER BY 1",
  );
  expect(kept.rows).toEqual([
    { name: 'list of a message', sources: ['m1'], pending: [] },
    { name: 'list of a task', sources: [], pending: [] },
    { name: 'list still in the index', sources: [], pending: [ANN] },
  ]);
});
