import { inParts, MAX_TURNS_IN_JOB, memoryContract } from '@kith/contracts';
import { sql, type Database } from '@kith/database';
import { BATCH } from '../facts/fact-extractor.js';
import { ARE_OWN_WORDS } from '../rows/own-words.js';
import type { UpkeepParts } from './upkeep-parts.js';

/** Time between two checks: an enqueued reading is done within a minute, unless many wait. */
export const CHECK_EVERY_MS = 10 * 60_000;
/** People checked at once: the others follow when these were read. */
const MAX_PEOPLE = 1_000;

const ARE_UNREAD = sql`kind = 'episode' AND shelf = 'open' AND read_at IS NULL AND ${ARE_OWN_WORDS}`;

/** Next unread lines of a person with a companion. */
interface NextUnread {
  personId: string;
  companionId: string;
  /** Hash of their ids, which changes as soon as one of them is read. */
  lines: string;
}

/**
 * Enqueues the reading of lines whose job was lost, with Redis or with the process that was to enqueue it. A reading
 * that is under way is not enqueued twice: two checks find the same lines only where nobody reads. Compares several
 * lines, because one of a DM may wait while later ones of channels are read.
 */
export class UnreadLines {
  /** Hashes of the last check, by person and companion. */
  private found = new Map<string, string>();

  constructor(private readonly parts: Pick<UpkeepParts, 'database' | 'messenger'>) {}

  async orderLost(now: Date): Promise<void> {
    const { database, messenger } = this.parts;
    const rows = await readNextUnread(database);
    const left = rows.filter((row) => this.found.get(keyOf(row)) === row.lines);
    // Every replica checks. The rounded time gives their jobs the same id.
    const orderedAt = new Date(now.getTime() - (now.getTime() % CHECK_EVERY_MS)).toISOString();
    for (const some of inParts(left, MAX_TURNS_IN_JOB)) {
      const whose = some.map(({ personId, companionId }) => ({ personId, companionId }));
      await messenger.enqueue(memoryContract.extract, { whose, orderedAt });
    }
    this.found = new Map(rows.map((row) => [keyOf(row), row.lines]));
  }
}

function keyOf({ personId, companionId }: NextUnread): string {
  return `${personId} ${companionId}`;
}

/**
 * Reads each person's next unread lines. Skips from person to person in the index, so that its cost does not grow with
 * the lines.
 */
function readNextUnread(database: Database): Promise<NextUnread[]> {
  return database.reader('system').$queryRaw<NextUnread[]>`
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
        ORDER BY person_id, companion_id, said_at, id LIMIT ${BATCH}) AS line) AS next`;
}
