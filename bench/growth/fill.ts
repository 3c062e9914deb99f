import type pg from 'pg';
import { sentence } from '../sentences.ts';
import { conversationId, personId } from './ids.ts';
import { copy, dropIndexes, FILLED } from './tables.ts';

/** People by their numbers: `from` is the first of them. */
export interface People {
  from: number;
  count: number;
  /** Each leaves two memories, as a turn does in life. */
  turnsEach: number;
}

/** Lines of the person who has said most, from which everybody else's are taken. */
export const LINES = 20_000;
/** A year of talk, evenly spread. */
const SPAN_DAYS = 360;
/** Days that words stay in working copies: retention would have emptied older ones. */
const WORKING_TEXTS_DAYS = 30;

/** Makes a table of the lines that people say here. */
export async function makeLines(owner: pg.Client): Promise<void> {
  // Most of what people say is a sentence, some of it two.
  const texts = Array.from({ length: LINES }, (_, n) =>
    n % 3 === 0 ? `${sentence(n)} ${sentence(n * 31 + 7)}` : sentence(n),
  );
  await owner.query('CREATE SCHEMA bench');
  await owner.query('CREATE TABLE bench.lines (line int PRIMARY KEY, text text NOT NULL)');
  await owner.query(
    `INSERT INTO bench.lines SELECT n - 1, text FROM unnest($1::text[]) WITH ORDINALITY AS list (text, n)`,
    [texts],
  );
}

/** Keeps one row of each table, from a real turn, as the pattern of those that `fill` makes. */
export async function keepSpecimens(owner: pg.Client): Promise<void> {
  for (const table of FILLED)
    await owner.query(`CREATE TABLE bench.one_${table} AS SELECT * FROM ${table} LIMIT 1`);
}

/** Notes the lines' vectors and terms, once a person who said each of them is indexed. */
export async function keepVectors(owner: pg.Client, sayer: number): Promise<void> {
  await owner.query(
    `CREATE TABLE bench.points AS
     SELECT row_number() OVER (ORDER BY memory_id) - 1 AS line, vector, terms, space, text FROM memory_vectors
     JOIN memories ON memories.id = memory_id WHERE memory_vectors.person_id = ${personId(String(sayer))}`,
  );
  await owner.query('CREATE UNIQUE INDEX ON bench.points (line)');
  await owner.query('ANALYZE bench.points');
}

/**
 * Gives people a past: rows in every table that they would have rows in, by SQL alone. Triggers and references are left
 * out, and secondary indexes are made anew at the end, which is what makes it quick.
 * @param options.indexed false leaves the memories without vectors, for the service to index
 * @param options.keyHashes SHA-256 of the first people's keys; the others' nobody has
 */
