import type { Database } from '@kith/database';
import { z } from 'zod';
import { toldTo } from '../forgetting/may-tell.js';
import type { Claim } from '../inbox/claim.js';
import { plainName } from '../safety/prompt-text.js';
import { declareTool, type Tool } from './tool.js';

const Search = z.object({ query: z.string().trim().min(1).max(500) });
/** Results of one search: as many as a model reads with care. */
const SEARCH_LIMIT = 6;

export const SEARCH_CONVERSATION = declareTool(
  'search_conversation',
  'Look for what was said earlier in this conversation.',
  {
    query: { type: 'string', description: 'a few words' },
  },
  { reads: ['conversation'], changes: 'nothing' },
);

/** Makes the search in what was said earlier in this conversation. */
export function searchConversation(
  { database }: { database: Database },
  { conversationId, personId }: Claim,
): Tool {
  return {
    ...SEARCH_CONVERSATION,
    call: async (given) => {
      const { query } = Search.parse(given);
      const rows = await database.read(
        { conversationId },
        (reader) => reader.$queryRaw<{ name: string; text: string; at: Date }[]>`
          SELECT name, text, at FROM transcript
          WHERE conversation_id = ${conversationId}::uuid AND ${toldTo(personId)}
            AND position(lower(${query}) IN lower(text)) > 0
          ORDER BY id DESC LIMIT ${SEARCH_LIMIT}`,
      );
      const lines = rows.map(
        ({ name, text, at }) => `[${at.toISOString().slice(0, 10)}] ${plainName(name)}: ${text}`,
      );
      return lines.join('\n') || 'Nothing like that was said here.';
    },
  };
}
