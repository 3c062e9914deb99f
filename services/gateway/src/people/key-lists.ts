import {
  type gatewayContract,
  type KeyList,
  type keyRoutes,
  KeyView,
  type MyKeyList,
  MyKeyView,
  type ParsedInput,
  type ResponseInput,
  timesAsText,
} from '@kith/contracts';
import { pageOf, type Database } from '@kith/database';
import type { z } from 'zod';
import type { Caller } from './caller.js';

/** Ended keys of a person that are listed: more are a script's, and the newest ones show that. */
const MAX_ENDED = 100;

/** The API keys as people and operators may see them: without the keys themselves. */
export class KeyLists {
  constructor(private readonly database: Database) {}

  /** Lists every key there is or was, or one person's, the newest first. */
  async list({
    person,
    limit,
    cursor,
  }: ParsedInput<typeof keyRoutes.list>['query']): Promise<z.output<typeof KeyList>> {
    const rows = await this.database.asSystem((tx) =>
      tx.apiKey.findMany({
        // Starts after an id, whether or not its key is still there.
        where: { ...(person && { personId: person }), ...(cursor && { id: { lt: cursor } }) },
        include: { person: true },
        orderBy: { id: 'desc' },
        take: limit + 1,
      }),
    );
    const { page, nextCursor } = pageOf(rows, limit, ({ id }) => id);
    return {
      keys: page.map((row) => KeyView.parse({ ...timesAsText(row), displayName: row.person.displayName })),
      nextCursor,
    };
  }

  /**
   * Lists the keys that act as the caller: all that are in force, then ended ones that an operator made, each with the
   * newest first. Ended sessions are left out: their key shows their last use.
   */
  async ofCaller({ personId, keyId }: Caller, now: Date): Promise<MyKeyList> {
    const isInForce = { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] };
    const rows = await this.database.asPerson(personId, async (tx) => [
      ...(await tx.apiKey.findMany({ where: { personId, ...isInForce }, orderBy: { id: 'desc' } })),
      ...(await tx.apiKey.findMany({
        where: { personId, NOT: isInForce, madeBy: { not: null }, sessionOf: null },
        orderBy: { id: 'desc' },
        take: MAX_ENDED,
      })),
    ]);
    return {
      keys: rows.map((row) => {
        const madeBy = row.madeBy === null ? 'you' : 'operator';
        return MyKeyView.parse({ ...timesAsText(row), madeBy, isThisOne: row.id === keyId });
      }),
    };
  }

  /** Finds what to tell a person by DM of a key that an operator made for them; null where there is nothing to send. */
  async notice(keyId: string): Promise<ResponseInput<typeof gatewayContract.keyNotice>['notice']> {
    const row = await this.database.asSystem((tx) =>
      tx.apiKey.findUnique({
        where: { id: keyId },
        include: { person: { include: { identities: { where: { door: 'discord' } } } } },
      }),
    );
    const account = row?.person.identities[0];
    if (!row || row.madeBy === null || !account) return null;
    const { name, reason, scopes, createdAt } = row;
    return {
      discordUserId: account.subject,
      name,
      reason: reason ?? '',
      scopes,
      madeAt: createdAt.toISOString(),
    };
  }
}
