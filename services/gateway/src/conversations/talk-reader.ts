import { emptySql, type Reader, type Sql } from '@kith/database';
import { toldTo } from './may-tell.js';
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

/**
 * Newest notes of changed lines that are summed up: somebody may edit their message a thousand times. A new one raises the
 * sum, also where it was numbered before others and committed after them: so many are not made while it is open.
 */
const MAX_CHANGES = 500;

/** Checksum of the notes of changed lines. Any change of a line alters it, and so does the end of old notes. */
interface Changes {
  count: number;
  ids: string;
}

/** Talk as it was last read. */
interface HeldTalk {
  talk: Talk;
  changes: Changes;
  /** The newest line of it; 0 where nothing is held. */
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
  noteCount: number;
  noteIds: string;
}

const NOTHING: HeldTalk = {
  talk: { epoch: null, kept: [], earlier: [] },
  changes: { count: 0, ids: '0' },
  last: 0n,
  characters: 0,
  readAt: 0,
};

/**
 * Reads what a prompt tells of a conversation. Talk that was told a moment ago is held, and only newer lines are read: a
 * turn numbers its lines under the conversation's lock (`save-turn.ts`), so none comes later with a lower number. If any
 * line was forgotten, changed or withheld since, as the store notes in the same transaction, all are read again.
 */
export class TalkReader {
  /** By place, the one read last at the end. */
  private readonly held = new Map<string, HeldTalk>();
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
    const { changes, last } = held;
    // `place` is a table of its own: the index is searched by a column, and not by an expression that asks for others.
    const rows = await reader.$queryRaw<Row[]>`
      WITH epoch AS MATERIALIZED (
        SELECT epoch_id, number, tail_from, kept, facts FROM epochs WHERE conversation_id = ${conversationId}::uuid
        ORDER BY number DESC LIMIT 1
      ), seen AS MATERIALIZED (
        SELECT count, ids, ${last}::bigint > 0 AND count = ${changes.count} AND ids = ${changes.ids}
          AND (SELECT epoch_id FROM epoch) IS NOT DISTINCT FROM ${held.talk.epoch?.id ?? null}::uuid ${where} AS "isHeld"
        FROM (
          SELECT count(*)::int AS count, coalesce(sum(id), 0)::text AS ids FROM (
            SELECT id FROM transcript_changes WHERE conversation_id = ${conversationId}::uuid
            ORDER BY id DESC LIMIT ${MAX_CHANGES}
          ) AS newest
        ) AS changes
      ), place AS MATERIALIZED (
        SELECT CASE WHEN "isHeld" THEN ${last}::bigint
          ELSE coalesce((SELECT tail_from FROM epoch), 0) - 1 END AS after FROM seen
      ), told AS (
        SELECT said.* FROM place CROSS JOIN LATERAL (
          SELECT id, role, name, text, at, turn_id, person_id, external_id FROM transcript
          WHERE conversation_id = ${conversationId}::uuid AND id > after AND ${toldTo(personId)} ${where}
          ORDER BY id DESC LIMIT ${MAX_TAIL_LINES}
        ) AS said
        UNION ALL
        SELECT id, role, name, text, at, turn_id, person_id, external_id FROM transcript
        WHERE id = ANY ((SELECT kept FROM epoch WHERE NOT (SELECT "isHeld" FROM seen))::bigint[])
          AND conversation_id = ${conversationId}::uuid AND ${toldTo(personId)} ${where}
      )
      SELECT "isHeld", count AS "noteCount", ids AS "noteIds", epoch_id AS "epochId", number,
        tail_from AS "tailFrom", id, role, name, text, at, turn_id AS "turnId", person_id AS "personId",
        external_id AS "externalId", coalesce(id = ANY (facts), false) AS "asFact",
        EXISTS (SELECT 1 FROM tool_calls
          WHERE person_id = ${personId}::uuid AND conversation_id = ${conversationId}::uuid
            AND expires_at IS NOT NULL) AS "wasAsked"
      FROM seen LEFT JOIN epoch ON true LEFT JOIN told ON true
      ORDER BY id`;
    // A row without a line holds the epoch alone (LEFT JOIN).
    const lines = rows.filter(({ id }: { id: bigint | null }) => id !== null);
    const next = rows[0]?.isHeld ? extended(held, lines, lines) : begun(rows[0], lines);
    this.hold(key, next);
    return { ...next.talk, wasAsked: rows[0]?.wasAsked === true };
  }

  /** Drops the held talk of a person who is being erased. */
  forget(personId: string): void {
    for (const key of this.held.keys()) if (key.endsWith(personId)) this.drop(key);
  }

  private hold(key: string, held: HeldTalk): void {
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

/** Makes a talk all of whose lines were read now. */
function begun(first: Row | undefined, lines: readonly Row[]): HeldTalk {
  const epoch =
    first && first.epochId !== null
      ? { id: first.epochId, number: first.number, tailFrom: first.tailFrom }
      : null;
  const isKept = ({ id }: Row) => epoch !== null && id < epoch.tailFrom;
  const kept = lines.filter(isKept).map((row) => ({ ...lineOf(row), asFact: row.asFact }));
  const changes = first ? { count: first.noteCount, ids: first.noteIds } : NOTHING.changes;
  return extended(
    { ...NOTHING, changes, talk: { epoch, kept, earlier: [] } },
    lines,
    lines.filter((row) => !isKept(row)),
  );
}

/**
 * Extends the held talk by the lines that were read now.
 * @param said those of them that come after what the snapshot tells
 */
function extended(
  { talk, changes, last, characters }: HeldTalk,
  read: readonly Row[],
  said: readonly Row[],
): HeldTalk {
  const earlier =
    said.length === 0 ? talk.earlier : [...talk.earlier, ...said.map(lineOf)].slice(-MAX_TAIL_LINES);
  return {
    talk: { ...talk, earlier },
    changes,
    last: read.at(-1)?.id ?? last,
    characters: read.reduce((sum, { text }) => sum + text.length + LINE_CHARACTERS, characters),
    readAt: performance.now(),
  };
}

function lineOf({ id, role, name, text, at, turnId, personId, externalId }: Row): EarlierMessage {
  return { id, role, name, text, at, turnId, personId, externalId };
}
