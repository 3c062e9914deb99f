import { lazy, present } from '@kith/contracts';
import pg from 'pg';
import { boundedTypes } from '../sql/bounded-reading.js';
import type { PrismaClient } from '../generated/client.js';
import { ReadingDesk } from '../transactions/reading.js';
import { ScopedClient } from '../connections/scoped-client.js';
import { Shares } from '../connections/shares.js';
import type { NameOf, Scope } from '../transactions/transaction.js';

/** Time a transaction may wait for a free connection before it fails as a whole. */
export const CONNECTION_WAIT_MS = 5_000;

export interface DatabaseSettings {
  /** Connection string of the application role, which row-level security holds. */
  url: string;
  /** Connections this process may hold. */
  poolSize: number;
}

/** Lists of ids make many texts of one query: texts that come after so many are sent whole each time. */
const MAX_NAMED_STATEMENTS = 400;

/** Names each statement, so that Postgres parses it once a connection: a quarter of a small transaction. */
function statementNames(prefix: string): NameOf {
  const names = new Map<string, string>();
  return ({ sql, args }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    // Without parameters there is nothing to prepare, and unnamed is an empty name.
    if (args.length === 0 || names.size >= MAX_NAMED_STATEMENTS) return '';
    const name = `${prefix}_${names.size}`;
    names.set(sql, name);
    return name;
  };
}

/**
 * Connections that the services of one process share at most, unless one has more by its settings. Each costs Postgres some
 * 10 MB, and 40 of them took 366 MB of a machine with 1 GB, whose kernel then ended the services. A thousand messages at
 * once are answered as soon over 16 as over 40.
 */
const MAX_SHARED = 16;
/**
 * Connections a service keeps through a rest; others end after ten seconds. A new one logs in and plans each statement
 * anew, and a turn needs several: after a rest its first token came 6 ms later, of 24.
 */
const KEPT_CONNECTIONS = 2;

/**
 * Part of the connections that one person's transactions hold at once. They run one after the other behind that person's
 * locks: 24 requests beside one that forgot 50,000 memories held all connections for seconds, and nobody else was answered.
 */
const SHARE = 1 / 4;

/** Prisma, loaded at its first use: half of its memory is the model of every table. */
const prismaModule = lazy('Prisma', () => import('./open-prisma.js'));

/** The connections of a process to a database, and Prisma over them. */
export class Connections {
  private static readonly open = new Map<string, Connections>();

  /** The connections to this database: the services of one process share them, and each adds its number. */
  static to({ url, poolSize }: DatabaseSettings): Connections {
    const known = Connections.open.get(url) ?? new Connections(url);
    Connections.open.set(url, known);
    known.users += 1;
    const { max } = known.pool.options;
    known.pool.options.max = Math.max(max, poolSize, Math.min(max + poolSize, MAX_SHARED));
    known.pool.options.min = (known.pool.options.min ?? 0) + KEPT_CONNECTIONS;
    return known;
  }

  readonly pool: pg.Pool;
  readonly desk: ReadingDesk;
  private opened: PrismaClient | undefined;
  readonly nameOf = statementNames('kith_read');
  private readonly shares = new Shares(CONNECTION_WAIT_MS);
  private users = 0;

  private constructor(private readonly url: string) {
    this.pool = new pg.Pool({
      connectionString: url,
      Client: ScopedClient,
      types: boundedTypes(),
      // Statements that are given at once are sent at once: one wait for all of them.
      pipeline: true,
      connectionTimeoutMillis: CONNECTION_WAIT_MS,
    });
    // Each user adds its number. Given to the pool as it is made, none would stand for ten.
    this.pool.options.max = 0;
    this.desk = new ReadingDesk(this.pool);
    // A connection that breaks while idle (Postgres restarts) is reported here; the next query opens another.
    this.pool.on('error', () => undefined);
  }

  /** Prisma over these connections, from its first use on. */
  async prisma(): Promise<PrismaClient> {
    const { openPrisma } = await prismaModule();
    return (this.opened ??= openPrisma(this.pool, statementNames('kith')));
  }

  /** Runs a transaction once those of the same person, or conversation, leave enough connections to others. */
  inShare<T>(scope: Scope, work: () => Promise<T>): Promise<T> {
    if (scope === 'system') return work();
    const { personId, conversationId } = scope as { personId?: string; conversationId?: string };
    return this.shares.run(
      present(personId ?? conversationId),
      Math.ceil(this.pool.options.max * SHARE),
      work,
    );
  }

  /** Ends them when their last user is gone. */
  async leave(): Promise<void> {
    this.users -= 1;
    if (this.users > 0) return;
    if (Connections.open.get(this.url) === this) Connections.open.delete(this.url);
    await this.opened?.$disconnect();
    await this.pool.end();
  }
}
