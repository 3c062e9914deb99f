import { memoryContract, oneLine } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import { z } from 'zod';
import type { Claim } from '../inbox/claim.js';
import { isoDay } from '../people/day-in-words.js';
import type { ShownMemory } from '../steps/step-words.js';
import { declareTool, type Tool } from './tool.js';

const Search = z.object({ query: z.string().trim().min(1).max(500) });
/** Results of one search: as many as a model reads with care. */
const SEARCH_LIMIT = 6;
/** Tokens of one search: half of what recall puts into the prompt. */
const SEARCH_TOKENS = 500;

export const SEARCH_MEMORY = declareTool(
  'search_memory',
  'Look for what you remember of this person, beyond the notes given.',
  { query: { type: 'string', description: 'a few words' } },
  { reads: ['memories'], changes: 'nothing' },
);

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
  return {
    ...SEARCH_MEMORY,
    call: async (given) => {
      const { query } = Search.parse(given);
      const { memories } = await messenger.ask(memoryContract.recall, {
        personId,
        companionId,
        audience,
        query,
        limit: SEARCH_LIMIT,
        maxTokens: SEARCH_TOKENS,
        now: now.toISOString(),
        excludeSources: burst.slice(-200).map(({ externalId }) => externalId),
      });
      shown.push(...memories.map(({ id, sources, audience: heard }) => ({ id, sources, audience: heard })));
      const lines = memories.map(
        ({ saidAt, text }) => `[${isoDay(new Date(saidAt), timeZone)}] ${oneLine(text)}`,
      );
      return lines.join('\n') || 'Nothing is remembered about that.';
    },
  };
}
