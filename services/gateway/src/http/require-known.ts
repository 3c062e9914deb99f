import type { Database } from '@kith/database';
import type { CompanionDirectory } from '../intake/companion-directory.js';

/**
 * Checks that a companion serves, or talked with the person before it was retired, in a channel too: its name may be
 * mistyped.
 * @throws AppError `not_found` for one that does neither
 */
export async function requireKnown(
  { database, companions }: { database: Database; companions: CompanionDirectory },
  personId: string,
  companionId: string,
): Promise<void> {
  const talked = await database.reader({ personId }).$queryRaw<unknown[]>`
    SELECT 1 FROM conversations WHERE person_id = ${personId}::uuid AND companion_id = ${companionId}
    UNION ALL SELECT 1 FROM turns WHERE person_id = ${personId}::uuid AND companion_id = ${companionId} LIMIT 1`;
  if (talked.length === 0) await companions.require(companionId);
}
