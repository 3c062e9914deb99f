import { erasedError } from '@kith/contracts';
import { isDuplicate, type Database } from '@kith/database';
import { KeptAnswers } from '@kith/messaging';
import { readErasedAt, type AccountId, type AccountMarks } from './account-marks.js';
import { addPerson } from './key-rows.js';

interface Account extends AccountId {
  /** Its name at the door, not its nickname in one place there: it is shown wherever the person is. */
  displayName: string;
}

/** Person of an account, with when an earlier person of it was erased. */
interface AccountHolder {
  personId: string;
  erasedAt: Date | null;
}

/** Broadcast that tells replicas, by their ids, who has a new name. */
const RENAMED_CHANNEL = 'people.named';

/** Finds the person of an account, makes them at first sight, and keeps their name in step with the door's. */
export class Identities {
  private readonly people: KeptAnswers<AccountHolder>;

  constructor(
    private readonly database: Database,
    broadcasts: ConstructorParameters<typeof KeptAnswers>[0],
    private readonly marks: AccountMarks,
  ) {
    const tagsOf = ({ personId }: AccountHolder, key: string) => [personId, key.slice(0, key.indexOf('\n'))];
    this.people = new KeptAnswers(broadcasts, RENAMED_CHANNEL, tagsOf);
  }

  /** Hears of accounts that other replicas saw under another name. */
  listen(): void {
    this.people.listen();
  }

  /**
   * Finds the person of an account, or makes one.
   * @param saidAt when they wrote the message that brings them here; null where none does
   * @throws AppError known to `isErased` where it is from before an erasure: its words come no second time
   */
  async resolve(account: Account, saidAt: Date | null = null): Promise<{ personId: string }> {
    // With the name: under another one it is looked up, and the person renamed.
    const key = `${keyOf(account)}\n${account.displayName}`;
    const find = async () => (await this.find(account)) ?? (await this.make(account, saidAt));
    const { personId, erasedAt } = await this.people.of(key, find);
    refuseEarlier(erasedAt, saidAt);
    return { personId };
  }

  /** Drops a person from the cache. Their accounts' next messages are looked up, and come from somebody new. */
  forget(personId: string): void {
    this.people.drop([personId]);
  }

  /** Drops an account from the cache. */
  forgetAccount(account: AccountId): void {
    this.people.drop([keyOf(account)]);
  }

  // An account says who the person is, so the look-up itself can't be in a person's scope.
  private async find({ door, subject, displayName }: Account): Promise<AccountHolder | null> {
    const [found] = await this.database.reader('system').$queryRaw<
      (AccountHolder & { displayName: string })[]
    >`
      SELECT person_id AS "personId", display_name AS "displayName",
        (SELECT erased_at FROM erased_accounts WHERE mark = ${this.marks.of({ door, subject })}) AS "erasedAt"
      FROM identities JOIN people USING (person_id)
      WHERE door = ${door} AND subject = ${subject}`;
    if (!found) return null;
    const { personId, erasedAt } = found;
    if (found.displayName !== displayName) {
      await this.database.writer({ personId }).$executeRaw`
        UPDATE people SET display_name = ${displayName} WHERE person_id = ${personId}::uuid`;
      await this.people.end([personId]);
    }
    return { personId, erasedAt };
  }

  private async make(account: Account, saidAt: Date | null): Promise<AccountHolder> {
    const { displayName } = account;
    const mark = this.marks.of(account);
    try {
      return await this.database.write('system', async (tx) => {
        const personId = await addPerson(tx, displayName, account);
        // Only now: making them waits for an erasure that is about to free the account.
        const erasedAt = (await readErasedAt(tx, [mark])).get(mark) ?? null;
        refuseEarlier(erasedAt, saidAt);
        return { personId, erasedAt };
      });
    } catch (error) {
      // Two first messages at once: the other one made the person.
      const found = isDuplicate(error) && (await this.find(account));
      if (found) return found;
      throw error;
    }
  }
}

/** Refuses what was said before an erasure. @throws AppError known to `isErased` */
function refuseEarlier(erasedAt: Date | null, saidAt: Date | null): void {
  if (erasedAt !== null && saidAt !== null && saidAt <= erasedAt) throw erasedError(undefined);
}

function keyOf({ door, subject }: AccountId): string {
  return `${door} ${subject}`;
}
