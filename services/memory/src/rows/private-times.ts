import type { Reader } from '@kith/database';

/** Reads when a person talked in private. Returns a test for a moment. */
export async function readPrivateTimes(reader: Reader, personId: string): Promise<(at: Date) => boolean> {
  const times = await reader.$queryRaw<{ since: Date; until: Date | null }[]>`
    SELECT since, until FROM private_times WHERE person_id = ${personId}::uuid`;
  return (at) => times.some(({ since, until }) => since <= at && (until === null || at < until));
}
