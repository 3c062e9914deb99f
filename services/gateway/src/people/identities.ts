import type { Door } from '@kith/contracts';
import { isDuplicate, type Database } from '@kith/database';
import { KeptAnswers } from '@kith/messaging';
import { addPerson } from './key-rows.js';

interface Account {
  door: Door;
  /** The door's own id of the account. */
  subject: string;
  /** Its name at the door, not its nickname in one place there: it is shown wherever the person is. */
  displayName: string;
}

interface KnownPerson {
  personId: string;
  displayName: string;
}

/** Broadcast that tells replicas, by their ids, who has a new name. */
const RENAMED_CHANNEL = 'people.named';

/** Finds the person of an account, makes them at first sight, and keeps their name in step with the door's. */
export class Identities {
  private readonly people: KeptAnswers<KnownPerson>;

  constructor(
    private readonly database: Database,
    broadcasts: ConstructorParameters<typeof KeptAnswers>[0],
  ) {
    const tagsOf = ({ personId }: KnownPerson, key: string) => [personId, key.slice(0, key.indexOf('\n'))];
    this.people = new KeptAnswers(broadcasts, RENAMED_CHANNEL, tagsOf);
  }

  /** Hears of accounts that other replicas saw under another name. */
  listen(): void {
    this.people.listen();
  }

  /** Finds the person of an account, or makes one. */
  async resolve(account: Account): Promise<KnownPerson> {
    // With the name: under another one it is looked up, and the person renamed.
    const key = `${keyOf(account)}\n${account.displayName}`;
    return this.people.of(key, async () => (await this.find(account)) ?? (await this.make(account)));
  }

  /** Drops a person from the cache. Their accounts' next messages are looked up, and come from somebody new. */
  forget(personId: string): void {
    this.people.drop([personId]);
  }

  /** Drops an account from the cache. */
  forgetAccount(account: Pick<Account, 'door' | 'subject'>): void {
    this.people.drop([keyOf(account)]);
  }

  // An account says who the person is, so the look-up itself can't be in a person's scope.
  private async find({ door, subject, displayName }: Account): Promise<KnownPerson | null> {
    const [found] = await this.database.reader('system').$queryRaw<KnownPerson[]>`
      SELECT person_id AS "personId", display_name AS "displayName" FROM identities JOIN people USING (person_id)
      WHERE door = ${door} AND subject = ${subject}`;
    if (!found) return null;
    const { personId } = found;
    if (found.displayName !== displayName) {
      await this.database.writer({ personId }).$executeRaw`
        UPDATE people SET display_name = ${displayName} WHERE person_id = ${personId}::uuid`;
      await this.people.end([personId]);
    }
    return { personId, displayName };
  }

  private async make(account: Account): Promise<KnownPerson> {
    const { displayName } = account;
    try {
      const personId = await this.database.write('system', (tx) => addPerson(tx, displayName, account));
      return { personId, displayName };
    } catch (error) {
      // Two first messages at once: the other one made the person.
      const found = isDuplicate(error) && (await this.find(account));
      if (found) return found;
      throw error;
    }
  }
}

function keyOf({ door, subject }: Pick<Account, 'door' | 'subject'>): string {
  return `${door} ${subject}`;
}
