import { timesAsText, UNCHANGING_ATTRIBUTES, type Contradiction } from '@kith/contracts';
import { sql, type Database } from '@kith/database';
import { rowsForAudience } from '../facts/fact-records.js';
import { readAudible } from '../rows/audience-conditions.js';
import type { MemoryScope } from '../rows/memory-scope.js';
import { findUnsettled } from './find-contradictions.js';

const ARE_UNCHANGING = sql`row.attribute = ANY (${[...UNCHANGING_ATTRIBUTES]}::text[])`;
/** Lines that are compared, the newest: some months of talk. Each denial among them is compared with all. */
const MAX_LINES = 500;
/** Most pairs that are told: already more than anybody could be asked about. */
const MAX_TOLD = 20;

/** Reads the contradictions in what a person said, as an audience may hear them, the newest first. */
export async function readUnsettled(database: Database, scope: MemoryScope): Promise<Contradiction[]> {
  const rows = await database.read({ personId: scope.personId }, async (reader) => {
    const [facts, lines] = await Promise.all([
      readAudible(reader, scope, sql`row.kind = 'fact' AND row.valid_to IS NULL AND ${ARE_UNCHANGING}`),
      readAudible(reader, scope, sql`row.kind = 'episode' ORDER BY row.said_at DESC LIMIT ${MAX_LINES}`),
    ]);
    return [...(await rowsForAudience(reader, scope, facts)), ...lines];
  });
  return (await findUnsettled(rows))
    .toSorted((one, other) => other.sides[1].saidAt.getTime() - one.sides[1].saidAt.getTime())
    .slice(0, MAX_TOLD)
    .map(({ sides }) => ({
      sides: sides.map(({ id, text, saidAt, sources }) => timesAsText({ id, text, sources, saidAt })),
    }));
}
