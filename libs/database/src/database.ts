import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient, type Prisma } from './generated/client.js';

/** One open transaction: every statement of it sees what its scope may see, and nothing else. */
export type Tx = Prisma.TransactionClient;

/** Past this a transaction is rolled back: nothing here holds one open over a call to elsewhere. */
const TRANSACTION_TIMEOUT_MS = 10_000;
/** How long a transaction may wait for a free connection before it fails as a whole. */
const CONNECTION_WAIT_MS = 5_000;

export interface DatabaseSettings {
  /** Connection string of the application role, which row-level security holds. */
  url: string;
  /** Connections this process may hold. */
  poolSize: number;
}

/**
 * The way to Postgres. Tables with a person column are under forced row-level security: outside the three
 * scopes below they look empty, and a write to them is refused.
 */
export class Database {
  readonly #pool: pg.Pool;
  readonly #prisma: PrismaClient;

  constructor(settings: DatabaseSettings) {
    this.#pool = new pg.Pool({ connectionString: settings.url, max: settings.poolSize });
    // A connection that breaks while idle (Postgres restarts) is reported here; the next query opens another.
    this.#pool.on('error', () => undefined);
    this.#prisma = new PrismaClient({ adapter: new PrismaPg(this.#pool) });
  }

  /** Runs `work` in one transaction that sees this person's rows alone. */
  asPerson<T>(personId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#scoped((tx) => tx.$executeRaw`SELECT set_config('app.person_id', ${personId}, true)`, work);
  }

  /**
   * Runs `work` in one transaction that sees one conversation's inbox, turns, transcript and outbox, whoever
   * of its people they are of.
   */
  inConversation<T>(conversationId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#scoped(
      (tx) => tx.$executeRaw`SELECT set_config('app.conversation_id', ${conversationId}, true)`,
      work,
    );
  }

  /**
   * Runs `work` in one transaction that sees every row. For what has no person yet (who is this account?) and
   * for upkeep over all of them (sweeper, reindex). Whoever calls it filters by hand.
   */
  asSystem<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#scoped((tx) => tx.$executeRaw`SELECT set_config('app.scope', 'system', true)`, work);
  }

  /** Answers when Postgres does; throws what it says otherwise. */
  async ping(): Promise<void> {
    await this.#prisma.$queryRaw`SELECT 1`;
  }

  async close(): Promise<void> {
    await this.#prisma.$disconnect();
    await this.#pool.end();
  }

  #scoped<T>(enter: (tx: Tx) => Promise<unknown>, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#prisma.$transaction(
      async (tx) => {
        await enter(tx);
        return work(tx);
      },
      { maxWait: CONNECTION_WAIT_MS, timeout: TRANSACTION_TIMEOUT_MS },
    );
  }
}
