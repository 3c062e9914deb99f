import { present } from '@kith/contracts';
import pg from 'pg';
import {
  Part,
  type Answer,
  type CommandComplete,
  type Connection,
  type DataRow,
  type RowDescription,
  type Statement,
} from './flight-part.js';

/** The driver's own query, with the part that its types leave out. */
interface DriverQuery {
  submit(connection: Connection): Error | null;
  handleRowDescription(message: RowDescription): void;
  handleDataRow(message: DataRow): void;
  handleCommandComplete(message: CommandComplete): void;
  handleReadyForQuery(): void;
  handleError(error: Error, connection: Connection): void;
}

const Query = pg.Query as unknown as new (config: object) => DriverQuery;

/** No statement opens a portal of this name: to execute it fails all that came before it in the flight. */
const NO_PORTAL = 'kith_none';

/**
 * Sends statements in one write, to be answered together. Postgres takes them for one transaction, unless one is open
 * already: all of them hold or none, and the answers come after the commit. That is one round trip, where a
 * transaction with its begin and commit takes two or three.
 * @param onFirst called once Postgres has carried out the first one
 * @returns each statement's answer; when one fails, so do those after it, and those before it were not kept
 */
export function fly(
  client: pg.ClientBase,
  statements: readonly Statement[],
  onFirst?: () => void,
): Promise<Answer>[] {
  const parts: Part[] = [];
  const answers = statements.map(
    (statement) => new Promise<Answer>((...ends) => parts.push(new Part(statement, ...ends))),
  );
  client.query(new Flight(parts, onFirst) as unknown as pg.Query);
  return answers;
}

/**
 * Each part leaves out the end of its message (`sync`), which for Postgres is the end of the transaction; the flight
 * sends one for all, and hands each part what comes for it.
 */
class Flight extends Query {
  private readonly parts: readonly Part[];
  /** The statement whose answer comes next. */
  private next = 0;

  constructor(
    parts: readonly Part[],
    private readonly onFirst?: () => void,
  ) {
    super({ text: '' });
    this.parts = parts;
    // The driver reads these of the query under way, to note which statements Postgres has parsed.
    Object.defineProperties(this, {
      name: { get: () => this.parts[this.next]?.name },
      text: { get: () => this.parts[this.next]?.text },
    });
  }

  override submit(connection: Connection): null {
    connection.stream.cork();
    try {
      // Where one can't be sent, those before it must not be kept.
      if (!this.parts.every((part) => part.submit(connection))) connection.execute({ portal: NO_PORTAL });
      connection.sync();
    } finally {
      connection.stream.uncork();
    }
    return null;
  }

  private get part(): Part {
    return present(this.parts[this.next]);
  }

  override handleRowDescription(message: RowDescription): void {
    this.part.describe(message);
  }

  override handleDataRow(message: DataRow): void {
    this.part.take(message);
  }

  override handleCommandComplete(message: CommandComplete): void {
    this.part.complete(message);
    if (this.next === 0) this.onFirst?.();
    this.next += 1;
  }

  override handleReadyForQuery(): void {
    for (const part of this.parts) part.end();
  }

  override handleError(error: Error, connection: Connection): void {
    // Postgres skipped the statements after the failed one, so they are not prepared.
    for (const { name } of this.parts.slice(this.next)) {
      if (name) Reflect.deleteProperty(connection.submittedNamedStatements, name);
    }
    for (const part of this.parts) part.fail(error);
  }
}
