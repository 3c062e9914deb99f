import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort, startPostgres, type RunningPostgres } from '@kith/embedded';
import pg from 'pg';
import { deployMigrations } from '../migrations/deploy-migrations.js';
import { readMigrations } from '../migrations/read-migrations.js';
import { checkBackup, readBackup, writeBackup } from './backup.js';

const MIGRATE = join(import.meta.dirname, '../../dist/migrate-cli.js');
const FOLDER = join(import.meta.dirname, '../../../../prisma/migrations');
const PERSON = '00000000-0000-7000-8000-0000000000aa';
let directory: string;
let postgres: RunningPostgres;

/** Database that others are copies of: a copy takes a tenth of the CPU that its migrations take. */
const MIGRATED = 'kith_migrated';

async function migrated(database: string): Promise<string> {
  const at = pg.escapeIdentifier(database);
  await query(postgres.ownerUrl('postgres'), `CREATE DATABASE ${at} TEMPLATE ${MIGRATED} STRATEGY file_copy`);
  return postgres.ownerUrl(database);
}

async function query(url: string, sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kith-backup-'));
  postgres = await startPostgres({
    directory: join(directory, 'postgres'),
    port: await freePort(),
    password: randomUUID(),
    durable: false,
  });
  await promisify(execFile)(process.execPath, [MIGRATE, 'deploy'], {
    env: { ...process.env, DATABASE_OWNER_URL: postgres.ownerUrl(MIGRATED) },
  });
});
afterAll(async () => {
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
});

