import { oneLine } from '@kith/contracts';
import type { Database } from '@kith/database';
import { z } from 'zod';
import { searchTalk, type FoundLine } from '../conversations/search-talk.js';
import type { Claim } from '../inbox/claim.js';
import { isoDay } from '../people/day-in-words.js';
import { speakerLabels, type Speaker } from '../safety/speaker-labels.js';
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
 * @param seen nobody else is told by the companion's name; days are told by the clock of the zone, or in UTC
 * @param shown whatever it shows is added to this
 */
export function searchConversation(
  { database }: { database: Database },
  claim: Claim,
  { companionName, timeZone }: { companionName: string; timeZone: string | null },
  shown: ShownMemory[],
): Tool {
  return {
    ...SEARCH_CONVERSATION,
    call: async (given) => {
      const { query } = Search.parse(given);
      const passages = await searchTalk(database, claim, query, SEARCH_LIMIT);
      shown.push(...passages.flat().map(({ id, sources }) => ({ id: `line ${id}`, sources })));
      const labelOf = speakerLabels(passages.flat(), companionName);
      return (
        passages.map((lines) => wordPassage(lines, labelOf, timeZone)).join('\n\n') ||
        'Nothing like that was said here.'
      );
    },
  };
}

function wordPassage(
  lines: readonly FoundLine[],
  labelOf: (speaker: Speaker) => string,
  timeZone: string | null,
): string {
  return lines
    .map(
      (line) =>
        `[${isoDay(line.at, timeZone)}] ${labelOf(line)}: ${oneLine(line.text).slice(0, LINE_CHARACTERS)}`,
    )
    .join('\n');
}
