import type { Audience } from '@kith/contracts';
import type { Database } from '@kith/database';
import { oneByOne } from '@kith/messaging';
import { forGood, type ForgetService } from './forget.service.js';

/** Forgets what anybody said before one audience, such as a channel that the companion is not in any more. */
export async function forgetPlace(
  database: Database,
  forgetting: Pick<ForgetService, 'forget'>,
  audience: Audience,
): Promise<{ people: number; rows: number }> {
  const people = await database.asSystem(async (tx) => {
    const where = { audience };
    const select = { personId: true } as const;
    const remembered = await tx.memory.findMany({ where, select, distinct: ['personId'] });
    const noted = await tx.coreBlock.findMany({ where, select, distinct: ['personId'] });
    const meant = await tx.task.findMany({ where, select, distinct: ['personId'] });
    return [...new Set([...remembered, ...noted, ...meant].map(({ personId }) => personId))];
  });
  let forgotten = 0;
  await oneByOne(people, async (personId) => {
    const { rows } = await forgetting.forget(forGood(personId, { kind: 'place', audience }));
    forgotten += rows;
  });
  return { people: people.length, rows: forgotten };
}
