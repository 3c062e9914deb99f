import type { OperatorActionList } from '@kith/contracts';
import type { Database } from '@kith/database';
import type { z } from 'zod';
import type { Caller } from '../people/api-keys.js';

/** Something that an operator did or looked at. */
interface OperatorAction {
  caller: Pick<Caller, 'keyId' | 'keyName' | 'personId'>;
  /** The route: method and path with the names of its parameters. */
  action: string;
  /** Ids alone. */
  subjects: Readonly<Record<string, string>>;
  /** `ok`, or an error's code. */
  outcome: string;
}

/** The audit log in Postgres. Rows are only added: the database refuses anything else. */
export class OperatorActions {
  constructor(private readonly database: Database) {}

  async add({ caller, action, subjects, outcome }: OperatorAction): Promise<void> {
    const { keyId, keyName, personId: operatorId } = caller;
    await this.database.asSystem((tx) =>
      tx.operatorAction.create({ data: { keyId, keyName, operatorId, action, subjects, outcome } }),
    );
  }

  /** The newest first. */
  async list(limit: number, cursor: string | undefined): Promise<z.output<typeof OperatorActionList>> {
    const rows = await this.database.asSystem((tx) =>
      tx.operatorAction.findMany({
        orderBy: { id: 'desc' },
        take: limit + 1,
        ...(cursor ? { cursor: { id: cursor }, skip: 1 } : {}),
      }),
    );
    const page = rows.slice(0, limit);
    return {
      actions: page.map(({ at, subjects, ...row }) => ({
        ...row,
        at: at.toISOString(),
        subjects: subjects as Record<string, string>,
      })),
      nextCursor: rows.length > limit ? page.at(-1)!.id : null,
    };
  }
}