describe('a backup', () => {
  it('brings back every row as it was, with odd characters, and leaves the index to be rebuilt', async () => {
    const [from, to] = [await migrated('kith_from'), await migrated('kith_to')];
    const text = 'tabs\tand\nlines\r\nand\u2028separators \\. “quotes” 🦉';
    await query(from, `INSERT INTO people (person_id, display_name) VALUES ($1, $2)`, [PERSON, text]);
    await query(
      from,
      `INSERT INTO inbox (conversation_id, person_id, door, external_id, text, sent_at, quote, nickname, pictures)
       SELECT $1, $1, 'http', 'm' || n, $2, now(), to_jsonb($2::text), $2, '[]' FROM generate_series(1, 500) n`,
      [PERSON, text],
    );
    await query(
      from,
      `INSERT INTO memories (id, person_id, companion_id, kind, text, content_hash, audience, writer, importance, said_at, sources, indexed_in)
       VALUES ($1, $1, 'mira', 'episode', $2, 'h', 'direct', 'person', 5, now(), ARRAY['a,b', '"c"'], 'lexical')`,
      [PERSON, text],
    );
    await query(
      from,
      `INSERT INTO outbox (id, turn_id, conversation_id, person_id, door, target, text)
       VALUES ($1, $1, $1, $1, 'discord', '{}', $2)`,
      [PERSON, text],
    );
    await query(
      to,
      `INSERT INTO people (person_id, display_name) VALUES (gen_random_uuid(), 'to be replaced')`,
    );
    const file = join(directory, 'backup.gz');
    const written = await writeBackup(from, createWriteStream(file), new Date());
    expect(await checkBackup(createReadStream(file), FOLDER)).toEqual({
      createdAt: expect.stringMatching(/^\d{4}-/),
      counts: written,
    });
    const restored = await readBackup(to, createReadStream(file), FOLDER);
    expect(restored).toEqual(written);
    expect(restored).toMatchObject({ people: 1, inbox: 500, memories: 1 });
    expect(await query(to, 'SELECT display_name FROM people')).toEqual([{ display_name: text }]);
    expect(await query(to, 'SELECT sources, indexed_in FROM memories')).toEqual([
      { sources: ['a,b', '"c"'], indexed_in: null },
    ]);
    // What was under way then is not done a second time, and says why. With it goes what was for its turn alone.
    expect(
      await query(to, 'SELECT DISTINCT outcome, outcome_reason, quote, nickname, pictures FROM inbox'),
    ).toEqual([
      { outcome: 'dropped', outcome_reason: 'restored', quote: null, nickname: null, pictures: null },
    ]);
    expect(await query(to, 'SELECT status, last_error FROM outbox')).toEqual([
      { status: 'failed', last_error: expect.stringContaining('restored') },
    ]);
    // The next message gets a number of its own.
    const [next] = await query(to, `SELECT nextval(pg_get_serial_sequence('inbox', 'id')) AS id`);
    expect(Number(next!['id'])).toBeGreaterThan(500);
  });

  it('that was not written to its end, or by a newer version, is told before anything is read', async () => {
    const file = join(directory, 'whole.gz');
    await writeBackup(await migrated('kith_whole'), createWriteStream(file), new Date());
    const whole = await readFile(file);
    const check = (bytes: Buffer) => checkBackup(Readable.from([bytes]), FOLDER);
    await expect(check(whole.subarray(0, whole.length - 20))).rejects.toThrow('broken off or damaged');
    await expect(check(Buffer.from('nonsense'))).rejects.toThrow('not a Kith backup');
    const lines = gunzipSync(whole).toString().split('\n');
    await expect(check(gzipSync(lines.slice(0, -2).join('\n')))).rejects.toThrow('breaks off in');
    const newer = lines[0]!.replace('"migrations":[', '"migrations":["29991231000000_robots",');
    await expect(check(gzipSync([newer, ...lines.slice(1)].join('\n')))).rejects.toThrow(
      'newer version: this one lacks 29991231000000_robots',
    );
  });

  it('of an earlier version becomes what its rows would have become here', async () => {
    // Keys had no scope for outreach, and a companion's notes looked like lines that were brought along.
    const earlier = (await readMigrations(FOLDER))
      .map(({ name }) => name)
      .filter((name) => name < '20261122064811');
    const [from, to] = [postgres.ownerUrl('kith_earlier'), await migrated('kith_later')];
    await deployMigrations(from, FOLDER, earlier);
    await query(from, `INSERT INTO people (person_id, display_name) VALUES ($1, 'Ann')`, [PERSON]);
    await query(
      from,
      `INSERT INTO api_keys (id, person_id, name, hash, scopes) VALUES (gen_random_uuid(), $1, 'k', 'k', '{chat}')`,
      [PERSON],
    );
    // A column that is unknown here, as of a version between.
    await query(from, `ALTER TABLE people ADD COLUMN shoe_size bigint`);
    const file = join(directory, 'earlier.gz');
    await writeBackup(from, createWriteStream(file), new Date());
    await expect(readBackup(to, createReadStream(file), FOLDER)).rejects.toThrow('shoe_size');
    await query(from, `ALTER TABLE people DROP COLUMN shoe_size`);
    await writeBackup(from, createWriteStream(file), new Date());
    await query(to, `INSERT INTO people (person_id, display_name) VALUES (gen_random_uuid(), 'replaced')`);
    await query(to, `CREATE DATABASE kith_later_upgrading`); // a restore that was cut off, and is still at work
    const atWork = new pg.Client({ connectionString: postgres.ownerUrl('kith_later_upgrading') });
    atWork.on('error', () => undefined);
    await atWork.connect();
    expect(await readBackup(to, createReadStream(file), FOLDER)).toMatchObject({ people: 1, api_keys: 1 });
    expect(await query(to, 'SELECT display_name FROM people')).toEqual([{ display_name: 'Ann' }]);
    expect(await query(to, 'SELECT scopes FROM api_keys')).toEqual([{ scopes: ['chat', 'outreach'] }]);
    expect(await query(to, `SELECT datname FROM pg_database WHERE datname LIKE '%upgrading'`)).toEqual([]);
  });

  it('of an earlier version is taken beside a database with the longest name', async () => {
    const url = await migrated('k'.repeat(63));
    const first = (await readMigrations(FOLDER))
      .map(({ name }) => name)
      .filter((name) => name < '20261122064811');
    const from = postgres.ownerUrl('kith_short');
    await deployMigrations(from, FOLDER, first);
    const file = join(directory, 'short.gz');
    await writeBackup(from, createWriteStream(file), new Date());
    expect(await readBackup(url, createReadStream(file), FOLDER)).toMatchObject({ people: 0 });
  });

  it('brings nobody back who was erased since', async () => {
    const url = await migrated('kith_erased');
    const people = `INSERT INTO people (person_id, display_name) VALUES ($1, 'erased'), (gen_random_uuid(), 'stays')`;
    await query(url, people, [PERSON]);
    await query(
      url,
      `INSERT INTO identities (id, person_id, door, subject) VALUES ($1, $1, 'discord', '1')`,
      [PERSON],
    );
    await query(
      url,
      `INSERT INTO usage (id, person_id, companion_id, model, prompt_tokens, completion_tokens)
       VALUES ($1, $1, 'mira', 'm', 7, 1)`,
      [PERSON],
    );
    const said = (kind: 'direct' | 'channel', owner: string | null) =>
      query(
        url,
        `WITH place AS (
           INSERT INTO conversations (conversation_id, companion_id, door, external_id, kind, audience, person_id)
           VALUES (gen_random_uuid(), 'mira', 'discord', $1, $1, $1, $2) RETURNING conversation_id
         ), turn AS (
           INSERT INTO turns (turn_id, conversation_id, person_id, companion_id, door, audience, origin, outcome, trace, started_at, ended_at)
           SELECT gen_random_uuid(), conversation_id, $3, 'mira', 'discord', $1, 'message', 'answered', '{}', now(), now()
           FROM place
           RETURNING turn_id, conversation_id
         )
         INSERT INTO transcript (conversation_id, turn_id, person_id, role, name, text, at)
         SELECT conversation_id, turn_id, $3, 'person', 'Ann', 'said ' || $1, now() FROM turn`,
        [kind, owner, PERSON],
      );
    await said('direct', PERSON);
    await said('channel', null);
    await query(url, `INSERT INTO erased_accounts VALUES ('again', '2026-01-01T00:00:00Z')`);
    const file = join(directory, 'before-erasure.gz');
    await writeBackup(url, createWriteStream(file), new Date());
    await query(url, `INSERT INTO erasures (erased_id, asked_by, finished_at) VALUES ($1, 'person', now())`, [
      PERSON,
    ]);
    const accounts = `
      INSERT INTO erased_accounts VALUES ('since', '2026-03-01T00:00:00Z'), ('again', '2026-03-01T00:00:00Z')
      ON CONFLICT (mark) DO UPDATE SET erased_at = excluded.erased_at`;
    await query(url, accounts);
    await readBackup(url, createReadStream(file), FOLDER);
    const since = new Date('2026-03-01T00:00:00Z');
    expect(await query(url, 'SELECT * FROM erased_accounts ORDER BY 1')).toEqual([
      { mark: 'again', erased_at: since },
      { mark: 'since', erased_at: since },
    ]);
    expect(await query(url, 'SELECT display_name FROM people')).toEqual([{ display_name: 'stays' }]);
    expect(await query(url, 'SELECT 1 FROM identities')).toEqual([]);
    expect(await query(url, 'SELECT prompt_tokens FROM usage')).toEqual([{ prompt_tokens: 7 }]);
    // The services look after the rest, and find by this who repeats it.
    expect(await query(url, 'SELECT text, withheld FROM transcript JOIN turns USING (turn_id)')).toEqual([
      { text: 'said channel', withheld: 'forgotten' },
    ]);
    expect(await query(url, 'SELECT erased_id, finished_at FROM erasures')).toEqual([
      { erased_id: PERSON, finished_at: null },
    ]);
  });

  it('brings no key back that was revoked since', async () => {
    const url = await migrated('kith_revoked');
    const addKey = (hash: string) =>
      query(
        url,
        `INSERT INTO api_keys (id, person_id, name, hash, scopes) VALUES (gen_random_uuid(), $1, $2, $2, '{chat}')`,
        [PERSON, hash],
      );
    await query(url, `INSERT INTO people (person_id, display_name) VALUES ($1, 'Ann')`, [PERSON]);
    await addKey('stays');
    await addKey('revoked since');
    const file = join(directory, 'before-revocation.gz');
    await writeBackup(url, createWriteStream(file), new Date());
    await addKey('made and revoked since');
    await query(url, `UPDATE api_keys SET revoked_at = now() WHERE hash <> 'stays'`);
    await query(url, `INSERT INTO revoked_keys VALUES ('of somebody erased')`);
    await readBackup(url, createReadStream(file), FOLDER);
    expect(await query(url, 'SELECT hash FROM api_keys WHERE revoked_at IS NULL')).toEqual([
      { hash: 'stays' },
    ]);
    expect(await query(url, 'SELECT hash FROM revoked_keys ORDER BY 1')).toEqual([
      { hash: 'made and revoked since' },
      { hash: 'of somebody erased' },
      { hash: 'revoked since' },
    ]);
  });

  it('leaves known how far the bot has heard', async () => {
    const url = await migrated('kith_heard');
    const cursor = (channel: string, heard: number, person: string | null = null) =>
      query(
        url,
        `INSERT INTO discord_cursors (channel_id, is_direct, last_message_id, person_id) VALUES ($1, $2, $3, $4)
         ON CONFLICT (channel_id) DO UPDATE SET last_message_id = excluded.last_message_id`,
        [channel, person !== null, heard, person],
      );
    const cursors = async () => {
      const rows = await query(url, 'SELECT channel_id, last_message_id FROM discord_cursors');
      return Object.fromEntries(rows.map((row) => [row['channel_id'], row['last_message_id']])) as Record<
        string,
        unknown
      >;
    };
    await query(url, `INSERT INTO people (person_id, display_name) VALUES ($1, 'Ann')`, [PERSON]);
    for (const channel of ['goes on', 'left since']) await cursor(channel, 900);
    await query(
      url,
      `INSERT INTO discord_live_replies (turn_id, channel_id, message_ids) VALUES ($1, 'goes on', '{901}')`,
      [PERSON],
    );
    const file = join(directory, 'before-talk.gz');
    await writeBackup(url, createWriteStream(file), new Date());
    await cursor('goes on', 1000);
    await query(url, `DELETE FROM discord_cursors WHERE channel_id = 'left since'`);
    await cursor('begun since', 1100);
    await cursor('DM begun since', 1200, PERSON);
    await cursor('DM of somebody new', 1300, '00000000-0000-7000-8000-0000000000bb');
    await readBackup(url, createReadStream(file), FOLDER);
    const now = String((BigInt(Date.now()) - 1_420_070_400_000n) << 22n);
    const { 'left since': left, ...kept } = await cursors();
    expect(kept).toEqual({ 'goes on': '1000', 'begun since': '1100', 'DM begun since': '1200' });
    expect(Number(left) / Number(now)).toBeCloseTo(1, 5);
    // By it the reply that it became would be taken back.
    expect(await query(url, 'SELECT 1 FROM discord_live_replies')).toEqual([]);
  });

  it('has the bot look for places with talk that were deleted since, however long they were silent', async () => {
    const url = await migrated('kith_deleted_places');
    await query(
      url,
      `INSERT INTO discord_servers (server_id, places)
       VALUES ('1', '{lasting,deleted,silent,category}'), ('2', '{left}')`,
    );
    await query(
      url,
      `INSERT INTO conversations (conversation_id, companion_id, door, external_id, kind, audience)
       SELECT gen_random_uuid(), 'mira', 'discord', place, 'channel', 'channel:discord:' || place
       FROM unnest('{lasting,deleted,silent,left}'::text[]) AS place`,
    );
    await query(
      url,
      `INSERT INTO discord_cursors (channel_id, is_direct, last_message_id, updated_at)
       VALUES ('deleted', false, '900', now() - interval '29 days')`,
    );
    const file = join(directory, 'before-deletions.gz');
    await writeBackup(url, createWriteStream(file), new Date());
    await query(url, 'DELETE FROM discord_cursors');
    await query(url, `DELETE FROM discord_servers WHERE server_id = '2'`);
    await query(url, `UPDATE discord_servers SET places = '{lasting}'`);
    const lookedFor = async () => {
      const rows = await query(
        url,
        `SELECT channel_id, is_direct, person_id FROM discord_cursors
         WHERE updated_at BETWEEN now() - interval '21 days' AND now() AND last_message_id::numeric > 900
         ORDER BY 1`,
      );
      return rows.map((row) => Object.values(row));
    };
    await readBackup(url, createReadStream(file), FOLDER);
    const deleted = ['deleted', 'left', 'silent'].map((place) => [place, false, null]);
    expect(await lookedFor()).toEqual(deleted);
    // As a new machine, which knows of none.
    await query(url, 'TRUNCATE discord_servers, discord_cursors');
    await readBackup(url, createReadStream(file), FOLDER);
    expect(await lookedFor()).toEqual([...deleted, ['lasting', false, null]].toSorted());
  });

  it('sends nothing for a second time, and to nobody who opted out since', async () => {
    const url = await migrated('kith_outreach');
    const [cy, eve] = ['00000000-0000-7000-8000-0000000000cc', '00000000-0000-7000-8000-0000000000ee'];
    await query(
      url,
      `INSERT INTO people (person_id, display_name) VALUES ($1, 'Ann'), ('${cy}', 'Cy'), ('${eve}', 'Eve')`,
      [PERSON],
    );
    await query(
      url,
      `INSERT INTO outreach_settings (person_id, opted_in, age_state, updated_at)
       VALUES ($1, true, 'unknown', now()), ('${cy}', true, 'unknown', now()), ('${eve}', false, 'minor', now())`,
      [PERSON],
    );
    await query(
      url,
      `INSERT INTO outreach_channels VALUES ('c1', 'on'), ('c2', 'off'); INSERT INTO recurring_jobs (name) VALUES ('outreach')`,
    );
    const reason = (about: string, due: string, { turn = 'gen_random_uuid()', yearly = false } = {}) =>
      query(
        url,
        `INSERT INTO intentions (id, person_id, companion_id, turn_id, about, due_at, yearly)
         VALUES (gen_random_uuid(), $1, 'mira', ${turn}, $2, now() + $3::interval, $4)`,
        [PERSON, about, due, yearly],
      );
    await reason('sent since', '-1 hour');
    await reason('still to be sent', '-1 hour');
    await reason('put off since', '1 hour');
    await reason('removed since', '-1 hour');
    await reason('for later', '1 hour');
    await reason('birthday', '-1 hour', { yearly: true });
    await reason('birthday removed since', '-1 hour', { yearly: true });
    const attempt = (about: string, status: string) =>
      query(
        url,
        `INSERT INTO outreach_attempts (id, person_id, companion_id, reason, status, decided_at)
         VALUES (gen_random_uuid(), $1, 'mira', $2, $3, now())`,
        [PERSON, about, status],
      );
    await attempt('begun', 'queued');
    const file = join(directory, 'before-outreach.gz');
    await writeBackup(url, createWriteStream(file), new Date());

    await query(url, `UPDATE intentions SET status = 'done' WHERE about IN ('sent since', 'birthday')`);
    await query(
      url,
      `UPDATE intentions SET due_at = now() + interval '2 days' WHERE about = 'put off since'`,
    );
    await query(url, `DELETE FROM intentions WHERE about LIKE '%removed since' OR about = 'for later'`);
    const turn = `(SELECT turn_id FROM intentions WHERE about = 'birthday')`;
    await reason('birthday', '1 year', { turn, yearly: true });
    await reason('promised since', '1 hour');
    await reason('own, since', '-1 hour', { turn: 'NULL' });
    await query(url, `UPDATE intentions SET status = 'done' WHERE about = 'own, since'`);
    await query(url, `UPDATE outreach_attempts SET status = 'sent'`);
    await attempt('sent since', 'sent');
    await attempt('under way', 'queued');
    await query(
      url,
      `UPDATE outreach_settings SET unanswered = 2, age_state = 'minor' WHERE person_id = $1`,
      [PERSON],
    );
    // Eve has opted in since, and is known to be of age.
    await query(url, `UPDATE outreach_settings SET opted_in = false WHERE person_id = '${cy}'`);
    await query(
      url,
      `UPDATE outreach_settings SET opted_in = true, age_state = 'adult' WHERE person_id = '${eve}'`,
    );
    await query(
      url,
      `UPDATE outreach_channels SET mode = CASE channel_id WHEN 'c1' THEN 'off' ELSE 'on' END`,
    );
    await query(url, `UPDATE recurring_jobs SET paused = true`);

    const reasons = async (of: string) => {
      const rows = await query(
        of,
        `SELECT concat_ws(' ', about, '|', status, '|', CASE WHEN due_at < now() THEN 'past'
           WHEN due_at < now() + interval '1 day' THEN 'today' WHEN due_at < now() + interval '3 days' THEN 'soon'
           ELSE 'next year' END) AS reason
         FROM intentions ORDER BY about, due_at`,
      );
      return rows.map((row) => row['reason']);
    };
    await readBackup(url, createReadStream(file), FOLDER);
    expect(await reasons(url)).toEqual([
      ' | done | past', // the companion's own: it does not ask again
      'birthday | done | past',
      'birthday | open | next year',
      'birthday removed since | open | next year',
      'for later | open | today',
      'put off since | open | soon',
      'removed since | dropped | past',
      'sent since | done | past',
      'still to be sent | open | past',
    ]);
    expect(await query(url, 'SELECT reason, status FROM outreach_attempts ORDER BY reason, status')).toEqual([
      { reason: '', status: 'failed' },
      { reason: '', status: 'sent' },
      { reason: 'begun', status: 'sent' },
    ]);
    expect(
      await query(
        url,
        `SELECT display_name, opted_in, age_state, unanswered FROM outreach_settings JOIN people USING (person_id)
         ORDER BY 1`,
      ),
    ).toEqual([
      { display_name: 'Ann', opted_in: true, age_state: 'minor', unanswered: 2 },
      { display_name: 'Cy', opted_in: false, age_state: 'unknown', unanswered: 0 },
      { display_name: 'Eve', opted_in: true, age_state: 'adult', unanswered: 0 },
    ]);
    expect(await query(url, 'SELECT * FROM outreach_channels ORDER BY 1')).toEqual([
      { channel_id: 'c1', mode: 'off' },
      { channel_id: 'c2', mode: 'on' },
    ]);
    expect(await query(url, 'SELECT paused FROM recurring_jobs')).toEqual([{ paused: true }]);

    // On a new machine nobody knows what was sent since: what was due is not sent.
    const newMachine = await migrated('kith_outreach_new');
    await readBackup(newMachine, createReadStream(file), FOLDER);
    expect(await reasons(newMachine)).toEqual([
      'birthday | open | next year',
      'birthday removed since | open | next year',
      'for later | open | today',
      'put off since | open | today',
      'removed since | dropped | past',
      'sent since | dropped | past',
      'still to be sent | dropped | past',
    ]);
  });

  it('allows nothing again that was forbidden since', async () => {
    const url = await migrated('kith_forbidden');
    const [bo, cy] = ['00000000-0000-7000-8000-0000000000bb', '00000000-0000-7000-8000-0000000000cc'];
    await query(
      url,
      `INSERT INTO people (person_id, display_name, private_from)
       VALUES ($1, 'Ann', NULL), ('${bo}', 'Bo', '2026-05-01'), ('${cy}', 'Cy', '2026-05-01')`,
      [PERSON],
    );
    const begin = (person: string, since: string) =>
      query(url, `INSERT INTO private_times (id, person_id, since) VALUES (gen_random_uuid(), $1, $2)`, [
        person,
        since,
      ]);
    for (const person of [bo, cy]) await begin(person, '2026-05-01');
    await query(
      url,
      `INSERT INTO tool_rules (id, tool, is_allowed, pin)
       SELECT gen_random_uuid(), tool, true, 'p' FROM unnest('{stays,denied,taken back}'::text[]) AS tool`,
    );
    await query(
      url,
      `INSERT INTO tool_grants (person_id, companion_id, tool, pin)
       SELECT $1, 'mira', tool, 'p' FROM unnest('{stays,taken back}'::text[]) AS tool`,
      [PERSON],
    );
    await query(
      url,
      `INSERT INTO companions (companion_id, name, persona, hash, updated_at) VALUES ('mira', 'Mira', '{}', 'h', now())`,
    );
    const file = join(directory, 'before-bans.gz');
    await writeBackup(url, createWriteStream(file), new Date());
    await query(url, `UPDATE private_times SET until = '2026-05-02'`);
    for (const person of [PERSON, cy]) await begin(person, '2026-05-03');
    await query(
      url,
      `UPDATE people SET private_from = NULL, private_ended = tstzmultirange(tstzrange(private_from, '2026-05-02'))
       WHERE private_from IS NOT NULL;
       UPDATE people SET private_from = '2026-05-03' WHERE display_name IN ('Ann', 'Cy')`,
    );
    await query(url, `UPDATE tool_rules SET is_allowed = false WHERE tool = 'denied'`);
    await query(
      url,
      `INSERT INTO tool_rules (id, tool, is_allowed, pin) VALUES (gen_random_uuid(), 'denied before it was used', false, 'p'),
         (gen_random_uuid(), 'allowed since', true, 'p')`,
    );
    for (const table of ['tool_rules', 'tool_grants'])
      await query(url, `DELETE FROM ${table} WHERE tool = 'taken back'`);
    await query(url, `UPDATE companions SET paused_at = now()`);

    const allowed = async (of: string) => [
      ...(await query(of, 'SELECT tool, is_allowed FROM tool_rules ORDER BY 1')),
      ...(await query(of, 'SELECT tool FROM tool_grants ORDER BY 1')),
    ];
    await readBackup(url, createReadStream(file), FOLDER);
    expect(await allowed(url)).toEqual([
      { tool: 'denied', is_allowed: false },
      { tool: 'denied before it was used', is_allowed: false },
      { tool: 'stays', is_allowed: true },
      { tool: 'stays' },
    ]);
    // Where the backup has private talk, the sweeper empties what has ended since.
    expect(
      await query(
        url,
        `SELECT display_name AS name, private_from::date::text AS since, lower(private_ended)::date::text AS before,
           upper(private_ended)::date::text AS until, privacy_asked_at IS NOT NULL AS asked, (
             SELECT string_agg(since::date || '/' || coalesce(until::date::text, ''), ' ' ORDER BY since)
             FROM private_times AS t WHERE t.person_id = people.person_id
           ) AS memory
         FROM people ORDER BY 1`,
      ),
    ).toEqual([
      { name: 'Ann', since: '2026-05-03', before: null, until: null, asked: false, memory: '2026-05-03/' },
      {
        name: 'Bo',
        since: null,
        before: '2026-05-01',
        until: '2026-05-02',
        asked: true,
        memory: '2026-05-01/2026-05-02',
      },
      {
        name: 'Cy',
        since: '2026-05-03',
        before: '2026-05-01',
        until: '2026-05-02',
        asked: true,
        memory: '2026-05-01/2026-05-02 2026-05-03/',
      },
    ]);
    expect(await query(url, 'SELECT 1 FROM companions WHERE paused_at IS NULL')).toEqual([]);

    const newMachine = await migrated('kith_forbidden_new');
    await readBackup(newMachine, createReadStream(file), FOLDER);
    expect(await allowed(newMachine)).toEqual([
      { tool: 'denied', is_allowed: true },
      { tool: 'stays', is_allowed: true },
      { tool: 'taken back', is_allowed: true },
      { tool: 'stays' },
      { tool: 'taken back' },
    ]);
  });

  it('has forgotten again what was forgotten since', async () => {
    const url = await migrated('kith_forgotten');
    await query(url, `INSERT INTO people (person_id, display_name) VALUES ($1, 'Ann')`, [PERSON]);
    const order = (what: object, reason = 'forgotten', person = PERSON) =>
      query(
        url,
        `INSERT INTO forget_orders (id, person_id, reason, what, undo_until, finished_at)
         VALUES (gen_random_uuid(), $1, $2, $3, now() + interval '5 minutes', now())`,
        [person, reason, what],
      );
    await order({ kind: 'sources', sources: ['m0'] });
    const document = `document:${PERSON}`;
    await query(
      url,
      `INSERT INTO memories (id, person_id, companion_id, kind, text, content_hash, audience, writer, importance, said_at, sources)
       VALUES ($1, $1, 'mira', 'knowledge', 'fish', 'h', 'direct', 'import', 5, now(), $2)`,
      [PERSON, [document, `${document}#1`, 'm0']],
    );
    const task = (id: string, number: number) =>
      query(
        url,
        `INSERT INTO tasks (id, person_id, companion_id, audience, number, text, noted_by)
         VALUES ($2, $1, 'mira', 'direct', $3, $4, 'person')`,
        [PERSON, id, number, `task ${number}`],
      );
    const deleted = '00000000-0000-7000-8000-0000000000d1';
    await task(deleted, 1);
    await task('00000000-0000-7000-8000-0000000000d2', 2);
    const file = join(directory, 'before-forgetting.gz');
    await writeBackup(url, createWriteStream(file), new Date());
    await order({ kind: 'all' });
    // The first is in the backup, with two of its messages. There are more than one order takes.
    const lineSources = [document, `${document}#1`, ...Array.from({ length: 502 }, (_, n) => `m${n}`)];
    const ids = [PERSON, '00000000-0000-7000-8000-0000000000dd'];
    await order({ kind: 'ids', ids, lineSources });
    await query(
      url,
      `INSERT INTO forget_orders (id, person_id, reason, what, keep_talk)
       SELECT gen_random_uuid(), person_id, reason, what, true FROM forget_orders WHERE what ->> 'kind' = 'ids'`,
    );
    await order(
      { kind: 'revision', source: 'm2', turnId: PERSON, companionId: 'mira', revision: null },
      'deleted',
    );
    await order(
      { kind: 'revision', source: 'm3', turnId: PERSON, companionId: 'mira', revision: 2 },
      'edited',
    );
    await order({ kind: 'all' }, 'undone');
    await order({ kind: 'all' }, 'forgotten', '00000000-0000-7000-8000-0000000000bb');
    await query(url, 'DELETE FROM tasks');
    const summaryOrder = randomUUID();
    await query(
      url,
      `INSERT INTO forget_records (id, person_id, everything, sources, pending, removed, subjects)
       VALUES (gen_random_uuid(), $1, false, '{}', '{}', $2, '{}'),
         ('${summaryOrder}', $1, false, '{}', '{}', '{}', '{mira direct day}'),
         (gen_random_uuid(), $1, false, '{m9}', '{}', $2, '{}')`,
      [PERSON, [deleted]],
    );
    await readBackup(url, createReadStream(file), FOLDER);
    expect(await query(url, 'SELECT text FROM tasks')).toEqual([{ text: 'task 2' }]);
    // Not as the order's own record: the order is carried out again.
    expect(
      await query(
        url,
        `SELECT removed, subjects, id = '${summaryOrder}' AS own FROM forget_records ORDER BY subjects`,
      ),
    ).toEqual([
      { removed: [deleted], subjects: [], own: false },
      { removed: [], subjects: ['mira direct day'], own: false },
    ]);
    expect(
      await query(
        url,
        `SELECT what ->> 'kind' AS kind, jsonb_array_length(what -> 'sources') AS sources, reason,
           finished_at IS NULL AS open, coalesce(undo_until > now(), false) AS undoable
         FROM forget_orders ORDER BY finished_at, 1, 2`,
      ),
    ).toEqual([
      // The backup's own.
      { kind: 'sources', sources: 1, reason: 'forgotten', open: false, undoable: true },
      { kind: 'all', sources: null, reason: 'forgotten', open: true, undoable: false },
      { kind: 'ids', sources: null, reason: 'forgotten', open: true, undoable: false },
      { kind: 'ids', sources: null, reason: 'forgotten', open: true, undoable: false },
      { kind: 'sources', sources: 1, reason: 'forgotten', open: true, undoable: false },
      { kind: 'sources', sources: 1, reason: 'forgotten', open: true, undoable: false },
      { kind: 'sources', sources: 500, reason: 'forgotten', open: true, undoable: false },
    ]);
    expect(
      await query(
        url,
        `SELECT source FROM forget_orders, jsonb_array_elements_text(what -> 'sources') AS source
         WHERE finished_at IS NULL AND (source LIKE 'document:%' OR source = 'm0')`,
      ),
    ).toEqual([]);
    expect(
      await query(
        url,
        `SELECT what -> 'sources' AS sources, what ->> 'deletedIn' AS turn FROM forget_orders
         WHERE what ? 'deletedIn'`,
      ),
    ).toEqual([{ sources: ['m2'], turn: PERSON }]);
  });

  it('with a row that Postgres refuses is refused in one line, and nothing changes', async () => {
    const url = await migrated('kith_refused_row');
    await query(url, `INSERT INTO people (person_id, display_name) VALUES ($1, 'still here')`, [PERSON]);
    await query(
      url,
      `INSERT INTO inbox (conversation_id, person_id, door, external_id, text, sent_at)
       SELECT $1, $1, 'http', 'm' || n, repeat('word ', 100), now() FROM generate_series(1, 5000) n`,
      [PERSON],
    );
    const file = join(directory, 'refused-row.gz');
    await writeBackup(url, createWriteStream(file), new Date());
    const lines = gunzipSync(await readFile(file)).toString();
    const damaged = gzipSync(lines.replaceAll('\thttp\tm1\t', '\thttp\tm1\tone column too many\t'));
    const cli = spawn(process.execPath, [join(import.meta.dirname, '../../dist/backup-cli.js'), 'read'], {
      env: { ...process.env, DATABASE_OWNER_URL: url },
    });
    cli.stdin.on('error', () => undefined).end(damaged);
    const ended = once(cli, 'exit') as Promise<[number]>;
    const [said, [code]] = await Promise.all([text(cli.stderr), ended]);
    expect(said).toBe('extra data after last expected column\n');
    expect(code).toBe(1);
    expect(await query(url, 'SELECT display_name FROM people')).toEqual([{ display_name: 'still here' }]);
  });

  it('is whole where the owner of the tables is no superuser', async () => {
    await query(
      postgres.ownerUrl('postgres'),
      `CREATE ROLE ordinary LOGIN CREATEDB CREATEROLE PASSWORD 'ordinary';
       GRANT SET ON PARAMETER "app.scope" TO ordinary`,
    );
    const url = new URL(postgres.ownerUrl('kith_ordinary'));
    Object.assign(url, { username: 'ordinary', password: 'ordinary' });
    await deployMigrations(url.href, FOLDER);
    await query(
      postgres.ownerUrl('kith_ordinary'),
      `INSERT INTO people (person_id, display_name) VALUES (gen_random_uuid(), 'Ann'), (gen_random_uuid(), 'Bo')`,
    );
    const file = join(directory, 'ordinary.gz');
    expect(await writeBackup(url.href, createWriteStream(file), new Date())).toMatchObject({ people: 2 });
  });

  it('that can not be read is told with the reason', async () => {
    const gone = new Readable({
      read() {
        this.destroy(new Error('the disk is gone'));
      },
    });
    await expect(checkBackup(gone, FOLDER)).rejects.toThrow('the disk is gone');
  });

  it('fails with the reason where its destination takes no more', async () => {
    const full = new Writable({ write: (_chunk, _encoding, done) => done(new Error('the disk is full')) });
    const url = await migrated('kith_full_disk');
    await expect(writeBackup(url, full, new Date())).rejects.toThrow('the disk is full');
  });

  it('that is none is refused in words, and nothing changes', async () => {
    const url = await migrated('kith_refuse');
    await query(url, `INSERT INTO people (person_id, display_name) VALUES ($1, 'still here')`, [PERSON]);
    const file = join(directory, 'nonsense.gz');
    await writeFile(file, 'nonsense');
    const cli = spawn(process.execPath, [join(import.meta.dirname, '../../dist/backup-cli.js'), 'read'], {
      env: { ...process.env, DATABASE_OWNER_URL: url },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    createReadStream(file).pipe(cli.stdin);
    const [code] = (await once(cli, 'exit')) as [number];
    expect(code).toBe(1);
    expect(await query(url, 'SELECT display_name FROM people')).toEqual([{ display_name: 'still here' }]);
  });
});
