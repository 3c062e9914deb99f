import type { MemoryModel, Tx } from '@kith/database';
import { contentHashOf } from '../words/content-hash.js';
import type { TopicPlan } from './plan-topics.js';
import { removeRows } from './remove-rows.js';
import { stillStands } from './still-stands.js';
import { textOfSummary, type CitedSentence } from './write-summary.js';

export interface Whose {
  personId: string;
  companionId: string;
}

/** Reads the summary of a topic; null without one. */
export function findSummary(tx: Tx, whose: Whose, plan: TopicPlan): Promise<MemoryModel | null> {
  return tx.memory.findUnique({ where: keyOf(whose, plan) });
}

/** Puts a new summary of a topic in the place of the one before. */
export async function replaceSummary(
  tx: Tx,
  whose: Whose,
  plan: TopicPlan,
  sentences: readonly CitedSentence[],
): Promise<void> {
  const { audience, statements, importance, to } = plan;
  // All that the model was shown: what is forgotten of it takes the summary along.
  const sources = [...new Set(statements.flatMap((statement) => statement.sources))];
  if (!(await stillStands(tx, { ...whose, audience, statements, sources }))) return;
  const held = await findSummary(tx, whose, plan);
  if (held) await removeRows(tx, whose, [held.id]);
  await tx.memory.create({
    data: {
      ...keyOf(whose, plan).personId_companionId_audience_contentHash,
      ...{ kind: 'reflection', writer: 'model', text: textOfSummary(plan, sentences), importance, sources },
      ...{ saidAt: to, sentences: sentences.map(({ text, sources: of }) => ({ text, sources: of })) },
    },
  });
}

/** Gives the key of a topic's summary for an audience, whatever it says. */
function keyOf({ personId, companionId }: Whose, { audience, key }: TopicPlan) {
  const contentHash = contentHashOf(`topic ${key}`);
  return { personId_companionId_audience_contentHash: { personId, companionId, audience, contentHash } };
}
