import type { Database, Tx } from '@kith/database';
import { contentHashOf } from '../words/content-hash.js';
import { lockPerson } from '../rows/memory-row.js';
import type { Episode } from './plan-consolidation.js';
import { planTopics, type TopicPlan } from './plan-topics.js';
import { removeRows } from './remove-rows.js';
import { textOfSummary, writeSummary, type CitedSentence, type SummariseTopic } from './write-summary.js';

interface Whose {
  personId: string;
  companionId: string;
}

/** Episodes that topics are found in, the latest: a year of daily talk. */
const MAX_READ = 5_000;

/** Keeps the summaries of what somebody comes back to, over months. */
export class TopicSummaries {
  constructor(
    private readonly database: Database,
    private readonly summarise: SummariseTopic | null,
  ) {}

  /** Writes the summaries that are missing, or whose lines have changed. A second run changes nothing. */
  async update(whose: Whose): Promise<void> {
    const { personId, companionId } = whose;
    const episodes: Episode[] = await this.database.asPerson(personId, (tx) =>
      tx.memory.findMany({
        where: {
          personId,
          companionId,
          kind: 'episode',
          shelf: 'open',
          OR: [{ writer: 'person' }, { writer: 'import', speaker: null }],
        },
        orderBy: { saidAt: 'desc' },
        take: MAX_READ,
      }),
    );
    for (const plan of planTopics(episodes)) {
      const held = await this.database.asPerson(personId, (tx) => findSummary(tx, whose, plan));
      // As it was when it was written last: the same lines, though perhaps more that none of them is told from.
      if (held && planned(held.sources, plan)) continue;
      // Written outside of the transaction: a model takes its time.
      const sentences = await writeSummary(plan, this.summarise);
      await this.database.asPerson(personId, async (tx) => {
        await lockPerson(tx, personId);
        await replaceSummary(tx, whose, plan, sentences);
      });
    }
  }
}

function planned(held: readonly string[], { statements }: TopicPlan): boolean {
  const wanted = new Set(statements.flatMap(({ sources }) => sources));
  return held.length === wanted.size && held.every((source) => wanted.has(source));
}

function findSummary(tx: Tx, whose: Whose, plan: TopicPlan) {
  return tx.memory.findUnique({ where: keyOf(whose, plan) });
}

async function replaceSummary(
  tx: Tx,
  whose: Whose,
  plan: TopicPlan,
  sentences: readonly CitedSentence[],
): Promise<void> {
  const { audience, statements, importance, to } = plan;
  // All that the model was shown: what is forgotten of it takes the summary along.
  const sources = [...new Set(statements.flatMap((statement) => statement.sources))];
  // What was forgotten while the model wrote must not come back in its words.
  const alive = await tx.memory.findMany({
    where: { ...whose, audience, kind: 'episode', sources: { hasSome: sources } },
    select: { sources: true },
  });
  const still = new Set(alive.flatMap((row) => row.sources));
  if (!sources.every((source) => still.has(source))) return;
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
