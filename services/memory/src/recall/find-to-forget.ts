import { memoryContract, type MemoryRequest } from '@kith/contracts';
import type { Database } from '@kith/database';
import { searchText, searchUnheard } from '../rows/search-text.js';
import { sharesWord } from '../words/analyse-text.js';
import { emojiOf } from '../words/emoji.js';
import type { Recaller } from './recaller.js';

/** Most memories one query may take with it. */
const MAX_FOUND = 10;

/**
 * Finds the ids of memories really about a query: those sharing a word with it, or an emoji where no word finds any. Also
 * of what nobody may hear, and may come back: what was told in servers that the app has left, is in quarantine, or was
 * withdrawn.
 */
export async function findToForget(
  request: MemoryRequest<'findToForget'>,
  recalls: Pick<Recaller, 'recall'>,
  database: Database,
): Promise<string[]> {
  const found = await findByWords(request, recalls, database);
  return found.length > 0 ? found : findByEmoji(request, database);
}

async function findByWords(
  { personId, companionId, query }: MemoryRequest<'findToForget'>,
  recalls: Pick<Recaller, 'recall'>,
  database: Database,
): Promise<string[]> {
  const unheard = database.read({ personId }, (tx) =>
    searchUnheard(tx, { personId, companionId }, query, MAX_FOUND),
  );
  const asked = memoryContract.recall.request.parse({
    personId,
    companionId,
    audience: 'direct',
    query,
    now: new Date().toISOString(),
    limit: MAX_FOUND,
    maxTokens: 100_000,
    countAsUse: false,
    fromArchive: true,
  });
  const recalled = recalls.recall(asked);
  // A search also counts the words of the lines beside one: only its own show what it is about.
  const [{ memories }, others] = await Promise.all([recalled, unheard]);
  return [...memories, ...others].filter(({ text }) => sharesWord(query, text)).map(({ id }) => id);
}

/** Finds by Postgres: the index has no emoji. */
async function findByEmoji(
  { personId, companionId, query }: MemoryRequest<'findToForget'>,
  database: Database,
): Promise<string[]> {
  const emoji = emojiOf(query);
  if (emoji.length === 0) return [];
  const scope = { personId, companionId, audience: 'direct' as const };
  const asked = emoji.join(' ');
  const [unheard, ...heard] = await database.read({ personId }, (tx) =>
    Promise.all([
      searchUnheard(tx, scope, asked, MAX_FOUND),
      ...(['open', 'archive'] as const).map((shelf) =>
        searchText(tx, scope, asked, { limit: MAX_FOUND, shelf }),
      ),
    ]),
  );
  return [...heard.flat().slice(0, MAX_FOUND), ...unheard].map(({ id }) => id);
}
