import { sql, type Database, type Sql } from '@kith/database';
import { ARE_OWN_WORDS } from './own-words.js';
import { FreshReads } from './fresh-reads.js';

/** Time for which names are kept: a name that is new elsewhere is known here within it. */
const FRESH_MS = 60_000;
/** Names that are read of one person, their own first: more are those of a channel, and tell little. */
const MAX_NAMES = 50;
/** Entries that are read, one for each kind and writer of a name's memories: there are a handful of those. */
const MAX_FOUND = 8 * MAX_NAMES;

/** Name of somebody whose words are remembered. */
export interface SpeakerName {
  name: string;
  /** True for a name that the person has, or had somewhere. */
  isOwn: boolean;
}

/** Knows the names of those whose words are remembered, for each person. */
export class SpeakerNames extends FreshReads<SpeakerName[]> {
  constructor(private readonly database: Database) {
    super(FRESH_MS);
  }

  /** Adds a name of the person's that may be new, without reading all of them again. */
  add(personId: string, name: string): void {
    const held = this.known.get(personId);
    if (!held) return;
    held.value = held.value.then((names) =>
      names.some((known) => known.isOwn && known.name === name)
        ? names
        : [...names.filter((known) => known.name !== name), { name, isOwn: true }],
    );
    // Nobody may be awaiting it here: whoever asked for the names gets the error.
    held.value.catch(() => undefined);
  }

  /** Has a person's names read again, of which any number may be new. */
  reload(personId: string): void {
    this.known.delete(personId);
  }

  protected read(personId: string): Promise<SpeakerName[]> {
    const next = (after: Sql) => sql`
      SELECT kind, writer, speaker FROM memories
      WHERE person_id = ${personId}::uuid AND speaker IS NOT NULL AND ${after}
      ORDER BY kind DESC, writer DESC, speaker DESC LIMIT 1`;
    // From name to name in the index: a person has few, however many of their memories there are. Their own come first.
    return this.database.reader({ personId }).$queryRaw<SpeakerName[]>`
      WITH RECURSIVE named AS (
        (${next(sql`TRUE`)})
        UNION ALL
        SELECT next.* FROM named CROSS JOIN LATERAL (
          ${next(sql`(kind, writer, speaker) < (named.kind, named.writer, named.speaker)`)}) AS next
      )
      SELECT speaker AS name, bool_or(kind = 'fact' OR ${ARE_OWN_WORDS}) AS "isOwn"
      FROM (SELECT * FROM named LIMIT ${MAX_FOUND}) AS found
      GROUP BY speaker ORDER BY "isOwn" DESC, speaker LIMIT ${MAX_NAMES}`;
  }
}
