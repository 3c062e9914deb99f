import type { Reader } from '@kith/database';
import { isAudible } from '../rows/audience-conditions.js';
import { COLUMNS, type MemoryRow } from '../rows/memory-row.js';
import type { MemoryScope } from '../rows/memory-scope.js';
import { rowsForAudience } from './fact-records.js';
import { isHolding } from './reconcile-fact.js';

/** Wishes and preferences considered for a prompt, the newest: more than anybody has. */
const MAX_READ = 200;

/** Reads the current wishes and preferences that a scope may hear. */
export async function readWishRows(reader: Reader, scope: MemoryScope, now: Date): Promise<MemoryRow[]> {
  const rows = await reader.$queryRaw<MemoryRow[]>`
    SELECT ${COLUMNS} FROM memories AS row
    WHERE ${isAudible(scope)} AND row.attribute IS NOT NULL
      AND (row.attribute LIKE 'wish:%' OR row.attribute LIKE 'prefers:%')
      AND row.kind = 'fact' AND (row.valid_to IS NULL OR row.valid_to > ${now})
    ORDER BY row.said_at DESC LIMIT ${MAX_READ}`;
  const heard = rows.length === 0 ? rows : await rowsForAudience(reader, scope, rows);
  return heard.filter((row) => isHolding(row, now));
}
