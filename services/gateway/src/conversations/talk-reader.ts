import { emptySql, type Reader, type Sql } from '@kith/database';
import { toldTo } from '../forgetting/may-tell.js';
import { speakerKey, type Speaker } from './conversations.js';
import type { EarlierMessage, KeptLine, SpeakersTalk, Talk } from './talk.js';

/**
 * Most lines that a prompt tells verbatim. An epoch ends by then, however short they are. Reading them all takes some
 * five milliseconds.
 */
export const MAX_TAIL_LINES = 1_000;

/** Time after the last turn for which its talk is held: most of those who write on do so within it. */
const HELD_MS = 5 * 60_000;
/** Characters that are held in all, some 200 talks of a few thousand tokens: at most two bytes each. */
const MAX_CHARACTERS = 4_000_000;
/** Characters that a line counts beside its words: the ids, names and dates of an object. */
const LINE_CHARACTERS = 300;

/** Checksum of lines. Any change alters it, because Postgres gives a row that is written a higher version. */
interface Digest {
  count: number;
  ids: bigint;
  versions: bigint;
}

/** Talk as it was last read. */
interface Held {
  talk: Talk;
  digest: Digest;
  /** The newest line of it. */
  last: bigint;
  characters: number;
  readAt: number;
}

interface Row extends KeptLine {
  isHeld: boolean;
  wasAsked: boolean;
  epochId: string | null;
  number: number;
  tailFrom: bigint;
  version: bigint;
}

const NOTHING: Held = {
  talk: { epoch: null, kept: [], earlier: [] },
  digest: { count: 0, ids: 0n, versions: 0n },
  last: 0n,
  characters: 0,
  readAt: 0,
};

/**
 * Reads what a prompt tells of a conversation. Talk that was told a moment ago is held, and only newer lines are read.
 * The store checks the rest row by row: if any line was forgotten, changed or withheld since, all are read again.
 */
export class TalkReader {
  /** By place, the one read last at the end. */
  private readonly held = new Map<string, Held>();
  private characters = 0;

  constructor() {
    setInterval(() => this.dropIdle(), HELD_MS / 5).unref();
  }

  /**
   * Reads what may be told this person of the conversation: the newest epoch's snapshot, and all that was said since. Both
   * are read from the transcript. A talk that goes on has the same objects for the lines that it had before.
   * @param where a condition without which nothing is read
   */
  async read(reader: Reader, speaker: Speaker, where: Sql = emptySql): Promise<SpeakersTalk> {
    const { conversationId, personId } = speaker;
    const key = speakerKey(speaker);
    const held = this.held.get(key) ?? NOTHING;
    const { digest, last } = held;
    const rows = await reader.$queryRaw<Row[]>`
      WITH epoch AS MATERIALIZED (
        SELECT epoch_id, number, tail_from, kept, facts FROM epochs WHERE conversation_id = ${conversationId}::uuid
        ORDER BY number DESC LIMIT 1
      ), tail AS MATERIALIZED (
        SELECT coalesce(max(tail_from), 0) AS starts FROM epoch
      ), told AS MATERIALIZED (
        SELECT said.* FROM tail CROSS JOIN LATERAL (
          SELECT id, role, name, text, at, turn_id, external_id, xmin::text::bigint AS version FROM transcript
          WHERE conversation_id = ${conversationId}::uuid AND id >= starts AND ${toldTo(personId)} ${where}
          ORDER BY id DESC LIMIT ${MAX_TAIL_LINES}
        ) AS said
        UNION ALL
        SELECT id, role, name, text, at, turn_id, external_id, xmin::text::bigint FROM transcript
        WHERE id = ANY ((SELECT kept FROM epoch)::bigint[]) AND conversation_id = ${conversationId}::uuid
          AND ${toldTo(personId)} ${where}
      ), seen AS (
        SELECT count(*) = ${digest.count} AND count(*) > 0 AND sum(id) = ${String(digest.ids)}::numeric
          AND sum(version) = ${String(digest.versions)}::numeric
          AND (SELECT epoch_id FROM epoch) IS NOT DISTINCT FROM ${held.talk.epoch?.id ?? null}::uuid AS "isHeld"
        FROM told WHERE id <= ${last}
      )
      SELECT coalesce("isHeld", false) AS "isHeld", epoch_id AS "epochId", number, tail_from AS "tailFrom", id, role, name,
        text, at, turn_id AS "turnId", external_id AS "externalId", version, coalesce(id = ANY (facts), false) AS "asFact",
        EXISTS (SELECT 1 FROM tool_calls
          WHERE person_id = ${personId}::uuid AND conversation_id = ${conversationId}::uuid
            AND expires_at IS NOT NULL) AS "wasAsked"
      FROM seen LEFT JOIN epoch ON true LEFT JOIN told ON "isHeld" IS NOT TRUE OR id > ${last}
      ORDER BY id`;
    const lines = rows.filter(hasLine);
    const next = rows[0]?.isHeld ? extended(held, lines, lines) : begun(rows[0], lines);
    this.hold(key, next);
    return { ...next.talk, wasAsked: rows[0]?.wasAsked === true };
  }

  /** Drops what is held of a person's talk, who is being erased. */
  forget(personId: string): void {
    for (const key of this.held.keys()) if (key.endsWith(personId)) this.drop(key);
  }

  private hold(key: string, held: Held): void {
    this.drop(key);
    if (held.talk.earlier.length + held.talk.kept.length === 0) return;
    this.held.set(key, held);
    this.characters += held.characters;
    for (const oldest of this.held.keys()) {
      if (this.characters <= MAX_CHARACTERS) break;
      this.drop(oldest);
    }
  }

  private drop(key: string): void {
    this.characters -= this.held.get(key)?.characters ?? 0;
    this.held.delete(key);
  }

  private dropIdle(): void {
    const now = performance.now();
    for (const [key, { readAt }] of this.held) if (now - readAt > HELD_MS) this.drop(key);
  }
}

/** Talk of which every line was read now. */
function begun(first: Row | undefined, lines: readonly Row[]): Held {
  const epoch =
    first && first.epochId !== null
      ? { id: first.epochId, number: first.number, tailFrom: first.tailFrom }
      : null;
  const isKept = ({ id }: Row) => epoch !== null && id < epoch.tailFrom;
  const kept = lines.filter(isKept).map((row) => ({ ...lineOf(row), asFact: row.asFact }));
  return extended(
    { ...NOTHING, talk: { epoch, kept, earlier: [] } },
    lines,
    lines.filter((row) => !isKept(row)),
  );
}

/**
 * Talk as it was held, with the lines that were read now.
 * @param said those of them that come after what the snapshot tells
 */
function extended(
  { talk, digest, last, characters }: Held,
  read: readonly Row[],
  said: readonly Row[],
): Held {
  const earlier = [...talk.earlier, ...said.map(lineOf)].slice(-MAX_TAIL_LINES);
  return {
    talk: { ...talk, earlier },
    digest: {
      count: digest.count + read.length,
      ids: read.reduce((sum, { id }) => sum + id, digest.ids),
      versions: read.reduce((sum, { version }) => sum + version, digest.versions),
    },
    last: read.at(-1)?.id ?? last,
    characters: read.reduce((sum, { text }) => sum + text.length + LINE_CHARACTERS, characters),
    readAt: performance.now(),
  };
}

/** Tells a line from the row that comes where there is none. */
function hasLine({ id }: { id: bigint | null }): boolean {
  return id !== null;
}

function lineOf({ id, role, name, text, at, turnId, externalId }: Row): EarlierMessage {
  return { id, role, name, text, at, turnId, externalId };
}
