import { AsyncLocalStorage } from 'node:async_hooks';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { lazy } from '@kith/contracts';
import pg from 'pg';
import { boundedTypes } from './bounded-reading.js';
import { isConnectionTrouble, toCallersError } from './connection-trouble.js';
import type { Prisma } from './generated/client.js';
import type { openPrisma } from './open-prisma.js';
import {
  read,
  settingsOf,
  write,
  type EndingWriter,
  type Reader,
  type Run,
  type Scope,
} from './transaction.js';

/** One open transaction: every statement of it sees what its scope may see, and nothing else. */
export type Tx = Prisma.TransactionClient;

/** Past this a transaction is rolled back: nothing here holds one open over a call to elsewhere. */
const TRANSACTION_TIMEOUT_MS = 10_000;
/** Time a transaction may wait for a free connection before it fails as a whole. */
const CONNECTION_WAIT_MS = 5_000;
/** Longer than any transaction takes: a connection that is silent for so long under a statement is half open. */
const SILENCE_MS = 12_000;
/** A restart of Postgres takes about two seconds: who comes meanwhile waits, and fails only after that. */
const RESTART_MS = 3_000;
const BEGIN_AGAIN_MS = 100;

export interface DatabaseSettings {
  /** Connection string of the application role, which row-level security holds. */
  url: string;
  /** Connections this process may hold. */
  poolSize: number;
}

/** The `set_config` that the transaction about to begin opens with. */
const scopeToEnter = new AsyncLocalStorage<string>();

/**
 * Sends the scope along with BEGIN. As a statement of its own it would cost each transaction one more round trip,
 * and Prisma's work on a raw query: a third of a small transaction.
 */
class ScopedClient extends pg.Client {
  /** The socket below; the driver's types keep it to themselves. */
  private get socket(): Socket {
    return (this as unknown as { connection: { stream: Socket } }).connection.stream;
  }

  constructor(config?: pg.ClientConfig) {
    super(config);
    this.once('connect', () => {
      const socket = this.socket;
      socket.on('timeout', () => socket.destroy(new Error('Postgres fell silent')));
    });
    this.on('drain', () => this.socket.setTimeout(0));
  }

  // The driver's overloads (promise, callback, stream) all end in this one call.
  override query(...args: unknown[]): never {
    const socket = this.socket;
    socket.setTimeout(SILENCE_MS);
    // What is given at once leaves in one write, rather than in one for each statement.
    socket.cork();
    process.nextTick(() => socket.uncork());
    const [first] = args;
    const enter = isBegin(first) ? scopeToEnter.getStore() : undefined;
    if (enter !== undefined) args[0] = { ...(first as object), text: `BEGIN; ${enter}` };
    else if (hasTypes(first)) first.types = boundedTypes(first.types);
    return (super.query as (...all: unknown[]) => never)(...args);
  }
}

/** Prisma's begin: that of statements past it has a name, and the scope comes behind it. */
function isBegin(query: unknown): boolean {
  if (typeof query !== 'object' || query === null) return false;
  const { text, name } = query as { text?: unknown; name?: unknown };
  return text === 'BEGIN' && !name;
}

/** Prisma brings its own readers of columns along with each statement. */
function hasTypes(query: unknown): query is { types: Parameters<typeof boundedTypes>[0] } {
  return typeof query === 'object' && query !== null && 'types' in query;
}

/** Lists of ids make many texts of one query: what is seen after so many is sent whole each time. */
const MAX_NAMED_STATEMENTS = 400;

