import { present } from '@kith/contracts';
import type pg from 'pg';
import { isConnectionTrouble } from '../connections/connection-trouble.js';
import { sendPipeline } from '../pipeline/pipeline.js';
import type { Answer, Statement } from '../pipeline/pipeline-part.js';
import { withPooledClient } from '../connections/with-pooled-client.js';
import type { Sql } from '../sql/sql.js';
import { entering, statementOf, type NameOf, type Reader, type Scope } from './transaction.js';
import { untilBegun } from '../connections/until-begun.js';

/** Statement of a reading, whose answer is awaited. */
interface ReadingStatement {
  statement: Statement;
  /** Its reading: no reading must fail because of another's statement. */
  reading: Reading;
  resolve: (answer: Promise<Answer>) => void;
}

/** Statements of one piece of work that reads. */
export class Reading implements Reader {
  private isOver = false;

  /**
   * @param group readings that share their pipelines have the same one, and the same scope
   */
  constructor(
    private readonly desk: ReadingDesk,
    readonly scope: Scope,
    readonly group: string,
    private readonly nameOf: NameOf,
  ) {}

  async $queryRaw<T>(query: TemplateStringsArray | Sql, ...given: unknown[]): Promise<T> {
    if (this.isOver) throw new Error('a statement was given after its reading had ended');
    const { rows } = await this.desk.ask(this, statementOf(query, given, this.nameOf));
    return rows as T;
  }

  /** Refuses any later statement: nobody would get its answer. */
  end(): void {
    this.isOver = true;
  }
}

/**
 * Sends what readings ask. Each pipeline is a transaction of its own: reading loses nothing by it, and needs neither begin
 * nor end. What several readings of one person or conversation ask in the same moment leaves together, as each pipeline
 * costs its process and Postgres more than most statements do.
 */
export class ReadingDesk {
  /** Statements that wait for a connection, by group. */
  private readonly waiting = new Map<string, ReadingStatement[]>();
  private ownGroups = 0;

  constructor(private readonly pool: pg.Pool) {}

  /** Makes a group that no other reading has. */
  ownGroup(): string {
    this.ownGroups += 1;
    return `alone ${this.ownGroups}`;
  }

  /** Asks one statement of a reading. */
  ask(reading: Reading, statement: Statement): Promise<Answer> {
    const { group, scope } = reading;
    return new Promise((resolve) => {
      const asked = { statement, reading, resolve };
      const waiting = this.waiting.get(group);
      if (waiting) {
        waiting.push(asked);
        return;
      }
      this.waiting.set(group, [asked]);
      void this.depart(group, scope);
    });
  }

  /** Sends what waits as soon as there is a connection for it. Never throws. */
  private depart(group: string, scope: Scope): Promise<void> {
    let asked: readonly ReadingStatement[] | undefined;
    return this.send(scope, () => {
      if (asked) return asked;
      asked = this.waiting.get(group) ?? [];
      this.waiting.delete(group);
      return asked;
    });
  }

  /**
   * Sends one pipeline. Never throws: a failure goes to whoever asked.
   * @param take takes what the pipeline is of, once there is a connection; the same however often it is called
   */
  private async send(scope: Scope, take: () => readonly ReadingStatement[]): Promise<void> {
    try {
      const failed = await untilBegun((noteBegun) => this.sendPipeline(scope, take, noteBegun));
      // Postgres fails all of a pipeline for one statement: each reading is sent again alone, and gets its own errors.
      const readings = [...Map.groupBy(failed, ({ reading }) => reading).values()];
      await Promise.all(readings.map((own) => this.send(scope, () => own)));
    } catch (error) {
      for (const { resolve } of take()) resolve(Promise.reject(error));
    }
  }

  /** Returns the statements to send again: none, unless a pipeline of several readings failed. */
  private sendPipeline(
    scope: Scope,
    take: () => readonly ReadingStatement[],
    noteBegun: () => void,
  ): Promise<readonly ReadingStatement[]> {
    return withPooledClient(this.pool, async (client) => {
      const asked = take();
      const statements = asked.map(({ statement }) => statement);
      const [entered, ...answers] = sendPipeline(client, [entering(scope, 'read'), ...statements], noteBegun);
      const [first, ...rest] = await Promise.allSettled([present(entered), ...answers]);
      const isWhole = [first, ...rest].every(({ status }) => status === 'fulfilled');
      if (!isWhole && new Set(asked.map(({ reading }) => reading)).size > 1) return asked;
      if (first.status === 'rejected' && isConnectionTrouble(first.reason)) throw first.reason as Error;
      asked.forEach(({ resolve }, at) => resolve(present(answers[at])));
      return [];
    });
  }
}
