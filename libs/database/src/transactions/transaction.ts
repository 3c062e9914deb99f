import { present, firstOf, lastOf } from '@kith/contracts';
import pg from 'pg';
import { boundedTypes } from '../sql/bounded-reading.js';
import { sendPipeline } from '../pipeline/pipeline.js';
import type { Answer, Statement } from '../pipeline/pipeline-part.js';
import { queryOf, type Sql } from '../sql/sql.js';

/** Statements that only read, within a scope. Code that only reads takes this, so that it fits any transaction. */
export interface Reader {
  $queryRaw<T>(query: TemplateStringsArray | Sql, ...values: unknown[]): Promise<T>;
}

/** Statements within a scope. Code that needs no more of a transaction takes this. */
export interface Writer extends Reader {
  /** Returns the number of rows it wrote. */
  $executeRaw(query: TemplateStringsArray | Sql, ...values: unknown[]): Promise<number>;
}

/** A transaction whose end can go with its last statements. */
export interface EndingWriter extends Writer {
  /**
   * Gives the last statements, all at once: they leave together with the commit, and are answered after it. Where
   * nothing was given before them the whole transaction is one round trip.
   */
  last<T>(give: () => Promise<T>): Promise<T>;
}

/** Rows that a transaction sees: a person's, those of a conversation whoever they are of, both of these, or all. */
export type Scope =
  | { readonly personId: string; readonly conversationId?: string }
  | { readonly conversationId: string }
  | 'system';

/** A transaction that takes longer is rolled back: none here is held open over a call to elsewhere. */
export const TRANSACTION_TIMEOUT_MS = 10_000;

/**
 * Settings of every transaction. Not set when connecting, which a pooler refuses.
 *
 * Plans are not compiled: it takes a quarter of a second, which Postgres expects to be worth it where a plan looks dear, as
 * one does that may not sort or scan, and no statement here runs for so long. A transaction that is left alone gives its
 * locks back, and a wait for one ends before its client gives up: what it waited to write would be written after all.
 */
const ALWAYS = [
  `set_config('jit', 'off', true)`,
  `set_config('idle_in_transaction_session_timeout', '${TRANSACTION_TIMEOUT_MS}', true)`,
  `set_config('lock_timeout', '${TRANSACTION_TIMEOUT_MS}', true)`,
];

/** The settings that row-level security reads, with their values. */
export function settingsOf(scope: Scope): [name: string, value: string][] {
  if (scope === 'system') return [['app.scope', scope]];
  const { personId, conversationId } = scope as { personId?: string; conversationId?: string };
  return [
    ...(personId === undefined ? [] : [['app.person_id', personId] as [string, string]]),
    ...(conversationId === undefined ? [] : [['app.conversation_id', conversationId] as [string, string]]),
  ];
}

/** Makes the calls that enter a scope for the rest of a transaction. @param given writes a value as SQL */
export function entriesOf(scope: Scope, given: (value: string, at: number) => string): string[] {
  const own = settingsOf(scope).map(
    ([name, value], at) => `set_config('${name}', ${given(value, at)}, true)`,
  );
  return [...own, ...ALWAYS];
}

const { INT8 } = pg.types.builtins;

/** As Prisma reads columns, where the driver by itself would give text. */
const STATEMENT_TYPES = boundedTypes({
  getTypeParser: (oid, format): unknown => (oid === INT8 ? BigInt : pg.types.getTypeParser(oid, format)),
});

const BEGIN: Statement = { name: 'kith_begin', text: 'BEGIN', values: [] };
const COMMIT: Statement = { name: 'kith_commit', text: 'COMMIT', values: [] };

/**
 * Makes Postgres plan a prepared statement once, without its values. By itself it planned many anew at each use, which
 * was nearly half of its time for a turn. Within a scope one plan fits all values, as it starts from the rows of a person
 * or a conversation by an index, also where the table was all but empty when the plan was made; a statement over
 * everybody's rows may want another plan for other values.
 */
const PLAN_ONCE = `set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true)`;

/** Names and texts of such statements, by what the scope is of: only the values differ. */
const enteringForms = { read: new Map<string, EnteringForm>(), write: new Map<string, EnteringForm>() };
type EnteringForm = Pick<Statement, 'name' | 'text'>;

/** Makes the statement that enters a scope for the rest of its transaction. */
export function entering(scope: Scope, mode: 'read' | 'write'): Statement {
  const settings = settingsOf(scope);
  const names = settings.map(([name]) => name).join('_');
  let form = enteringForms[mode].get(names);
  if (!form) {
    const calls = entriesOf(scope, (_, at) => `$${at + 1}`);
    if (mode === 'read') calls.push(`set_config('transaction_read_only', 'on', true)`);
    if (scope !== 'system') calls.push(PLAN_ONCE);
    form = { name: `kith_enter_${mode}_${names}`, text: `SELECT ${calls.join(', ')}` };
    enteringForms[mode].set(names, form);
  }
  return { ...form, values: settings.map(([, value]) => value) };
}

