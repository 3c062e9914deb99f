import { columnOf, type Reader } from '@kith/database';

/** Tells whether a person talks in private, or did at any time since then. */
export async function wasPrivateSince(reader: Reader, personId: string, since: Date): Promise<boolean> {
  const times = await columnOf(reader)`
    SELECT since FROM private_times
    WHERE person_id = ${personId}::uuid AND since <= ${new Date()} AND (until IS NULL OR until > ${since}) LIMIT 1`;
  return times.length > 0;
}

/** Reads when a person talked in private. Returns a test for a moment. */
export async function readPrivateTimes(reader: Reader, personId: string): Promise<(at: Date) => boolean> {
  const times = await reader.$queryRaw<{ since: Date; until: Date | null }[]>`
    SELECT since, until FROM private_times WHERE person_id = ${personId}::uuid`;
  return (at) => times.some(({ since, until }) => since <= at && (until === null || at < until));
}
