import type { Database } from '@kith/database';
import { ReadOfLate } from './read-of-late.js';

/** Time for which names are kept: a name that is new elsewhere is known here within it. */
const FRESH_MS = 60_000;
/** Names that are read of one person: more are those of a channel, and tell little. */
const MAX_NAMES = 50;

/** Knows the names of those whose words are remembered, for each person. */
export class SpeakerNames extends ReadOfLate<string[]> {
  constructor(private readonly database: Database) {
    super(FRESH_MS);
  }

  /** Adds a name that may be new, without reading all of them again. */
  add(personId: string, speaker: string): void {
    const held = this.known.get(personId);
    if (!held) return;
    held.value = held.value.then((names) => (names.includes(speaker) ? names : [...names, speaker]));
    // Nobody may be waiting for it: whoever asked for the names hears why they could not be read.
    held.value.catch(() => undefined);
  }

  /** Has a person's names read again, of which any number may be new. */
  reload(personId: string): void {
    this.known.delete(personId);
  }

  protected async read(personId: string): Promise<string[]> {
    const rows = await this.database.read(
      { personId },
      (reader) => reader.$queryRaw<{ speaker: string }[]>`
        SELECT DISTINCT speaker FROM memories
        WHERE person_id = ${personId}::uuid AND speaker IS NOT NULL LIMIT ${MAX_NAMES}`,
    );
    return rows.map(({ speaker }) => speaker);
  }
}
