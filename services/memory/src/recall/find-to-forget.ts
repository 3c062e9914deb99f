import type { memoryContract, RequestOutput } from '@kith/contracts';
import { sharesWord } from '../words/analyse-text.js';
import type { RecallService } from './recall.service.js';

/** Most memories one query may take with it. */
const MAX_FOUND = 10;

/** The ids of what is really about a query: what shares a word with it. */
export async function findToForget(
  { personId, companionId, query }: RequestOutput<typeof memoryContract.findToForget>,
  recalls: Pick<RecallService, 'recall'>,
): Promise<string[]> {
  const { memories } = await recalls.recall({
    ...{ personId, companionId, audience: 'direct', query, now: new Date().toISOString() },
    ...{ limit: MAX_FOUND, maxTokens: 100_000, excludeSources: [], passageTokens: 0 },
    ...{ countAsUse: false, fromArchive: true, withCore: false, explain: 0 },
  });
  // By their own words: what stands beside a line lends it its words in a search.
  return memories.filter(({ text }) => sharesWord(query, text)).map(({ id }) => id);
}
