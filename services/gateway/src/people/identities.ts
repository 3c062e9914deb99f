import type { Door } from '@kith/contracts';
import { isDuplicate, type Database } from '@kith/database';

export interface Account {
  door: Door;
  /** The door's own id of the account. */
  subject: string;
  displayName: string;
}

export interface KnownPerson {
  personId: string;
  displayName: string;
}

const CACHE_MS = 60_000;
const CACHE_SIZE = 10_000;

/** Which person an account is: made at first sight, their name kept in step with the door's. */
export class Identities {
  readonly #cache = new Map<string, { person: KnownPerson; until: number }>();

  constructor(private readonly database: Database) {}

  /** The person of this account. */
  async resolve(account: Account): Promise<KnownPerson> {
    const key = keyOf(account);
    const cached = this.#cache.get(key);
    if (cached && cached.until > Date.now() && cached.person.displayName === account.displayName) {
      return cached.person;
    }
    const person = (await this.#find(account)) ?? (await this.#make(account));
    if (this.#cache.size >= CACHE_SIZE) this.#cache.clear();
    this.#cache.set(key, { person, until: Date.now() + CACHE_MS });
    return person;
  }

  /** The next message of each of their accounts is somebody new. */
  forget(personId: string): void {
    for (const [key, { person }] of this.#cache) if (person.personId === personId) this.#cache.delete(key);
  }

  forgetAccount(account: Pick<Account, 'door' | 'subject'>): void {
    this.#cache.delete(keyOf(account));
  }

  // An account says who the person is, so the look-up itself can't be in a person's scope.
  async #find({ door, subject, displayName }: Account): Promise<KnownPerson | null> {
    const found = await this.database.asSystem((tx) =>
      tx.identity.findUnique({ where: { door_subject: { door, subject } }, include: { person: true } }),
    );
    if (!found) return null;
    if (found.person.displayName !== displayName) {
      await this.database.asPerson(found.personId, (tx) =>
        tx.person.update({ where: { id: found.personId }, data: { displayName } }),
      );
    }
    return { personId: found.personId, displayName };
  }

  async #make(account: Account): Promise<KnownPerson> {
    const { door, subject, displayName } = account;
    try {
      return await this.database.asSystem(async (tx) => {
        const person = await tx.person.create({ data: { displayName } });
        await tx.identity.create({ data: { personId: person.id, door, subject } });
        return { personId: person.id, displayName };
      });
    } catch (error) {
      // Two first messages at once: the other one made the person.
      const found = isDuplicate(error) && (await this.#find(account));
      if (found) return found;
      throw error;
    }
  }
}

function keyOf({ door, subject }: Pick<Account, 'door' | 'subject'>): string {
  return `${door} ${subject}`;
}