export async function fill(
  owner: pg.Client,
  { from, count, turnsEach }: People,
  { indexed, keyHashes = [] }: { indexed: boolean; keyHashes?: readonly string[] },
): Promise<void> {
  await owner.query('SET session_replication_role = replica');
  await owner.query(`SET maintenance_work_mem = '512MB'`);
  await owner.query('SET synchronous_commit = off');
  const restoreIndexes = count > 1_000 ? await dropIndexes(owner) : async () => undefined;
  const people = { each: `generate_series(${from}, ${from + count - 1}) AS n` };
  const now = `'${new Date().toISOString()}'::timestamptz`;
  // The first is the oldest; who said it goes round, so that a person's rows lie apart as in life.
  const turns = {
    each: `(SELECT g, ${from} + g % ${count} AS n, ${now} - interval '1 minute'
        - (${count * turnsEach} - g) * interval '${SPAN_DAYS} days' / ${count * turnsEach} AS at,
        md5('turn ${from} ' || g)::uuid AS turn
      FROM generate_series(1, ${count * turnsEach}) AS g) AS turn`,
    isOld: `at < ${now} - interval '${WORKING_TEXTS_DAYS} days'`,
    said: `(SELECT text FROM bench.lines WHERE line = (g * 2) % ${LINES})`,
  };
  const born = `${now} - interval '${SPAN_DAYS} days'`;
  const owns = `'person_id', ${personId('n')}, 'companion_id', 'mira'`;

  // Every other of those that nobody talks as here talks on Discord.
  const door = keyHashes.length > 0 ? `'http'` : `CASE n % 2 WHEN 0 THEN 'http' ELSE 'discord' END`;
  const place = `'conversation_id', ${conversationId('n')}, 'person_id', ${personId('n')}, 'companion_id', 'mira',
    'turn_id', turn, 'door', ${door}`;

  await copy(owner, people.each, {
    people: `'person_id', ${personId('n')}, 'display_name', 'Person ' || n, 'created_at', ${born}`,
    identities: `'id', gen_random_uuid(), 'person_id', ${personId('n')},
      'door', CASE n % 2 WHEN 0 THEN 'http' ELSE 'discord' END, 'subject', ${personId('n')}, 'created_at', ${born}`,
    api_keys: `'id', gen_random_uuid(), 'person_id', ${personId('n')},
      'hash', coalesce(('${toArray(keyHashes)}'::text[])[n - ${from} + 1], md5('key' || n) || md5('hash' || n)),
      'name', 'bench', 'scopes', ARRAY['chat', 'memories'], 'created_at', ${born}, 'last_used_at', ${now}`,
    conversations: `${owns}, 'conversation_id', ${conversationId('n')},
      'door', ${door}, 'external_id', CASE ${door} WHEN 'http' THEN ${personId('n')} || '.main' ELSE 'dm' || n END,
      'created_at', ${born}, 'last_message_at', ${now}`,
    relationships: `${owns}, 'interactions', ${turnsEach}, 'first_met_at', ${born}`,
    outreach_settings: `'person_id', ${personId('n')}, 'opted_in', n % 4 = 3,
      'last_spoke_at', ${now} - n % 90 * interval '1 day', 'updated_at', ${now}`,
  });
  await copy(owner, turns.each, {
    inbox: `${place}, 'id', nextval('inbox_id_seq'),
      'external_id', 'message ${from} ' || g, 'text', CASE WHEN ${turns.isOld} THEN '' ELSE ${turns.said} END,
      'sent_at', at, 'received_at', at, 'ended_at', at + interval '50 ms'`,
    turns: `${place}, 'started_at', at, 'ended_at', at + interval '50 ms',
      'followed_up_at', at + interval '1 s',
      'trace', CASE WHEN ${turns.isOld} THEN (one).trace - 'recalled' - 'alsoShown' ELSE (one).trace END`,
    usage: `${place}, 'id', gen_random_uuid(), 'at', at`,
    felt_turns: `${place}, 'id', nextval('felt_turns_id_seq'), 'at', at, 'needs_at', at`,
  });
  for (const role of ['person', 'companion'])
    await copy(owner, turns.each, {
      transcript: `${place}, 'id', nextval('transcript_id_seq'), 'role', '${role}',
        'external_id', 'message ${from} ' || g, 'text', ${turns.said}, 'at', at`,
    });
  await copy(owner, `${turns.each} WHERE ${turns.isOld} IS FALSE`, {
    memory_handled_turns: `${place}, 'at', at`,
    personality_handled_turns: `${place}, 'at', at`,
    outreach_handled_turns: `${place}, 'at', at`,
  });
  await copy(owner, `${turns.each} WHERE g % 2 = 0`, {
    affect_events: `${place}, 'id', nextval('affect_events_id_seq'), 'at', at`,
  });
  await copy(owner, `${turns.each} WHERE g % 40 = 0`, {
    prospects: `${place}, 'id', gen_random_uuid(), 'since', at,
      'settled_by', CASE g % 3 WHEN 0 THEN NULL ELSE turn END`,
  });
  // Reasons to write: most are over, those of who opted in are still to come.
  await copy(owner, `${turns.each} WHERE g % 20 = 0`, {
    intentions: `${place}, 'id', gen_random_uuid(),
      'about', 'call mum ' || g, 'created_at', at, 'due_at', at + interval '2 days',
      'status', CASE WHEN at > ${now} - interval '2 days' THEN 'open' ELSE 'done' END`,
  });
  await owner.query(
    `INSERT INTO outbox (turn_id, conversation_id, person_id, door, target, text, status, attempts, platform_ids, created_at, settled_at, id)
     SELECT turn, ${conversationId('n')}, ${personId('n')}, 'discord', '{}',
      CASE WHEN ${turns.isOld} THEN '' ELSE ${turns.said} END, 'delivered', 1, ARRAY['m' || g], at, at, gen_random_uuid()
     FROM ${turns.each} WHERE n % 2 = 1`,
  );
  await owner.query(
    `INSERT INTO outreach_attempts (id, person_id, companion_id, kind, reason, because, status, decided_at)
     SELECT gen_random_uuid(), ${personId('n')}, 'mira', 'request', 'call mum', 'you asked', 'sent', at
     FROM ${turns.each} WHERE g % 25 = 0`,
  );
  await owner.query(
    `INSERT INTO discord_cursors (channel_id, is_direct, last_message_id, person_id)
     SELECT 'dm' || n, TRUE, '1', ${personId('n')} FROM ${people.each} WHERE n % 2 = 1`,
  );
  await owner.query(
    `INSERT INTO core_blocks (person_id, companion_id, audience, label, text, updated_by)
     SELECT ${personId('n')}, 'mira', 'direct', 'human', 'Lives near the harbour and mends kettles.', 'companion'
     FROM ${people.each} WHERE n % 3 = 0`,
  );
  await owner.query(
    `INSERT INTO forget_records (id, person_id, sources, everything, pending)
     SELECT gen_random_uuid(), ${personId('n')}, ARRAY['gone'], FALSE, '{}' FROM ${people.each} WHERE n % 20 = 0`,
  );
  await owner.query(
    `INSERT INTO forget_orders (id, person_id, reason, what, at, finished_at)
     SELECT gen_random_uuid(), ${personId('n')}, 'forgotten', '{}', ${now} - n * interval '1 minute', ${now}
     FROM ${people.each} WHERE n % 20 = 0`,
  );
  await owner.query(
    `INSERT INTO private_times (id, person_id, since, until)
     SELECT gen_random_uuid(), ${personId('n')}, ${born}, ${born} FROM ${people.each} WHERE n % 50 = 0`,
  );

  // Every tenth turn thought or called something, every fiftieth ended an epoch, every twentieth noted a task.
  await owner.query(
    `INSERT INTO turn_steps (turn_id, number, person_id, conversation_id, model, sealed, at)
     SELECT turn, 1, ${personId('n')}, ${conversationId('n')}, 'bench', 'sealed', at FROM ${turns.each} WHERE g % 10 = 0`,
  );
  await owner.query(
    `INSERT INTO epochs (epoch_id, conversation_id, person_id, number, tail_from, kept, started_at)
     SELECT gen_random_uuid(), ${conversationId('n')}, ${personId('n')}, g, g, ARRAY[g]::bigint[], at
     FROM ${turns.each} WHERE g % 50 = 0`,
  );
  await owner.query(
    `INSERT INTO tasks (id, person_id, companion_id, audience, number, text, state, due_at, noted_by, created_at)
     SELECT gen_random_uuid(), ${personId('n')}, 'mira', 'direct', g, 'call mum ' || g,
      CASE WHEN at > ${now} - interval '2 days' THEN 'open' ELSE 'done' END, at + interval '2 days', 'person', at
     FROM ${turns.each} WHERE g % 20 = 0`,
  );

  await fillMemories(owner, { from, count, turnsEach }, { turns: turns.each, indexed });
  await restoreIndexes();
  await owner.query('SET session_replication_role = DEFAULT');
  await owner.query('SELECT kith_count_memories()');
}

