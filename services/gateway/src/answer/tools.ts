import { memoryContract, type Audience } from '@kith/contracts';
import type { Database } from '@kith/database';
import type { Messenger } from '@kith/messaging';
import { z } from 'zod';
import { toldTo } from '../forgetting/may-tell.js';
import type { TurnContext } from './compose-context.js';
import { coreTools } from './core-tools.js';
import { scheduleTool } from './schedule-tool.js';
import { definition, type Tool } from './tool.js';
import type { Claim } from '../inbox/claim.js';
import { plainName } from './prompt-text.js';

/**
 * Memory that a turn was shown beside those it recalled, without words: by it the turn is found when it is forgotten.
 */
export interface ShownMemory {
  id: string;
  sources: readonly string[];
  audience?: Audience;
}

const QUERY = { query: { type: 'string', description: 'a few words' } };
const Search = z.object({ query: z.string().trim().min(1).max(500) });
/** Results of one search: as many as a model reads with care. */
const SEARCH_LIMIT = 6;
/** Tokens of one search: half of what recall puts into the prompt. */
const SEARCH_TOKENS = 500;

/**
 * Makes the tools of one turn: they see what its audience may hear, and nothing else.
 * @param shown what they come to show is added to it
 */
export function toolsOf(
  parts: { messenger: Messenger; database: Database },
  claim: Claim,
  context: Pick<TurnContext, 'earlier' | 'recalled'>,
  now: Date,
  shown: ShownMemory[],
): Tool[] {
  const seen = seenIn(claim, context);
  const { personId, companionId, audience, conversationId } = claim;
  return [
    {
      definition: definition(
        'search_memory',
        'Look for what you remember of this person, beyond the notes given.',
        QUERY,
      ),
      call: async (given) => {
        const { query } = Search.parse(given);
        const { memories } = await parts.messenger.ask(memoryContract.recall, {
          personId,
          companionId,
          audience,
          query,
          limit: SEARCH_LIMIT,
          maxTokens: SEARCH_TOKENS,
          now: now.toISOString(),
          excludeSources: claim.burst.slice(-200).map(({ externalId }) => externalId),
        });
        shown.push(...memories.map(({ id, sources, audience: heard }) => ({ id, sources, audience: heard })));
        const lines = memories.map(({ saidAt, text }) => `[${saidAt.slice(0, 10)}] ${text}`);
        return lines.join('\n') || 'Nothing is remembered about that.';
      },
    },
    {
      definition: definition(
        'search_conversation',
        'Look for what was said earlier in this conversation.',
        QUERY,
      ),
      call: async (given) => {
        const { query } = Search.parse(given);
        const rows = await parts.database.read(
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
    },
    ...coreTools(parts, claim, seen.messageIds),
    ...(claim.burst[0]?.origin === 'heartbeat' ? [scheduleTool(parts, claim, seen.turnIds)] : []),
  ];
}

/** Messages that a note may name: as many as the contracts take. */
const MAX_MESSAGES = 200;
/** Turns that a note may name: as many as the contracts take. */
const MAX_TURNS = 100;

/**
 * Lists the messages that a note of the model's comes from: those it answers. Where nobody spoke it thinks over all
 * that it is shown, and what it notes goes with any of it.
 */
function seenIn(
  { burst }: Claim,
  { earlier, recalled }: Pick<TurnContext, 'earlier' | 'recalled'>,
): { messageIds: string[]; turnIds: string[] } {
  const answered = burst.map(({ externalId }) => externalId);
  if (burst[0]?.origin !== 'heartbeat') return { messageIds: answered.slice(-MAX_MESSAGES), turnIds: [] };
  const shown = [
    ...recalled.flatMap(({ sources }) => sources),
    ...earlier.flatMap(({ externalId }) => externalId ?? []),
  ];
  return {
    messageIds: [...new Set([...answered, ...shown])].slice(-MAX_MESSAGES),
    turnIds: [...new Set(earlier.map(({ turnId }) => turnId))].slice(-MAX_TURNS),
  };
}
