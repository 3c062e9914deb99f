import type { Database } from '@kith/database';
import { lockPerson } from '../rows/memory-row.js';
import type { Episode } from './group-same.js';
import { planTopics, type TopicPlan } from './plan-topics.js';
import { writeSummary, type SummariseTopic } from './write-summary.js';
import { type Whose, findSummary, replaceSummary } from './replace-summary.js';

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
    for (const plan of await planTopics(episodes)) {
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
