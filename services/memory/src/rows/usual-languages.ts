import type { Database } from '@kith/database';
import { DEFAULT_LANGUAGE, detectLanguage, type Language } from '@kith/reading';

/** Time for which a language is kept: nobody changes theirs within the hour. */
const FRESH_MS = 60 * 60_000;
/** People whose language is kept: some hundred KB. */
const MAX_PEOPLE = 1_000;
/** Lines that are looked at of each: the language of most of them is the usual one. */
const LINES = 40;

/** Knows the language that each person mostly uses, for questions that don't show theirs: "Schuhe?" */
export class UsualLanguages {
  private readonly known = new Map<string, { language: Promise<Language>; until: number }>();

  constructor(private readonly database: Database) {}

  of(personId: string): Promise<Language> {
    const held = this.known.get(personId);
    if (held && held.until > performance.now()) return held.language;
    const language = this.read(personId);
    language.catch(() => this.known.delete(personId));
    this.known.delete(personId);
    this.known.set(personId, { language, until: performance.now() + FRESH_MS });
    const [oldest] = this.known.keys();
    if (this.known.size > MAX_PEOPLE && oldest !== undefined) this.known.delete(oldest);
    return language;
  }

  private async read(personId: string): Promise<Language> {
    const rows = await this.database.read(
      { personId },
      (reader) => reader.$queryRaw<{ text: string }[]>`
        SELECT text FROM memories WHERE person_id = ${personId}::uuid AND writer = 'person' AND shelf = 'open'
        ORDER BY said_at DESC LIMIT ${LINES}`,
    );
    return usualOf(rows.map(({ text }) => text));
  }
}

/** The language of most lines that show theirs; English where none does. */
export function usualOf(lines: readonly string[]): Language {
  const shown = lines.map((line) => detectLanguage(line)).filter(({ isSure }) => isSure);
  const counted = [...Map.groupBy(shown, ({ language }) => language)].sort(
    ([, a], [, b]) => b.length - a.length,
  );
  return counted[0]?.[0] ?? DEFAULT_LANGUAGE;
}