/** Two a turn: what was said, and a fact that was read in it now and then. */
async function fillMemories(
  owner: pg.Client,
  { from, count, turnsEach }: People,
  { turns, indexed }: { turns: string; indexed: boolean },
): Promise<void> {
  const source = indexed ? 'bench.points' : 'bench.lines';
  const each = `(SELECT turn.*, g * 2 - side AS m, (g * 2 - side) % ${LINES} AS line, side FROM ${turns}, generate_series(0, 1) AS side) AS memory
    JOIN ${source} USING (line)`;
  // Its first half is its time, as in the ids that the service gives.
  const id = `(lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7000'
    || '8' || lpad(to_hex(${from}), 7, '0') || lpad(to_hex(m), 8, '0'))::uuid`;
  await copy(owner, each, {
    memories: `'id', ${id}, 'person_id', ${personId('n')}, 'companion_id', 'mira',
      'conversation', ${conversationId('n')}, 'text', text, 'content_hash', md5('${from} ' || m),
      'turn_id', turn, 'sources', ARRAY['message ${from} ' || g], 'said_at', at + side * interval '1 ms',
      'created_at', at, 'read_at', at, 'indexed_in', ${indexed ? 'CASE WHEN m % 25 <> 0 THEN space END' : 'NULL::text'},
      'kind', CASE WHEN m % 20 = 0 THEN 'fact' ELSE 'episode' END,
      'attribute', CASE WHEN m % 2000 = 0 THEN 'wish:kettles' WHEN m % 20 = 0 THEN 'likes' END,
      'value', CASE WHEN m % 20 = 0 THEN 'kettles' END,
      'valid_from', CASE WHEN m % 20 = 0 THEN at END,
      'shelf', CASE WHEN ${indexed} AND m % 25 = 0 THEN 'archive' ELSE 'open' END, 'importance', 1 + m % 10`,
  });
  if (!indexed) return;
  await owner.query(
    `INSERT INTO memory_vectors (memory_id, space, person_id, companion_id, audience, vector, terms, conversation, said_at, version)
     SELECT ${id}, space, ${personId('n')}, 'mira', 'direct', vector, terms,
      ${conversationId('n')}, at, ceil(g::float8 / ${count})::bigint
     FROM ${each} WHERE m % 25 <> 0`,
  );
  await owner.query(
    `INSERT INTO memory_vector_versions (person_id, space, version, cleared_version)
     SELECT ${personId('n')}, (SELECT space FROM bench.points LIMIT 1), ${turnsEach} + 1, 0
     FROM generate_series(${from}, ${from + count - 1}) AS n`,
  );
}

function toArray(values: readonly string[]): string {
  return `{${values.join(',')}}`;
}
