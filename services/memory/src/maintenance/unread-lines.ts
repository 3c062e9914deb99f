import { MAX_TURNS_IN_JOB, memoryContract } from '@kith/contracts';
import { sql, type Database } from '@kith/database';
import { BATCH } from '../facts/fact-extractor.js';
import { ARE_OWN_WORDS } from '../rows/own-words.js';
import type { UpkeepParts } from './upkeep-parts.js';

/** Time between two looks: an order is carried out within a minute, unless many wait. */
export const LOOK_EVERY_MS = 10 * 60_000;
/** People of whom lines are looked at in one look: the others come when these were read. */
const MAX_PEOPLE = 1_000;

const ARE_UNREAD = sql`kind = 'episode' AND shelf = 'open' AND read_at IS NULL AND ${ARE_OWN_WORDS}`;

/** Lines that a person said to a companion and that were not read for facts: those that a reading takes up next. */
interface NextUnread {
  personId: string;
  companionId: string;
  /** Sign of these lines, another as soon as one of them was read. */
  lines: string;
}

/**
 * Orders the reading of lines whose order was lost, with Redis or with the process that was to give it. Two looks find
 * the same lines only where nobody reads: a long reading moves on between them, and is not ordered twice. The first line
 * alone would not tell: one of a DM waits while later ones of channels are read.
 */
export class UnreadLines {
  /** Signs of the last look, by person and companion. */
  private found = new Map<string, string>();

  constructor(private readonly parts: Pick<UpkeepParts, 'database' | 'messenger'>) {}

  async look(now: Date): Promise<void> {
    const { database, messenger } = this.parts;
    const rows = await readNextUnread(database);
    const left = rows.filter((row) => this.found.get(keyOf(row)) === row.lines);
    // Of several replicas each looks: their orders have one id.
    const orderedAt = new Date(now.getTime() - (now.getTime() % LOOK_EVERY_MS)).toISOString();
    for (let from = 0; from < left.length; from += MAX_TURNS_IN_JOB) {
      const some = left.slice(from, from + MAX_TURNS_IN_JOB);
      const whose = some.map(({ personId, companionId }) => ({ personId, companionId }));
      await messenger.enqueue(memoryContract.extract, { whose, orderedAt });
    }
    this.found = new Map(rows.map((row) => [keyOf(row), row.lines]));
  }
}

function keyOf({ personId, companionId }: NextUnread): string {
  return `${personId} ${companionId}`;
}

/** Reads each person's next unread lines, from one person to the next in the index, whatever else is unread. */
function readNextUnread(database: Database): Promise<NextUnread[]> {
  return database.read(
    'system',
    (reader) => reader.$queryRaw<NextUnread[]>`
      WITH RECURSIVE first AS (
        (SELECT person_id, companion_id FROM memories WHERE ${ARE_UNREAD}
          ORDER BY person_id, companion_id, said_at, id LIMIT 1)
        UNION ALL
        SELECT next.* FROM first CROSS JOIN LATERAL (
          SELECT person_id, companion_id FROM memories
          WHERE ${ARE_UNREAD} AND (person_id, companion_id) > (first.person_id, first.companion_id)
          ORDER BY person_id, companion_id, said_at, id LIMIT 1) AS next
      )
      SELECT person_id::text AS "personId", companion_id AS "companionId", next.lines
      FROM (SELECT * FROM first LIMIT ${MAX_PEOPLE}) AS whose CROSS JOIN LATERAL (
        SELECT md5(string_agg(line.id::text, ' ' ORDER BY line.id)) AS lines FROM (
          SELECT id FROM memories
          WHERE ${ARE_UNREAD} AND person_id = whose.person_id AND companion_id = whose.companion_id
          ORDER BY person_id, companion_id, said_at, id LIMIT ${BATCH}) AS line) AS next`,
  );
}
