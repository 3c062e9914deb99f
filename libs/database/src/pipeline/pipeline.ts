import { present } from '@kith/contracts';
import pg from 'pg';
import {
  PipelinePart,
  type Answer,
  type CommandComplete,
  type Connection,
  type DataRow,
  type RowDescription,
  type Statement,
} from './pipeline-part.js';

/** No statement opens a portal of this name: to execute it fails all that came before it in the pipeline. */
const NO_PORTAL = 'kith_none';

/**
 * Sends statements in one write, to be answered together. Postgres takes them for one transaction, unless one is open
 * already: all of them hold or none, and the answers come after the commit. That is one round trip, where a
 * transaction with its begin and commit takes two or three.
 * @param onFirst called once Postgres has carried out the first one
 * @returns each statement's answer; when one fails, so do those after it, and those before it were not kept
 */
export function sendPipeline(
  client: pg.ClientBase,
  statements: readonly Statement[],
  onFirst?: () => void,
): Promise<Answer>[] {
  const parts: PipelinePart[] = [];
  const answers = statements.map(
    (statement) => new Promise<Answer>((...ends) => parts.push(new PipelinePart(statement, ...ends))),
  );
  client.query(new Pipeline(parts, onFirst) as unknown as pg.Query);
  return answers;
}

/**
 * Statements as the driver takes a query. Each part leaves out the end of its message (`sync`), which for Postgres is the
 * end of the transaction; the pipeline sends one for all, and hands each part what comes for it.
 */
class Pipeline {
  /** The statement whose answer comes next. */
  private next = 0;

  constructor(
    private readonly parts: readonly PipelinePart[],
    private readonly onFirst?: () => void,
  ) {}

  // The driver reads these of the query under way, to note which statements Postgres has parsed.
  get name(): string | undefined {
    return this.parts[this.next]?.name;
  }

  get text(): string | undefined {
    return this.parts[this.next]?.text;
  }

  submit(connection: Connection): null {
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

  private get part(): PipelinePart {
    return present(this.parts[this.next]);
  }

  handleRowDescription(message: RowDescription): void {
    this.part.describe(message);
  }

  handleDataRow(message: DataRow): void {
    this.part.take(message);
  }

  handleCommandComplete(message: CommandComplete): void {
    this.part.complete(message);
    if (this.next === 0) this.onFirst?.();
    this.next += 1;
  }

  handleReadyForQuery(): void {
    for (const part of this.parts) part.end();
  }

  handleError(error: Error, connection: Connection): void {
    // Postgres skipped the statements after the failed one, so they are not prepared.
    for (const { name } of this.parts.slice(this.next)) {
      if (name) Reflect.deleteProperty(connection.submittedNamedStatements, name);
    }
    for (const part of this.parts) part.fail(error);
  }
}

// In pipeline mode the driver takes its own queries alone. A subclass would run their constructor for each pipeline, which
// clones what it is given: a fifth of the work of sending.
Object.setPrototypeOf(Pipeline.prototype, pg.Query.prototype);
