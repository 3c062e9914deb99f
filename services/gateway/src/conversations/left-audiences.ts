import type { Audience } from '@kith/contracts';
import type { Database } from '@kith/database';

/** Finds the audiences of places that the app was removed from: nothing said there is told elsewhere. */
export async function leftAmong(
  database: Database,
  audiences: readonly Audience[],
): Promise<ReadonlySet<Audience>> {
  const places = [...new Set(audiences)].filter((audience) => audience !== 'direct');
  if (places.length === 0) return new Set();
  // As the system: a place belongs to no person.
  const rows = await database.asSystem((tx) =>
    tx.conversation.findMany({
      where: { audience: { in: places }, leftAt: { not: null } },
      select: { audience: true },
    }),
  );
  return new Set(rows.map(({ audience }) => audience));
}
