import { HOUR_MS } from '@kith/contracts';
import { sql, type Database, type Sql } from '@kith/database';
import { DEFAULT_LANGUAGE, detectLanguage, type Language } from '@kith/reading';
import { FreshReads } from './fresh-reads.js';

/** Time for which a language is kept: nobody changes theirs within the hour. */
const FRESH_MS = HOUR_MS;
/** Lines that are read of each person: the language of most of them is the usual one. */
const LINES = 40;

/** Knows the language that each person mostly uses, for questions that don't show theirs: "Schuhe?" */
export class UsualLanguages extends FreshReads<Language> {
  constructor(private readonly database: Database) {
    super(FRESH_MS);
  }

  protected async read(personId: string): Promise<Language> {
    const next = (after: Sql) => sql`
      SELECT companion_id FROM memories WHERE person_id = ${personId}::uuid AND ${after}
      ORDER BY companion_id LIMIT 1`;
    // The index has a person's lines in order for each companion: without one, all that they ever said would be read.
    const rows = await this.database.reader({ personId }).$queryRaw<{ text: string }[]>`
      WITH RECURSIVE met AS (
        (${next(sql`TRUE`)})
        UNION ALL
        SELECT next.* FROM met CROSS JOIN LATERAL (${next(sql`companion_id > met.companion_id`)}) AS next
      )
      SELECT text FROM met CROSS JOIN LATERAL (
        SELECT text, said_at FROM memories
        WHERE person_id = ${personId}::uuid AND companion_id = met.companion_id AND writer = 'person' AND shelf = 'open'
        ORDER BY said_at DESC LIMIT ${LINES}) AS line
      ORDER BY said_at DESC LIMIT ${LINES}`;
    const usual = usualOf(rows.map(({ text }) => text));
    // The default is not cached for somebody with few lines: it would hold for an hour. It is for somebody with many
    // lines of no known language, who would else be read at each turn.
    if (usual === null && rows.length < LINES) this.known.delete(personId);
    return usual ?? DEFAULT_LANGUAGE;
  }
}

/** Finds the language of most lines that show theirs; null where none does. */
function usualOf(lines: readonly string[]): Language | null {
  const shown = lines.map((line) => detectLanguage(line)).filter(({ isSure }) => isSure);
  const counted = [...Map.groupBy(shown, ({ language }) => language)].sort(
    ([, a], [, b]) => b.length - a.length,
  );
  return counted[0]?.[0] ?? null;
}
