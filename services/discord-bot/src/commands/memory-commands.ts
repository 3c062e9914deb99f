import {
  AppError,
  gatewayContract,
  memoryContract,
  type MemoryChange,
  type MemoryView,
  type RequestInput,
  type ResponseOutput,
} from '@kith/contracts';
import type { CommandContext } from './command-context.js';
import {
  askToForget,
  describeChanged,
  describeForgotten,
  describeList,
  describePrivacy,
  describeSearch,
  shortId,
} from './describe-memories.js';

const SHOWN = 10;
const PAGE = 200;
// Ten memories of any usual length; the command shows a line of each.
const SEARCH_TOKENS = 8_000;
// Only the person who asked can read an ephemeral answer, wherever they asked.
const AUDIENCE = 'direct';

export type ForgetOrder = RequestInput<typeof gatewayContract.forget>['what'];

/** A page of what is kept, counted from 1, and which pages there are beside it. */
export async function listMemories(
  context: CommandContext,
  page: number,
): Promise<{ text: string; before: number | null; after: number | null }> {
  const { memories, total } = await newest(context, page * SHOWN);
  const pages = Math.max(1, Math.ceil(total / SHOWN));
  const shown = Math.min(page, pages);
  const text = describeList(memories.slice((shown - 1) * SHOWN, shown * SHOWN), {
    page: shown,
    pages,
    total,
  });
  return { text, before: shown > 1 ? shown - 1 : null, after: shown < pages ? shown + 1 : null };
}

export async function searchMemories(context: CommandContext, query: string): Promise<string> {
  const { messenger, companionId, personId, now } = context;
  const { memories, degraded } = await messenger.ask(memoryContract.recall, {
    personId,
    companionId,
    audience: AUDIENCE,
    query,
    limit: SHOWN,
    maxTokens: SEARCH_TOKENS,
    now: now.toISOString(),
    countAsUse: false,
    fromArchive: true,
  });
  return describeSearch(memories, degraded.length > 0);
}

/** Corrects or pins the memory with this short id. */
export async function changeMemory(
  context: CommandContext,
  given: string,
  change: MemoryChange,
): Promise<string> {
  const { messenger, personId } = context;
  const wanted = given.trim().toLowerCase();
  const { memories } = await newest(context, Number.POSITIVE_INFINITY);
  const found = memories.filter(({ id }) => id === wanted || shortId(id) === wanted);
  if (found.length !== 1) {
    return `No memory of yours has the id \`${wanted.slice(0, 40)}\`: \`/memories list\` and \`search\` show them.`;
  }
  return describeChanged(await messenger.ask(memoryContract.change, { personId, id: found[0]!.id, change }));
}

/** What is known of the person, as a page in Markdown. */
export async function describePerson(context: CommandContext): Promise<string> {
  const { messenger, companionId, personId, now } = context;
  const asked = { personId, companionId, audience: AUDIENCE, now: now.toISOString() };
  return (await messenger.ask(memoryContract.describe, asked)).page;
}

/** Every memory as a line of JSON. */
export async function exportMemories(context: CommandContext): Promise<string> {
  const { memories } = await newest(context, Number.POSITIVE_INFINITY, { asKept: true });
  return memories.map((memory) => `${JSON.stringify(memory)}\n`).join('');
}

export async function changePrivacy(
  { messenger, personId }: CommandContext,
  isPrivate: boolean,
): Promise<string> {
  return describePrivacy(await messenger.ask(gatewayContract.privacy, { personId, private: isPrivate }));
}

/** What would be forgotten, as a question; without an order there is nothing to confirm. */
export async function planForget(
  context: CommandContext,
  { query, all }: { query: string | null; all: boolean },
): Promise<{ text: string; order: ForgetOrder | null }> {
  if (!all && (query === null || query.trim() === ''))
    return { text: 'Say what to forget: give `query`, or `all: True` for everything.', order: null };
  const what: ForgetOrder = all ? { kind: 'all' } : { kind: 'query', query: query! };
  const { rows, memories, lines } = await order(context, what, true);
  if (all && rows + lines > 0) {
    const counts = `${rows} memories, ${lines} lines of your talk`;
    const text = `Forget **everything** about you (${counts})? You have ten minutes to take it back.`;
    return { text, order: what };
  }
  if (rows === 0) {
    const text = all
      ? 'There was nothing to forget.'
      : 'Nothing comes to mind for that, so nothing to forget.';
    return { text, order: null };
  }
  return {
    text: askToForget(memories, lines),
    order: { kind: 'ids', ids: memories.map(({ id }) => id) },
  };
}

/** Forgets, and tells the receipt by which that can be undone; null where there was nothing. */
export async function forget(
  context: CommandContext,
  what: ForgetOrder,
): Promise<{ text: string; receipt: string | null }> {
  const { rows, lines, receipt } = await order(context, what, false);
  return { text: describeForgotten(rows, lines), receipt: rows + lines === 0 ? null : receipt };
}

/** Takes a forget back. */
export async function undoForget({ messenger, personId }: CommandContext, receipt: string): Promise<string> {
  try {
    const { rows } = await messenger.ask(gatewayContract.undoForget, { personId, receipt });
    return `I have it back: ${rows === 1 ? 'one memory' : `${rows} memories`}.`;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') {
      return 'That was too long ago: it is gone for good.';
    }
    throw error;
  }
}

function order(
  { messenger, companionId, personId }: CommandContext,
  what: ForgetOrder,
  preview: boolean,
): Promise<ResponseOutput<typeof gatewayContract.forget>> {
  return messenger.ask(gatewayContract.forget, { personId, companionId, what, preview });
}

/** The newest so many, and how many there are. */
async function newest(
  { messenger, companionId, personId }: CommandContext,
  count: number,
  { asKept } = { asKept: false },
): Promise<{ memories: MemoryView[]; total: number }> {
  const memories: MemoryView[] = [];
  let cursor: string | undefined;
  let total: number;
  do {
    const limit = Math.min(PAGE, count - memories.length);
    const request = { personId, companionId, audience: AUDIENCE, limit, cursor, asKept };
    const page = await messenger.ask(memoryContract.list, request);
    memories.push(...page.memories);
    total = page.total;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && memories.length < count);
  return { memories, total };
}
