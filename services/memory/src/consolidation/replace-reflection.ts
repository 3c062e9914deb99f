import { createHash } from 'node:crypto';
import type { MemoryModel, Tx } from '@kith/database';
import type { CompanionDay } from '@kith/contracts';
import type { ReflectionPlan } from './plan-consolidation.js';
import { removeRows } from './remove-rows.js';
import { stillStands } from './still-stands.js';

/** A companion's day with somebody: what was stored on it. */
export type DayWithCompanion = CompanionDay & { personId: string };

/** Reads a day's reflection; null without one. */
export function findReflection(
  tx: Tx,
  which: DayWithCompanion,
  audience: string,
): Promise<MemoryModel | null> {
  return tx.memory.findUnique({ where: reflectionKey(which, audience) });
}

/** Puts a new reflection in the place of the old: a day may have gained something. */
export async function replaceReflection(
  tx: Tx,
  which: DayWithCompanion,
  plan: ReflectionPlan,
  text: string,
): Promise<void> {
  const { personId, companionId } = which;
  const { audience, sources, importance, statements } = plan;
  if (!(await stillStands(tx, { personId, companionId, audience, statements, sources }))) return;
  const held = await findReflection(tx, which, audience);
  if (held) await removeRows(tx, which, [held.id]);
  await tx.memory.create({
    data: {
      ...reflectionKey(which, audience).personId_companionId_audience_contentHash,
      kind: 'reflection',
      writer: 'model',
      text,
      importance,
      sources,
      saidAt: statements.at(-1)?.saidAt ?? new Date(which.from),
    },
  });
}

/** Gives the key of a day's reflection for an audience, whatever it says. */
function reflectionKey({ personId, companionId, day }: DayWithCompanion, audience: string) {
  const contentHash = createHash('sha256').update(`reflection ${day}`).digest('hex');
  return { personId_companionId_audience_contentHash: { personId, companionId, audience, contentHash } };
}

/** Tells whether two lists hold the same ids. */
export function sameSet(a: string[], b: string[]): boolean {
  const held = new Set(a);
  return held.size === new Set(b).size && b.every((each) => held.has(each));
}
