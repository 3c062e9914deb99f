import { AppError, type memoryContract, type RequestOutput } from '@kith/contracts';
import { analyseText } from '../recall/analyse-text.js';
import type { RecallService } from '../recall/recall.service.js';
import type { ForgetRequest } from './forget.service.js';

/** What one query may take with it. */
const MAX_FOUND = 10;

/**
 * Turns a query into the ids of what it finds: what shares a word with it, if anything does, for whatever is nearest
 * comes up in a search.
 * @throws AppError `invalid_request` when no companion is named, whose memories to search
 */
export async function findToForget(
  asked: RequestOutput<typeof memoryContract.forget>,
  recalls: Pick<RecallService, 'recall'>,
): Promise<ForgetRequest> {
  const { what, personId, companionId } = asked;
  if (what.kind !== 'query') return { ...asked, what };
  if (companionId === undefined) {
    throw new AppError('invalid_request', 'name the companion whose memories to search', {
      field: 'companion',
    });
  }
  const { memories } = await recalls.recall({
    ...{ personId, companionId, audience: 'direct', query: what.query, now: new Date().toISOString() },
    ...{ limit: MAX_FOUND, maxTokens: 100_000, excludeSources: [], passageTokens: 0 },
    ...{ countAsUse: false, fromArchive: true, withCore: false },
  });
  const asks = new Set(analyseText(what.query));
  // By their own words: what stands beside a line lends it its words in a search.
  const sharing = memories.filter(({ text }) => analyseText(text).some((term) => asks.has(term)));
  return {
    ...asked,
    what: { kind: 'ids', ids: (sharing.length > 0 ? sharing : memories).map(({ id }) => id) },
  };
}