/** Names a query, so that a connection prepares it once; empty where it is not to be prepared. */
export type NameOf = (query: { sql: string; args: readonly unknown[] }) => string;

/** Makes a statement of a query and its values. */
export function statementOf(query: TemplateStringsArray | Sql, given: unknown[], nameOf: NameOf): Statement {
  const { sql: named, text, values } = 'raw' in query ? queryOf(query, given) : query;
  const name = nameOf({ sql: named, args: values });
  return { ...(name && { name }), text, values, types: STATEMENT_TYPES };
}

/** Surroundings of a transaction that writes. */
export interface Run {
  client: pg.PoolClient;
  scope: Scope;
  nameOf: NameOf;
  /** Called once it is no longer safe to start again. */
  noteBegun: () => void;
}

/** One transaction, over as many pipelines as its statements need. */
class Writing implements EndingWriter {
  private waiting: { statement: Statement; resolve: (answer: Promise<Answer>) => void }[] = [];
  private isOver = false;
  /** True for a transaction that a statement of its own began, and one has to end. */
  hasBegun = false;
  /** The answer that says how it ended, where its end went with its last statements. */
  ended: Promise<Answer> | null = null;
  private isLast = false;

  constructor(private readonly run: Run) {}

  async $queryRaw<T>(query: TemplateStringsArray | Sql, ...given: unknown[]): Promise<T> {
    return (await this.give(query, given)).rows as T;
  }

  async $executeRaw(query: TemplateStringsArray | Sql, ...given: unknown[]): Promise<number> {
    return (await this.give(query, given)).rowCount ?? 0;
  }

  /** Sends what still waits, and refuses any later statement: it would end up in somebody else's transaction. */
  end(): void {
    this.isOver = true;
    this.depart();
  }

  async last<T>(give: () => Promise<T>): Promise<T> {
    const given = give();
    this.isLast = true;
    this.isOver = true;
    // They leave once it is known whether all were given: the commit would keep those before one that could not be.
    given.catch(() => {
      this.isLast = false;
    });
    return given;
  }

  private async give(query: TemplateStringsArray | Sql, given: unknown[]): Promise<Answer> {
    if (this.isOver) throw new Error('a statement was given after its transaction had ended');
    const statement = statementOf(query, given, this.run.nameOf);
    return new Promise((resolve) => {
      this.waiting.push({ statement, resolve });
      // What is given at once leaves as one pipeline.
      if (this.waiting.length === 1) process.nextTick(() => this.depart());
    });
  }

  private depart(): void {
    if (this.waiting.length === 0) return;
    const waiting = this.waiting;
    this.waiting = [];
    const answers = this.send(waiting.map(({ statement }) => statement));
    waiting.forEach(({ resolve }, at) => resolve(present(answers[at])));
  }

  /** Sends a pipeline. Returns the answers to `statements`, in their order. */
  private send(statements: readonly Statement[]): Promise<Answer>[] {
    const { client, scope, noteBegun } = this.run;
    const isFirst = !this.hasBegun;
    // A pipeline that is all of a transaction needs neither BEGIN nor COMMIT.
    const isWhole = isFirst && this.isLast;
    const opening = isFirst ? [...(isWhole ? [] : [BEGIN]), entering(scope, 'write')] : [];
    const closing = this.isLast && !isWhole ? [COMMIT] : [];
    const onFirst = isWhole ? undefined : noteBegun;
    const answers = sendPipeline(client, [...opening, ...statements, ...closing], onFirst);
    for (const answer of answers) answer.catch(() => undefined);
    if (this.isLast) this.ended = lastOf(answers);
    this.hasBegun ||= !isWhole;
    // When the connection broke without an answer from Postgres, nobody knows whether the commit was kept.
    if (isWhole)
      firstOf(answers).catch((error: unknown) => {
        if (!(error instanceof pg.DatabaseError)) noteBegun();
      });
    return answers.slice(opening.length, opening.length + statements.length);
  }
}

/** Runs what writes. When it resolves, all of it is committed; when it throws, none of it is, unless the end was lost. */
export async function write<T>(run: Run, work: (writer: EndingWriter) => Promise<T>): Promise<T> {
  const writing = new Writing(run);
  try {
    const done = await work(writing);
    writing.end();
    const ended = await (writing.hasBegun ? (writing.ended ?? run.client.query('COMMIT')) : writing.ended);
    // Postgres answers so to a commit when a statement had failed and `work` went on regardless.
    if (ended?.command === 'ROLLBACK') throw new Error('the transaction was rolled back');
    return done;
  } catch (error) {
    writing.end();
    // A connection that breaks here has nothing left to roll back.
    if (writing.hasBegun) await run.client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
