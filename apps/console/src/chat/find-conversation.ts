import { conversationRoutes, type RouteClient } from '@kith/contracts';
import type { Conversation } from './chat-thread.js';

// A person has a handful of conversations; a list longer than this would be a bug of the gateway's.
const MAX_PAGES = 20;

/** The direct conversation with a companion by its thread's name, or undefined when there is none yet. */
export async function findConversation(
  api: RouteClient,
  companionId: string,
  name: string,
): Promise<Conversation | undefined> {
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { conversations, nextCursor } = await api.call(conversationRoutes.list, { query: { cursor } });
    const found = conversations.find(
      (conversation) =>
        conversation.companionId === companionId &&
        conversation.name === name &&
        conversation.kind === 'direct',
    );
    if (found !== undefined || nextCursor === null) return found;
    cursor = nextCursor;
  }
  return undefined;
}
