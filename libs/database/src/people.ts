import type { Database } from './database.js';
import type { Reader, Writer } from './transaction.js';

/**
 * Several people's statements in one transaction, each person's within that person's own scope: row-level security
 * holds for each of them as it does in a transaction of their own.
 */
export class People {
  /** Run whose statements are given now. */
  private entered: object | null = null;

  constructor(private readonly tx: Writer) {}

  /**
   * Gives this person's statements, all of them before it returns: one that is given later, when somebody else may have
   * been entered, is refused. Nothing is waited for, so that everybody's leave together.
   */
  of<T>(personId: string, give: (tx: Writer) => T): T {
    const { tx } = this;
    // What fails here fails what comes after it as well, whose answers are looked at.
    tx.$queryRaw`SELECT set_config('app.person_id', ${personId}, true)`.catch(() => undefined);
    const refuseIfLeft = () => {
      if (this.entered !== own) throw new Error("a statement was given outside of its person's scope");
    };
    const own: Writer = {
      $queryRaw: async (query, ...values) => {
        refuseIfLeft();
        return tx.$queryRaw(query, ...values);
      },
      $executeRaw: async (query, ...values) => {
        refuseIfLeft();
        return tx.$executeRaw(query, ...values);
      },
    };
    this.entered = own;
    try {
      return give(own);
    } finally {
      this.entered = null;
    }
  }
}

/** Reads something of each of these, each within its person's scope, in one round trip. Answers in their order. */
export async function readOfEach<One extends { personId: string }, T>(
  database: Database,
  whose: readonly One[],
  give: (reader: Reader, one: One) => Promise<T>,
): Promise<T[]> {
  const [first] = whose;
  if (first === undefined) return [];
  return database.read({ personId: first.personId }, (reader) => {
    // Of a transaction that only reads, nothing else is sent.
    const people = new People(reader as Writer);
    return Promise.all(whose.map((one) => people.of(one.personId, (tx) => give(tx, one))));
  });
}
