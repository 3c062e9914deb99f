import pg from 'pg';

/** A statement, and the name under which a connection prepares it once. */
export interface Statement {
  name?: string;
  text: string;
  values: readonly unknown[];
  types?: pg.CustomTypesConfig;
}

export type Answer = pg.QueryResult<Record<string, unknown>>;

/** The driver's own query, with the part that its types leave out. */
interface DriverQuery {
  readonly name: string | undefined;
  readonly text: string;
  submit(connection: Connection): Error | null;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
  handleReadyForQuery(connection: Connection): void;
  handleError(error: Error, connection: Connection): void;
}

interface Connection {
  stream: { cork(): void; uncork(): void };
  submittedNamedStatements: Record<string, string>;
  execute(portal: { portal: string }): void;
  sync(): void;
}

const Query = pg.Query as unknown as new (
  config: object,
  callback?: (error: Error | null, answer: Answer) => void,
) => DriverQuery;

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
  const queries: Part[] = [];
  const answers = statements.map(
    (statement) =>
      new Promise<Answer>((resolve, reject) => {
        const config = { ...statement, queryMode: 'extended' };
        queries.push(new Part(config, (error, answer) => (error ? reject(error) : resolve(answer))));
      }),
  );
  client.query(new Flight(queries, onFirst) as unknown as pg.Query);
  return answers;
}

class Part extends Query {
  hasFailed = false;

  override handleError(error: Error, connection: Connection): void {
    this.hasFailed = true;
    super.handleError(error, connection);
  }
}

/**
 * Each part is a query of the driver's that leaves out the end of its message (`sync`), which for Postgres is the
 * end of the transaction; the flight sends one for all, and hands each part what comes for it.
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
    // The driver asks for these of what is under way, to note what Postgres has parsed.
    Object.defineProperties(this, {
      name: { get: () => this.parts[this.next]?.name },
      text: { get: () => this.parts[this.next]?.text },
    });
  }

  override submit(connection: Connection): null {
    const unended = Object.create(connection, { sync: { value: () => undefined } }) as Connection;
    connection.stream.cork();
    try {
      const isSent = (part: Part) => {
        const refused = part.submit(unended);
        if (refused) part.handleError(refused, connection);
        return !part.hasFailed;
      };
      // Where one can't be sent, those before it must not be kept.
      if (!this.parts.every(isSent)) connection.execute({ portal: NO_PORTAL });
      connection.sync();
    } finally {
      connection.stream.uncork();
    }
    return null;
  }

  override handleRowDescription(message: unknown): void {
    this.parts[this.next]!.handleRowDescription(message);
  }

  override handleDataRow(message: unknown): void {
    this.parts[this.next]!.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    this.parts[this.next]!.handleCommandComplete(message, connection);
    if (this.next === 0) this.onFirst?.();
    this.next += 1;
  }

  override handleReadyForQuery(connection: Connection): void {
    for (const part of this.parts) part.handleReadyForQuery(connection);
  }

  override handleError(error: Error, connection: Connection): void {
    // Postgres passed over what came after: what of it was to be prepared was not.
    for (const { name } of this.parts.slice(this.next)) {
      if (name) Reflect.deleteProperty(connection.submittedNamedStatements, name);
    }
    for (const part of this.parts) part.handleError(error, connection);
  }
}
