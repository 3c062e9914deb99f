import { toJsonb, type Writer } from '@kith/database';
import type { OwnAffect } from '../affect/feel.js';
import type { MoodState } from '../affect/mood/mood-decay.js';
import { type NeedLevels, SETTLED } from '../affect/needs/needs.js';
import { moodOf, needStateOf } from './snapshot-of.js';

/** Locks the companion's mood until the transaction ends; makes its rows, at rest, where there are none. */
export async function lockOwn(
  tx: Writer,
  id: string,
  { pad, at }: MoodState,
  now: number,
): Promise<[string, OwnAffect]> {
  const [, , [row]] = await Promise.all([
    tx.$executeRaw`
      INSERT INTO moods (companion_id, p, a, d, at)
      VALUES (${id}, ${pad.p}, ${pad.a}, ${pad.d}, ${new Date(at)})
      ON CONFLICT (companion_id) DO NOTHING`,
    tx.$executeRaw`
      INSERT INTO needs (companion_id, levels, at) VALUES (${id}, ${toJsonb(SETTLED)}::jsonb, ${new Date(now)})
      ON CONFLICT (companion_id) DO NOTHING`,
    tx.$queryRaw<[{ p: number; a: number; d: number; at: Date; levels: NeedLevels; needsAt: Date }]>`
      SELECT p, a, d, moods.at, levels, needs.at AS "needsAt" FROM moods JOIN needs USING (companion_id)
      WHERE companion_id = ${id} FOR UPDATE`,
  ]);
  return [id, { shared: moodOf(row), needs: needStateOf(row.levels, row.needsAt) }];
}
