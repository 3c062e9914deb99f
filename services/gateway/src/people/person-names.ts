import { erasedError } from '@kith/contracts';
import type { Database } from '@kith/database';

const CACHE_MS = 60_000;
const CACHE_SIZE = 10_000;

/** What people are called. A name that was changed at a door is used after a minute at the latest. */
export class PersonNames {
  readonly #cache = new Map<string, { name: string; until: number }>();

  constructor(private readonly database: Database) {}

  /** @throws AppError as `isErased` tells, when the person is gone */
  async of(personId: string): Promise<string> {
    const cached = this.#cache.get(personId);
    if (cached && cached.until > Date.now()) return cached.name;
    const [person] = await this.database.read(
      { personId },
      (reader) => reader.$queryRaw<{ displayName: string }[]>`
        SELECT display_name AS "displayName" FROM people WHERE person_id = ${personId}::uuid`,
    );
    if (!person) throw erasedError(undefined);
    const { displayName } = person;
    if (this.#cache.size >= CACHE_SIZE) this.#cache.clear();
    this.#cache.set(personId, { name: displayName, until: Date.now() + CACHE_MS });
    return displayName;
  }

  forget(personId: string): void {
    this.#cache.delete(personId);
  }
}
