import type { Database } from '../database/database.js';
import type { Reader, Writer } from '../transactions/transaction.js';

/**
 * Several people's statements in one transaction, each person's within that person's own scope: row-level security
 * holds for each of them as it does in a transaction of their own.
 */
export class People {
  /** Person's writer whose statements are being given; null outside of `give`. */
  private entered: object | null = null;

  constructor(private readonly tx: Writer) {}

  /**
   * Gives this person's statements, all of them before it returns: a later one, by when another person may have been
   * entered, is refused. Nothing is awaited in between, so that everybody's statements leave together.
   */
  of<T>(personId: string, give: (tx: Writer) => T): T {
    const { tx } = this;
    // A failure here also fails the statements behind it, whose answers are awaited.
    tx.$queryRaw`SELECT set_config('app.person_id', ${personId}, true)`.catch(() => undefined);
    const inScope = () => {
      if (this.entered !== own) throw new Error("a statement was given outside of its person's scope");
      return tx;
    };
    const own: Writer = {
      $queryRaw: async (query, ...values) => inScope().$queryRaw(query, ...values),
      $executeRaw: async (query, ...values) => inScope().$executeRaw(query, ...values),
    };
    this.entered = own;
    try {
      return give(own);
    } finally {
      this.entered = null;
    }
  }
}

/** Reads something of each item, within its person's scope, all in one round trip. Answers in the items' order. */
export async function readOfEach<One extends { personId: string }, T>(
  database: Database,
  whose: readonly One[],
  give: (reader: Reader, one: One) => Promise<T>,
): Promise<T[]> {
  const [first] = whose;
  if (first === undefined) return [];
  return database.read(
    { personId: first.personId },
    (reader) => {
      // `give` gets it as a reader, so nothing is written.
      const people = new People(reader as Writer);
      return Promise.all(whose.map((one) => people.of(one.personId, (tx) => give(tx, one))));
    },
    // Whoever else reads of the first person must not find itself in the scope of another.
    { isAlone: true },
  );
}
