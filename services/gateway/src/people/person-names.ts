import { erasedError } from '@kith/contracts';
import type { Database } from '@kith/database';
import { KeptAnswers } from '@kith/messaging';

/** Broadcast that tells replicas, by their ids, who has a new name. */
export const RENAMED_CHANNEL = 'people.named';

/** Finds the names of people, and keeps them in this process. */
export class PersonNames {
  private readonly names: KeptAnswers<string>;

  constructor(
    private readonly database: Database,
    broadcasts: ConstructorParameters<typeof KeptAnswers>[0],
  ) {
    this.names = new KeptAnswers(broadcasts, RENAMED_CHANNEL);
  }

  /** Hears of names that other replicas change. */
  listen(): void {
    this.names.listen();
  }

  /** Finds what a person is called. @throws AppError as `isErased` tells, when the person is gone */
  async of(personId: string): Promise<string> {
    return this.names.of(personId, async () => {
      const [person] = await this.database.read(
        { personId },
        (reader) => reader.$queryRaw<{ displayName: string }[]>`
          SELECT display_name AS "displayName" FROM people WHERE person_id = ${personId}::uuid`,
      );
      if (!person) throw erasedError(undefined);
      return person.displayName;
    });
  }

  /** Drops a person's name from the cache. */
  forget(personId: string): void {
    this.names.drop([personId]);
  }
}
