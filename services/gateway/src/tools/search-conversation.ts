import { oneLine } from '@kith/contracts';
import type { Database } from '@kith/database';
import { z } from 'zod';
import { searchTalk } from '../conversations/search-talk.js';
import type { Claim } from '../inbox/claim.js';
import { plainName } from '../safety/prompt-text.js';
import type { ShownMemory } from '../steps/step-words.js';
import { declareTool, type Tool } from './tool.js';

const Search = z.object({ query: z.string().trim().min(1).max(500) });
/** Passages of one search, of some three lines each: as many as a model reads with care. */
const SEARCH_LIMIT = 6;
/** Characters of one line: enough for what it says on the matter, and room for the others. */
const LINE_CHARACTERS = 500;

export const SEARCH_CONVERSATION = declareTool(
  'search_conversation',
  'Look for what was said earlier in this conversation, by words that were used then. Tells the lines around it.',
  { query: { type: 'string', description: 'a few words' } },
  { reads: ['conversation'], changes: 'nothing' },
);

/**
 * Makes the search in what was said earlier in this conversation.
 * @param shown whatever it shows is added to this
 */
export function searchConversation(
  { database }: { database: Database },
  claim: Claim,
  shown: ShownMemory[],
): Tool {
  return {
    ...SEARCH_CONVERSATION,
    call: async (given) => {
      const { query } = Search.parse(given);
      const passages = await searchTalk(database, claim, query, SEARCH_LIMIT);
      shown.push(...passages.flat().map(({ id, sources }) => ({ id: `line ${id}`, sources })));
      return passages.map(wordPassage).join('\n\n') || 'Nothing like that was said here.';
    },
  };
}

function wordPassage(lines: readonly { name: string; text: string; at: Date }[]): string {
  return lines
    .map(
      ({ name, text, at }) =>
        `[${at.toISOString().slice(0, 10)}] ${plainName(name)}: ${oneLine(text).slice(0, LINE_CHARACTERS)}`,
    )
    .join('\n');
}
