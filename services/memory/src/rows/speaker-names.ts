import type { Database } from '@kith/database';

/** Time for which names are kept: a name that is new elsewhere is known here within it. */
const FRESH_MS = 60_000;
/** People whose names are kept: some hundred KB. */
const MAX_PEOPLE = 1_000;
/** Names that are read of one person: more are those of a channel, and tell little. */
const MAX_NAMES = 50;

/** Knows the names of those whose words are remembered, for each person. */
export class SpeakerNames {
  private readonly known = new Map<string, { names: Promise<string[]>; until: number }>();

  constructor(private readonly database: Database) {}

  of(personId: string): Promise<string[]> {
    const held = this.known.get(personId);
    if (held && held.until > performance.now()) return held.names;
    const names = this.read(personId);
    names.catch(() => this.known.delete(personId));
    this.known.delete(personId);
    this.known.set(personId, { names, until: performance.now() + FRESH_MS });
    const [oldest] = this.known.keys();
    if (this.known.size > MAX_PEOPLE && oldest !== undefined) this.known.delete(oldest);
    return names;
  }

  /** Adds a name that may be new, without reading all of them again. */
  add(personId: string, speaker: string): void {
    const held = this.known.get(personId);
    if (held)
      held.names = held.names.then((names) => (names.includes(speaker) ? names : [...names, speaker]));
  }

  /** Has a person's names read again, of which any number may be new. */
  reload(personId: string): void {
    this.known.delete(personId);
  }

  private async read(personId: string): Promise<string[]> {
    const rows = await this.database.read(
      { personId },
      (reader) => reader.$queryRaw<{ speaker: string }[]>`
        SELECT DISTINCT speaker FROM memories
        WHERE person_id = ${personId}::uuid AND speaker IS NOT NULL LIMIT ${MAX_NAMES}`,
    );
    return rows.map(({ speaker }) => speaker);
  }
}
