import { memoryContract, oneLine } from '@kith/contracts';
import type { Database } from '@kith/database';
import type { Messenger } from '@kith/messaging';
import { z } from 'zod';
import { partWith, stemsOf } from '../conversations/rank-lines.js';
import { searchTalk } from '../conversations/search-talk.js';
import type { Claim } from '../inbox/claim.js';
import { isoDay } from '../people/day-in-words.js';
import { speakerLabels } from '../safety/speaker-labels.js';
import type { ShownMemory } from '../steps/step-words.js';
import { declareTool, ownTool, type Tool } from './tool.js';

const Search = z.object({ query: z.string().trim().min(1).max(500) });
const query = { type: 'string', description: 'a few words' };
/** Memories of one search, or passages of some three lines each: as many as a model reads with care. */
const SEARCH_LIMIT = 6;
/** Tokens of found memories: half of what recall puts into the prompt. */
const SEARCH_TOKENS = 500;
/** Characters of one line of talk: enough for what it says on the matter, and room for the others. */
const LINE_CHARACTERS = 500;

export const SEARCH_TOOLS = {
  memory: declareTool(
    'search_memory',
    'Look for what you remember of this person, beyond the notes given.',
    { query },
    { reads: ['memories'], changes: 'nothing' },
  ),
  conversation: declareTool(
    'search_conversation',
    'Look for what was said earlier in this conversation, by words that were used then. Tells the lines around it.',
    { query },
    { reads: ['conversation'], changes: 'nothing' },
  ),
};

/**
 * Makes the search in what is remembered of this person.
 * @param shown whatever it shows is added to this
 */
export function searchMemory(
  { messenger }: { messenger: Messenger },
  { personId, companionId, audience, burst }: Claim,
  { now, timeZone }: { now: Date; timeZone: string | null },
  shown: ShownMemory[],
): Tool {
  return ownTool(SEARCH_TOOLS.memory, Search, async (given) => {
    const { memories } = await messenger.ask(memoryContract.recall, {
      personId,
      companionId,
      audience,
      query: given.query,
      now: now.toISOString(),
      limit: SEARCH_LIMIT,
      maxTokens: SEARCH_TOKENS,
      excludeSources: burst.slice(-200).map(({ externalId }) => externalId),
    });
    shown.push(...memories.map(({ id, sources, audience: heard }) => ({ id, sources, audience: heard })));
    const lines = memories.map(
      ({ saidAt, text }) => `[${isoDay(new Date(saidAt), timeZone)}] ${oneLine(text)}`,
    );
    return lines.join('\n') || 'Nothing is remembered about that.';
  });
}

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
  return ownTool(SEARCH_TOOLS.conversation, Search, async (given) => {
    const passages = await searchTalk(database, claim, given.query, SEARCH_LIMIT);
    const found = passages.flat();
    shown.push(...found.map(({ id, sources }) => ({ id: `line ${id}`, sources })));
    const labelOf = speakerLabels(found, companionName);
    const stems = stemsOf(given.query);
    const told = passages.map((lines) =>
      lines.map((line) => {
        const text = partWith(stems, oneLine(line.text), LINE_CHARACTERS);
        return `[${isoDay(line.at, timeZone)}] ${labelOf(line)}: ${text}`;
      }),
    );
    return told.map((lines) => lines.join('\n')).join('\n\n') || 'Nothing like that was said here.';
  });
}