/** Names each statement, so that Postgres parses it once a connection: a quarter of a small transaction. */
function statementNames(prefix: string): (query: { sql: string; args: unknown[] }) => string {
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

/** Postgres' own default leaves room for a hundred: for another replica, a backup and an operator's look as well. */
const MAX_CONNECTIONS = 40;

/** Half of what Prisma takes is its model of every table: a process that asks it nothing goes without. */
const prismaModule = lazy('Prisma', () => import('./open-prisma.js'));

/** The connections of a process, and what speaks over them. */
class Connections {
  private static readonly open = new Map<string, Connections>();

  /** The connections to this database: the services of one process share them, and each adds its number. */
  static to({ url, poolSize }: DatabaseSettings): Connections {
    const known = Connections.open.get(url) ?? new Connections(url);
    Connections.open.set(url, known);
    known.users += 1;
    known.pool.options.max = Math.min(known.pool.options.max + poolSize, MAX_CONNECTIONS);
    return known;
  }

  readonly pool: pg.Pool;
  private opened: ReturnType<typeof openPrisma> | undefined;
  readonly nameOf = statementNames('kith_read');
  private users = 0;

  private constructor(private readonly url: string) {
    this.pool = new pg.Pool({
      connectionString: url,
      max: 0,
      Client: ScopedClient,
      types: boundedTypes(),
      // Statements that are given at once are sent at once: one wait for all of them.
      pipeline: true,
      connectionTimeoutMillis: CONNECTION_WAIT_MS,
    });
    // A connection that breaks while idle (Postgres restarts) is reported here; the next query opens another.
    this.pool.on('error', () => undefined);
  }

  /** Prisma over these connections, from its first use on. */
  async prisma(): Promise<ReturnType<typeof openPrisma>> {
    const { openPrisma } = await prismaModule();
    return (this.opened ??= openPrisma(this.pool, statementNames('kith')));
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

/**
 * The way to Postgres. What fails for the connection's sake is thrown as `unavailable`. Tables with a person column are
 * under forced row-level security: outside of the three scopes they look empty, and a write to them is refused.
 */
export class Database {
  private readonly pool: pg.Pool;
  private readonly connections: Connections;

  constructor(settings: DatabaseSettings) {
    this.connections = Connections.to(settings);
    this.pool = this.connections.pool;
  }

  /** Runs `work` in one transaction that sees this person's rows alone. */
  asPerson<T>(personId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.scoped({ personId }, work);
  }

  /**
   * Reads past the work that Prisma does for each statement: for what every turn does. Statements that are given at once
   * take one round trip; each sees what was committed when it began.
   */
  read<T>(scope: Scope, work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.run(scope, (run) => read(run, work));
  }

  /**
   * Runs statements in one transaction, past the work that Prisma does for each: for what every turn does. Its begin
   * goes with the first statement; several given at once are sent at once, and carried out in their order. Those given
   * by `last` take the commit along. Whole numbers of eight bytes are read as `bigint`, as Prisma reads them.
   */
  write<T>(scope: Scope, work: (writer: EndingWriter) => Promise<T>): Promise<T> {
    return this.run(scope, (run) => write(run, work));
  }

  /**
   * Runs `work` in one transaction that sees one conversation's inbox, turns, transcript and outbox, whoever
   * of its people they are of.
   */
  inConversation<T>(conversationId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.scoped({ conversationId }, work);
  }

  /**
   * Runs `work` in one transaction that sees every row. For what has no person yet (who is this account?) and
   * for upkeep over all of them (sweeper, reindex). Whoever calls it filters by hand.
   */
  asSystem<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.scoped('system', work);
  }

  /**
   * Runs `work` while no other process holds the lock of this name; returns false, without waiting, when one
   * does. Meanwhile it keeps a connection of the pool. Postgres frees the lock when that connection breaks.
   */
  async withLock(name: string, work: () => Promise<void>): Promise<boolean> {
    const key = `hashtextextended(${pg.escapeLiteral(name)}, 0)`;
    const client = await this.pool.connect().catch(rethrow);
    // What breaks while the work goes on is met by the next statement.
    const onError = () => undefined;
    client.on('error', onError);
    let broken = true;
    try {
      const { rows } = await client.query<{ got: boolean }>(`SELECT pg_try_advisory_lock(${key}) AS got`);
      const got = rows[0]?.got === true;
      if (got) {
        await work();
        await client.query(`SELECT pg_advisory_unlock(${key})`);
      }
      broken = false;
      return got;
    } catch (error) {
      return rethrow(error);
    } finally {
      client.off('error', onError);
      // A lock left behind by work that failed goes with its connection.
      client.release(broken);
    }
  }

  /** Answers when Postgres does; throws what it says otherwise. */
  async ping(): Promise<void> {
    await this.pool.query('SELECT 1').catch(rethrow);
  }

  async close(): Promise<void> {
    await this.connections.leave();
  }

  private async scoped<T>(scope: Scope, work: (tx: Tx) => Promise<T>): Promise<T> {
    const prisma = await this.connections.prisma();
    return untilBegun((noteBegun) => {
      const noted = (tx: Tx) => {
        noteBegun();
        return work(tx);
      };
      return scopeToEnter.run(entering(scope), () =>
        prisma.$transaction(noted, { maxWait: CONNECTION_WAIT_MS, timeout: TRANSACTION_TIMEOUT_MS }),
      );
    });
  }

  /** Lends a connection to statements. */
  private run<T>(scope: Scope, work: (run: Run) => Promise<T>): Promise<T> {
    return untilBegun(async (noteBegun) => {
      const client = await this.pool.connect();
      // What breaks between two statements is met by the next one.
      const onError = () => undefined;
      client.on('error', onError);
      try {
        return await work({ client, scope, nameOf: this.connections.nameOf, noteBegun });
      } finally {
        client.off('error', onError);
        // One that broke is let go by the pool itself.
        client.release();
      }
    });
  }
}

/** Statement that enters a scope, for the transaction that it is sent in. */
function entering(scope: Scope): string {
  const calls = settingsOf(scope).map(
    ([name, value]) => `set_config('${name}', ${pg.escapeLiteral(value)}, true)`,
  );
  return `SELECT ${calls.join(', ')}`;
}

/** Only what did not begin may be begun again without anyone noticing: while Postgres restarts, say. */
async function untilBegun<T>(run: (noteBegun: () => void) => Promise<T>): Promise<T> {
  const deadline = performance.now() + RESTART_MS;
  for (;;) {
    const state = { hasBegun: false };
    try {
      return await run(() => {
        state.hasBegun = true;
      });
    } catch (error) {
      const again = !state.hasBegun && isConnectionTrouble(error) && performance.now() < deadline;
      if (!again) throw toCallersError(error);
      await sleep(BEGIN_AGAIN_MS);
    }
  }
}

function rethrow(error: unknown): never {
  throw toCallersError(error);
}
