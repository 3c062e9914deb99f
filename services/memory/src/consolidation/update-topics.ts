import type { Database } from '@kith/database';
import type { Pair } from '../rows/memory-scope.js';
import { OWN_WORDS } from '../rows/own-words.js';
import type { Episode } from './group-same.js';
import { keepWritten } from './keep-written.js';
import { planTopics } from './plan-topics.js';
import { textOfSummary, writeSummary, type CitedSentence, type SummariseTopic } from './write-summary.js';

/** Episodes that topics are found in, the latest: a year of daily talk. */
const MAX_READ = 5_000;

/**
 * Writes the summaries of what somebody comes back to over months, where they are missing, or their lines have changed. A
 * second run changes nothing.
 * @returns false where one of them was lost (`keepWritten`)
 */
export async function updateTopics(
  database: Database,
  summarise: SummariseTopic | null,
  { personId, companionId }: Pair,
): Promise<boolean> {
  const episodes: Episode[] = await database.asPerson(personId, (tx) =>
    tx.memory.findMany({
      where: { personId, companionId, kind: 'episode', shelf: 'open', ...OWN_WORDS },
      orderBy: { saidAt: 'desc' },
      take: MAX_READ,
    }),
  );
  let areWritten = true;
  for (const plan of await planTopics(episodes)) {
    const { audience, statements, importance, key, to } = plan;
    // All messages that the model saw: forgetting one of them removes the summary, too.
    const sources = [...new Set(statements.flatMap((statement) => statement.sources))];
    const wordOf = (sentences: readonly CitedSentence[]) => textOfSummary(plan, sentences);
    const of = { personId, companionId, audience, statements, sources, importance, wordOf };
    const isWritten = await keepWritten(
      database,
      { ...of, subject: `topic ${key}`, saidAt: to },
      async () => {
        const sentences = await writeSummary(plan, summarise, { personId, companionId });
        return { text: wordOf(sentences), sentences };
      },
    );
    areWritten &&= isWritten;
  }
  return areWritten;
}
