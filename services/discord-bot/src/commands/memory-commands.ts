import { memoryContract, type RequestInput, type ResponseOutput } from '@kith/contracts';
import type { CommandContext } from './command-context.js';
import { askToForget, describeForgotten, describeList, describeSearch } from './describe-memories.js';

const SHOWN = 10;
// Ten memories of any usual length; the command shows a line of each.
const SEARCH_TOKENS = 8_000;
// Only the person who asked can read an ephemeral answer, wherever they asked.
const AUDIENCE = 'direct';

export type ForgetOrder = RequestInput<typeof memoryContract.forget>['what'];

export async function listMemories(context: CommandContext): Promise<string> {
  const { messenger, companionId, personId } = context;
  const { memories, total } = await messenger.ask(memoryContract.list, {
    personId,
    companionId,
    audience: AUDIENCE,
    limit: SHOWN,
  });
  return describeList(memories, total);
}

export async function searchMemories(context: CommandContext, query: string): Promise<string> {
  const { memories, degraded } = await recall(context, query);
  return describeSearch(memories, degraded.length > 0);
}

/** What would be forgotten, as a question; without an order there is nothing to confirm. */
export async function planForget(
  context: CommandContext,
  { query, all }: { query: string | null; all: boolean },
): Promise<{ text: string; order: ForgetOrder | null }> {
  if (all) {
    const { messenger, companionId, personId } = context;
    const { total } = await messenger.ask(memoryContract.list, { personId, companionId, limit: 1 });
    if (total === 0) return { text: describeForgotten(0), order: null };
    const text = `Forget **everything** about you (${total} memories), for good? This can't be undone.`;
    return { text, order: { kind: 'all' } };
  }
  if (query === null || query.trim() === '')
    return { text: 'Say what to forget: give `query`, or `all: True` for everything.', order: null };
  const found = (await recall(context, query)).memories;
  // Whatever is nearest comes up in a search; what goes should at least share a word, if anything does.
  const sharing = found.filter(({ why }) => why.lexicalRank !== null);
  const memories = sharing.length > 0 ? sharing : found;
  if (memories.length === 0)
    return { text: 'Nothing comes to mind for that, so nothing to forget.', order: null };
  return { text: askToForget(memories), order: { kind: 'ids', ids: memories.map(({ id }) => id) } };
}

export async function forget(context: CommandContext, order: ForgetOrder): Promise<string> {
  const { messenger, companionId, personId } = context;
  const { rows } = await messenger.ask(memoryContract.forget, { personId, companionId, what: order });
  return describeForgotten(rows);
}

function recall(
  { messenger, companionId, personId, now }: CommandContext,
  query: string,
): Promise<ResponseOutput<typeof memoryContract.recall>> {
  return messenger.ask(memoryContract.recall, {
    personId,
    companionId,
    audience: AUDIENCE,
    query,
    limit: SHOWN,
    maxTokens: SEARCH_TOKENS,
    now: now.toISOString(),
    countAsUse: false,
  });
}
