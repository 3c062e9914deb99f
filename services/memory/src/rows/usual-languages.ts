import { HOUR_MS } from '@kith/contracts';
import type { Database } from '@kith/database';
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
    const rows = await this.database.reader({ personId }).$queryRaw<{ text: string }[]>`
      SELECT text FROM memories WHERE person_id = ${personId}::uuid AND writer = 'person' AND shelf = 'open'
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
