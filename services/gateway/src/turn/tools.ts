import { IsoTime, memoryContract, outreachContract, type Audience, type CoreEdit } from '@kith/contracts';
import type { Database } from '@kith/database';
import type { ToolDefinition } from '@kith/llm';
import type { Messenger } from '@kith/messaging';
import { z } from 'zod';
import { plainName } from './assemble-prompt.js';
import { toldTo } from '../forgetting/may-tell.js';
import type { Claim } from './claim-conversation.js';
import type { TurnContext } from './compose-context.js';

/** Something a model may do during a turn. Whose turn it is comes from the claim, never from the model. */
export interface Tool {
  definition: ToolDefinition;
  /** Returns what the model is told. Throws what it did wrong, in words for it. */
  call(given: Record<string, unknown>): Promise<string>;
}

/** A memory that a turn was shown beside those it recalled, by which it is found when that is forgotten: no words. */
export interface ShownMemory {
  id: string;
  sources: readonly string[];
  audience?: Audience;
}

const Search = z.object({ query: z.string().trim().min(1).max(500) });
const SEARCH_LIMIT = 6;
const SEARCH_TOKENS = 500;

/**
 * The tools of one turn: they see what its audience may hear, and nothing else.
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
      definition: definition('search_conversation', 'Look for what was said earlier in this conversation.'),
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

/** As many as the contracts take. */
const MOST_MESSAGES = 200;
const MOST_TURNS = 100;

/**
 * What a note of the model's is written for: the messages it answers. Where nobody spoke it thinks over all that it is
 * shown, and what it notes goes with any of it.
 */
function seenIn(
  { burst }: Claim,
  { earlier, recalled }: Pick<TurnContext, 'earlier' | 'recalled'>,
): { messageIds: string[]; turnIds: string[] } {
  const answered = burst.map(({ externalId }) => externalId);
  if (burst[0]?.origin !== 'heartbeat') return { messageIds: answered.slice(-MOST_MESSAGES), turnIds: [] };
  const shown = [
    ...recalled.flatMap(({ sources }) => sources),
    ...earlier.flatMap(({ externalId }) => externalId ?? []),
  ];
  return {
    messageIds: [...new Set([...answered, ...shown])].slice(-MOST_MESSAGES),
    turnIds: [...new Set(earlier.map(({ turnId }) => turnId))].slice(-MOST_TURNS),
  };
}

/** The blocks a companion may write in itself. */
const OwnLabel = z.enum(['human', 'persona']);
const Append = z.object({ label: OwnLabel, content: z.string().trim().min(1).max(1_200) });
const Replace = z.object({
  label: OwnLabel,
  old_content: z.string().min(1).max(1_200),
  new_content: z.string().max(1_200),
});

/** Letta's tools for what is always in mind, by their names: models know them. */
function coreTools(
  { messenger }: { messenger: Messenger },
  { personId, companionId, audience }: Claim,
  sources: string[],
): Tool[] {
  const edit = async (label: 'human' | 'persona', change: CoreEdit) => {
    const where = { personId, companionId, audience, label };
    const { text } = await messenger.ask(memoryContract.editCore, {
      ...where,
      edit: change,
      by: 'companion',
      sources,
    });
    return `${label} now says: ${text}`;
  };
  const label = { type: 'string', enum: OwnLabel.options };
  const content = { type: 'string', description: 'in the third person, short' };
  return [
    {
      definition: definition(
        'core_memory_append',
        'Note something about them (human) or about how you are with them (persona) that you will always have in mind.',
        { label, content },
      ),
      call: async (given) => {
        const parsed = Append.parse(given);
        return edit(parsed.label, { kind: 'append', text: parsed.content });
      },
    },
    {
      definition: definition(
        'core_memory_replace',
        'Put something right that you always have in mind: the old words exactly as they stand there, once.',
        { label, old_content: content, new_content: content },
      ),
      call: async (given) => {
        const parsed = Replace.parse(given);
        return edit(parsed.label, { kind: 'replace', old: parsed.old_content, new: parsed.new_content });
      },
    },
  ];
}

const Intend = z.object({
  about: z.string().trim().min(1).max(300),
  at: IsoTime,
});

/** A reason to write on a day, for a companion that thinks by itself: whether it does is the scheduler's to decide. */
function scheduleTool(
  { messenger }: { messenger: Messenger },
  { personId, companionId }: Claim,
  turnIds: string[],
): Tool {
  return {
    definition: definition(
      'schedule_intention',
      'Keep something to come back to with them, on a day. It is only kept for who allowed you to write first.',
      {
        about: { type: 'string', description: 'what to ask or say, in a few words' },
        at: { type: 'string', description: 'when, as ISO 8601 with an offset, such as 2027-03-05T15:00:00Z' },
      },
    ),
    call: async (given) => {
      const { about, at } = Intend.parse(given);
      const { kept, why } = await messenger.ask(outreachContract.intend, {
        personId,
        companionId,
        about,
        at,
        turnIds,
      });
      return kept ? `Kept for ${at}.` : `Not kept: ${why ?? 'not now'}.`;
    },
  };
}

const QUERY = { query: { type: 'string', description: 'a few words' } };

function definition(
  name: string,
  description: string,
  properties: Record<string, object> = QUERY,
): ToolDefinition {
  return {
    name,
    description,
    parameters: { type: 'object', properties, required: Object.keys(properties) },
  };
}
