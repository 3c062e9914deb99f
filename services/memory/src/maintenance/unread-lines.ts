import { MAX_TURNS_IN_JOB, memoryContract } from '@kith/contracts';
import { ARE_OWN_WORDS } from '../rows/own-words.js';
import { sql, type Database } from '@kith/database';
import type { UpkeepParts } from './upkeep-parts.js';

/** Time between two looks: an order is carried out within a minute, unless many wait. */
export const LOOK_EVERY_MS = 10 * 60_000;
/** People of whom lines are looked at in one look: the others come when these were read. */
const MAX_PEOPLE = 1_000;

const ARE_UNREAD = sql`kind = 'episode' AND shelf = 'open' AND read_at IS NULL AND ${ARE_OWN_WORDS}`;

/** First line that a person said to a companion and that was not read for facts. */
interface FirstUnread {
  personId: string;
  companionId: string;
  id: string;
}

/**
 * Orders the reading of lines whose order was lost, with Redis or with the process that was to give it. Two looks find
 * the same first line only where nobody reads: a long reading moves on between them, and is not ordered twice.
 */
export class UnreadLines {
  /** First unread lines of the last look, by person and companion. */
  private found = new Map<string, string>();

  constructor(private readonly parts: Pick<UpkeepParts, 'database' | 'messenger'>) {}

  async look(now: Date): Promise<void> {
    const { database, messenger } = this.parts;
    const rows = await readFirstUnread(database);
    const left = rows.filter((row) => this.found.get(keyOf(row)) === row.id);
    // Of several replicas each looks: their orders have one id.
    const orderedAt = new Date(now.getTime() - (now.getTime() % LOOK_EVERY_MS)).toISOString();
    for (let from = 0; from < left.length; from += MAX_TURNS_IN_JOB) {
      const some = left.slice(from, from + MAX_TURNS_IN_JOB);
      const whose = some.map(({ personId, companionId }) => ({ personId, companionId }));
      await messenger.enqueue(memoryContract.extract, { whose, orderedAt });
    }
    this.found = new Map(rows.map((row) => [keyOf(row), row.id]));
  }
}

function keyOf({ personId, companionId }: FirstUnread): string {
  return `${personId} ${companionId}`;
}

/** Reads each person's first unread line, from one to the next in the index, whatever else is unread. */
function readFirstUnread(database: Database): Promise<FirstUnread[]> {
  return database.read(
    'system',
    (reader) => reader.$queryRaw<FirstUnread[]>`
      WITH RECURSIVE first AS (
        (SELECT person_id, companion_id, id FROM memories WHERE ${ARE_UNREAD}
          ORDER BY person_id, companion_id, said_at, id LIMIT 1)
        UNION ALL
        SELECT next.* FROM first CROSS JOIN LATERAL (
          SELECT person_id, companion_id, id FROM memories
          WHERE ${ARE_UNREAD} AND (person_id, companion_id) > (first.person_id, first.companion_id)
          ORDER BY person_id, companion_id, said_at, id LIMIT 1) AS next
      )
      SELECT person_id::text AS "personId", companion_id AS "companionId", id::text FROM first LIMIT ${MAX_PEOPLE}`,
  );
}
