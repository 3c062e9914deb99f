import pg from 'pg';
import utils from 'pg/lib/utils.js';

/** A statement, and the name under which a connection prepares it once. */
export interface Statement {
  name?: string;
  text: string;
  values: readonly unknown[];
  types?: pg.CustomTypesConfig;
}

/** Answer to a statement. */
export interface Answer {
  rows: Record<string, unknown>[];
  rowCount: number | null;
  /** First word of what Postgres says it did. */
  command: string;
}

/** The driver's own connection, as far as a pipeline needs it. */
export interface Connection {
  stream: { cork(): void; uncork(): void };
  /** Texts of named statements by name: those that Postgres has prepared, and those that are on their way. */
  parsedStatements: Record<string, string>;
  submittedNamedStatements: Record<string, string>;
  parse(statement: { name: string; text: string }): void;
  bind(portal: { portal: string; statement: string; values: unknown[] }): void;
  describe(what: { type: 'P'; name: string }): void;
  execute(portal: { portal: string }): void;
  sync(): void;
}

export interface RowDescription {
  fields: { name: string; dataTypeID: Parameters<typeof pg.types.getTypeParser>[0] }[];
}
export interface DataRow {
  fields: (string | null)[];
}
export interface CommandComplete {
  /** Such as `INSERT 0 1`. */
  text: string;
}

/** Columns of a statement's answer, and the reader of each. */
interface Columns {
  columns: readonly { name: string; read: (text: string) => unknown }[];
  /** A row of them before it is read. */
  empty: Record<string, unknown>;
}

const NO_COLUMNS: Columns = { columns: [], empty: {} };

/** Columns by the statement's name, for each connection. Postgres refuses to change those of a prepared statement. */
const known = new WeakMap<Connection, Map<string, Columns>>();

/**
 * One statement of a pipeline. The driver's own query does the same with twice the work: it clones what it is given, and
 * has Postgres describe the columns each time.
 */
export class PipelinePart {
  readonly name: string;
  readonly text: string;
  private readonly rows: Record<string, unknown>[] = [];
  private done: Omit<Answer, 'rows'> = { command: '', rowCount: null };
  private columns: Columns | undefined;
  private columnsOf: Map<string, Columns> | undefined;
  private failure: Error | null = null;

  constructor(
    private readonly statement: Statement,
    private readonly resolve: (answer: Answer) => void,
    private readonly reject: (error: Error) => void,
  ) {
    this.name = statement.name ?? '';
    this.text = statement.text;
  }

  /** Sends it. Returns false where its values can't be sent. */
  submit(connection: Connection): boolean {
    const { name, text } = this;
    let values: unknown[];
    try {
      values = this.statement.values.map(prepared);
    } catch (error) {
      this.fail(error as Error);
      return false;
    }
    const sent = name && (connection.parsedStatements[name] ?? connection.submittedNamedStatements[name]);
    if (!sent) {
      connection.parse({ name, text });
      if (name) connection.submittedNamedStatements[name] = text;
    }
    connection.bind({ portal: '', statement: name, values });
    this.columnsOf = known.get(connection) ?? new Map();
    known.set(connection, this.columnsOf);
    this.columns = this.columnsOf.get(name);
    if (!this.columns) connection.describe({ type: 'P', name: '' });
    connection.execute({ portal: '' });
    return true;
  }

  describe({ fields }: RowDescription): void {
    const types = this.statement.types ?? pg.types;
    this.columns = {
      columns: fields.map(({ name, dataTypeID }) => ({
        name,
        read: types.getTypeParser(dataTypeID, 'text') as (text: string) => unknown,
      })),
      empty: Object.fromEntries(fields.map(({ name }) => [name, null])),
    };
  }

  take({ fields }: DataRow): void {
    if (this.failure) return;
    const { columns, empty } = this.columns ?? NO_COLUMNS;
    const row = { ...empty };
    try {
      for (let at = 0; at < fields.length; at += 1) {
        const [text, column] = [fields[at], columns[at]];
        if (column && typeof text === 'string') row[column.name] = column.read(text);
      }
      this.rows.push(row);
    } catch (error) {
      this.failure = error as Error;
    }
  }

  complete({ text }: CommandComplete): void {
    const words = text.split(' ');
    const [command = ''] = words;
    const count = words.length > 1 ? Number(words.at(-1)) : Number.NaN;
    this.done = { command, rowCount: Number.isInteger(count) ? count : null };
    if (this.name) this.columnsOf?.set(this.name, this.columns ?? NO_COLUMNS);
  }

  /** Answers whoever gave it, once all of the pipeline is done. */
  end(): void {
    if (this.failure) this.reject(this.failure);
    else this.resolve({ ...this.done, rows: this.rows });
  }

  fail(error: Error): void {
    this.reject(this.failure ?? error);
  }
}

/** Writes a parameter as Postgres reads it. Times are told in UTC: the driver's local time takes longer to write. */
function prepared(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : utils.prepareValue(value);
}
