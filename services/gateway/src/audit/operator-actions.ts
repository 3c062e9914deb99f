import {
  type auditRoutes,
  type OperatorActionList,
  OperatorActionView,
  type ParsedInput,
  timesAsText,
} from '@kith/contracts';
import { pageOf, toJsonb, uuid7, type Database } from '@kith/database';
import type { z } from 'zod';
import type { Caller } from '../people/caller.js';

/** Action of an operator: something they did or looked at. */
interface OperatorAction {
  caller: Pick<Caller, 'keyId' | 'keyName' | 'personId'>;
  /** The route: method and path with the names of its parameters. */
  action: string;
  /** Ids of its subjects, and nothing else. */
  subjects: Readonly<Record<string, string>>;
  /** `ok`, or an error's code. */
  outcome: string;
}

/** Subjects that may be a person's id. */
const NAMING_PEOPLE = ['person', 'id'];

/** The audit log in Postgres. Rows are only added: the database refuses anything else. */
export class OperatorActions {
  constructor(private readonly database: Database) {}

  /** Stores an action. */
  async add({ caller, action, subjects, outcome }: OperatorAction): Promise<void> {
    const { keyId, keyName, personId: operatorId } = caller;
    await this.database.writer('system').$executeRaw`
      INSERT INTO operator_actions (id, key_id, key_name, operator_id, action, subjects, outcome)
      VALUES (${uuid7()}::uuid, ${keyId}::uuid, ${keyName}, ${operatorId}::uuid, ${action},
        ${toJsonb(subjects)}::jsonb, ${outcome})`;
  }

  /** Lists actions, the newest first: those whose route contains `action`, and those by or about a person. */
  async list(
    query: ParsedInput<typeof auditRoutes.list>['query'],
  ): Promise<z.output<typeof OperatorActionList>> {
    const { limit, cursor, action, person } = query;
    const isAbout = (id: string) => NAMING_PEOPLE.map((path) => ({ subjects: { path: [path], equals: id } }));
    const rows = await this.database.asSystem((tx) =>
      tx.operatorAction.findMany({
        where: {
          ...(action !== undefined && { action: { contains: action, mode: 'insensitive' } }),
          ...(person !== undefined && { OR: [{ operatorId: person }, ...isAbout(person)] }),
          ...(cursor && { id: { lt: cursor } }),
        },
        orderBy: { id: 'desc' },
        take: limit + 1,
      }),
    );
    const { page, nextCursor } = pageOf(rows, limit, ({ id }) => id);
    return { actions: page.map((row) => OperatorActionView.parse(timesAsText(row))), nextCursor };
  }
}
