import pg from 'pg';
import { toCallersError } from '../connections/connection-trouble.js';
import type { Prisma } from '../generated/client.js';
import { withPooledClient } from '../connections/with-pooled-client.js';
import { Reading } from '../transactions/reading.js';
import {
  entriesOf,
  settingsOf,
  TRANSACTION_TIMEOUT_MS,
  write,
  type EndingWriter,
  type Reader,
  type Run,
  type Scope,
  type Writer,
} from '../transactions/transaction.js';
import { scopeToEnter } from '../connections/scoped-client.js';
import { CONNECTION_WAIT_MS, type DatabaseSettings, Connections } from './connections.js';
import { untilBegun } from '../connections/until-begun.js';

/** Has Postgres notice within half a minute that the host of a lock's holder is gone, and not in two hours. */
const NOTICE_LOSS = [
  `set_config('tcp_keepalives_idle', '10', false)`,
  `set_config('tcp_keepalives_interval', '5', false)`,
  `set_config('tcp_keepalives_count', '3', false)`,
].join(', ');

/** One open transaction. Its statements see the rows of its scope, and no others. */
export type Tx = Prisma.TransactionClient;

/**
 * The way to Postgres. Trouble with the connection is thrown as `unavailable`. Tables with a person column are
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
   * Reads without Prisma's work for each statement: for what every turn does. Statements that are given at once take one
   * round trip; each sees what was committed when it began. So do those of others who read of the same person or
   * conversation in that moment, unless this reading is to have its pipelines to itself.
   */
  async read<T>(
    scope: Scope,
    work: (reader: Reader) => Promise<T>,
    { isAlone = scope === 'system' }: { isAlone?: boolean } = {},
  ): Promise<T> {
    const { desk, nameOf } = this.connections;
    const reading = new Reading(desk, scope, isAlone ? desk.ownGroup() : groupOf(scope), nameOf);
    try {
      return await work(reading);
    } catch (error) {
      return rethrow(error);
    } finally {
      reading.end();
    }
  }

  /** A reader whose statements are each a reading of their own. */
  reader(scope: Scope): Reader {
    return {
      $queryRaw: (query, ...values) => this.read(scope, (reader) => reader.$queryRaw(query, ...values)),
    };
  }

  /**
   * Runs statements in one transaction, without Prisma's work for each: for what every turn does. Its begin
   * goes with the first statement; several given at once are sent at once, and carried out in their order. Those given
   * by `last` take the commit along. Whole numbers of eight bytes are read as `bigint`, as Prisma reads them.
   */
  write<T>(scope: Scope, work: (writer: EndingWriter) => Promise<T>): Promise<T> {
    return this.run(scope, (run) => write(run, work));
  }

  /** A writer whose statements are each a transaction of their own, which takes one round trip. */
  writer(scope: Scope): Writer {
    const alone = <T>(give: (writer: Writer) => Promise<T>) =>
      this.write(scope, (writer) => writer.last(() => give(writer)));
    return {
      $queryRaw: (query, ...values) => alone((writer) => writer.$queryRaw(query, ...values)),
      $executeRaw: (query, ...values) => alone((writer) => writer.$executeRaw(query, ...values)),
    };
  }

  /**
   * Runs `work` in one transaction that sees every row. For questions about nobody yet (who is this account?) and
   * for upkeep over everybody (sweeper, reindex). Its statements have to filter by themselves.
   */
  asSystem<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.scoped('system', work);
  }

  /**
   * Runs `work` while no other process holds the lock of this name; returns false, without waiting, when one
   * does. Meanwhile it keeps a connection of the pool. Postgres frees the lock when that connection breaks; what the work
   * comes to counts all the same.
   */
  async withLock(name: string, work: () => Promise<void>): Promise<boolean> {
    const key = `hashtextextended(${pg.escapeLiteral(name)}, 0)`;
    const locked = async (client: pg.PoolClient) => {
      const { rows } = await client.query<{ got: boolean }>(
        `SELECT pg_try_advisory_lock(${key}) AS got, ${NOTICE_LOSS}`,
      );
      const got = rows[0]?.got === true;
      const [worked] = await Promise.allSettled([got ? work() : undefined]);
      // Also where the work failed: a lock that goes with its connection is held some time longer.
      const unlock = got ? client.query(`SELECT pg_advisory_unlock(${key})`) : Promise.resolve();
      const isFree = await unlock.then(
        () => true,
        () => false,
      );
      return { got, worked, isFree };
    };
    const { got, worked } = await withPooledClient(this.pool, locked, (done) => done?.isFree ?? false).catch(
      rethrow,
    );
    return worked.status === 'rejected' ? rethrow(worked.reason) : got;
  }

  /** Resolves when Postgres answers, and throws otherwise. */
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
      const enter = `SELECT ${entriesOf(scope, (value) => pg.escapeLiteral(value)).join(', ')}`;
      const times = { maxWait: CONNECTION_WAIT_MS, timeout: TRANSACTION_TIMEOUT_MS };
      const begin = () => scopeToEnter.run(enter, () => prisma.$transaction(noted, times));
      return this.connections.inShare(scope, begin);
    });
  }

  private run<T>(scope: Scope, work: (run: Run) => Promise<T>): Promise<T> {
    const { connections, pool } = this;
    const { nameOf } = connections;
    return untilBegun((noteBegun) =>
      connections.inShare(scope, () =>
        withPooledClient(pool, (client) => work({ client, scope, nameOf, noteBegun })),
      ),
    );
  }
}

function groupOf(scope: Scope): string {
  return settingsOf(scope).flat().join(' ');
}

function rethrow(error: unknown): never {
  throw toCallersError(error);
}
