import type { Database } from '@kith/database';

/** A name that is new is known everywhere within this time; here at once. */
const FRESH_MS = 60_000;
const MOST_PEOPLE = 1_000;
/** More names than this are a channel's, and tell little. */
const MOST_NAMES = 50;

/** The names of those whose words are remembered, for each person. */
export class Speakers {
  readonly #known = new Map<string, { names: Promise<string[]>; until: number }>();

  constructor(private readonly database: Database) {}

  of(personId: string): Promise<string[]> {
    const held = this.#known.get(personId);
    if (held && held.until > performance.now()) return held.names;
    const names = this.#read(personId);
    names.catch(() => this.#known.delete(personId));
    this.#known.delete(personId);
    this.#known.set(personId, { names, until: performance.now() + FRESH_MS });
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_PEOPLE && oldest !== undefined) this.#known.delete(oldest);
    return names;
  }

  /** Somebody spoke: a name that is new here is known at once, without reading all of them again. */
  heard(personId: string, speaker: string): void {
    const held = this.#known.get(personId);
    if (held)
      held.names = held.names.then((names) => (names.includes(speaker) ? names : [...names, speaker]));
  }

  /** Any number of names may be new. */
  changed(personId: string): void {
    this.#known.delete(personId);
  }

  async #read(personId: string): Promise<string[]> {
    const rows = await this.database.read(
      { personId },
      (reader) => reader.$queryRaw<{ speaker: string }[]>`
        SELECT DISTINCT speaker FROM memories
        WHERE person_id = ${personId}::uuid AND speaker IS NOT NULL LIMIT ${MOST_NAMES}`,
    );
    return rows.map(({ speaker }) => speaker);
  }
}
