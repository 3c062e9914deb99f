import type { CompanionView, LoreHit, MoodView } from '@kith/contracts';
import type { Talk } from '../conversations/talk.js';
import { PROMPT_LINES } from '../quotes/quote-finder.js';
import type { Claim } from '../inbox/claim.js';
import type { MemoryParts } from '../tools/memory-parts.js';
import type { AnswerParts } from './answer-parts.js';
import { askContext, contextQuestion, type ContextParts } from './ask-context.js';

/** Context of a turn: all it knows before it thinks. */
export interface TurnContext extends Talk, MemoryParts {
  companion: Pick<CompanionView, 'id' | 'name'>;
  personaBlock: string;
  moodBlock: string;
  /** Jokes of the two, as they were said. */
  jokes: string[];
  mood: MoodView | null;
  /** Lore that the talk calls up. */
  lore: LoreHit[];
  /** Time zone of the person's clock; null where it is not known, and where others read. */
  timeZone: string | null;
  /** Parts that were out of reach: the reply goes on without them, and says so. */
  degraded: string[];
}

/** Stands in for memory's answer where there is none. */
const NOTHING_RECALLED = {
  memories: [],
  passages: [],
  core: [],
  tasks: [],
  wishes: [],
  contradictions: [],
  lore: [],
  degraded: ['memory'],
};

/**
 * Composes a turn's context, from prefetched answers if their question is the same. A
 * service that does not answer is left out, and named in `degraded`.
 * @param promptTokens size of the prompt, of which memories and lore get their share
 */
export async function composeContext(
  parts: ContextParts & Pick<AnswerParts, 'prefetcher'>,
  claim: Claim,
  now: Date,
  promptTokens: number,
): Promise<TurnContext> {
  const { companionId, burst } = claim;
  // The mood after the last turn: waiting for the present one would cost every turn a round trip.
  const mood = parts.prefetcher.moodWith(claim);
  // A heartbeat is told few lines.
  const toldSince = burst[0]?.origin === 'heartbeat' ? undefined : parts.prefetcher.toldSince(claim);
  const question = contextQuestion({
    companionId,
    personId: claim.personId,
    audience: claim.audience,
    said: burst,
    conversationId: claim.conversationId,
    toldSince,
    earlier: claim.earlier,
    mood,
    promptTokens,
  });
  const { persona, recall, timeZone } = await (parts.prefetcher.take(claim, question, now) ??
    askContext(parts, question, now));
  const { memories: recalled, degraded, ...told } = { ...NOTHING_RECALLED, ...recall };
  return {
    companion: persona?.companion ?? { id: companionId, name: nameFromId(companionId) },
    personaBlock: persona?.personaBlock ?? plainPersona(companionId),
    moodBlock: persona?.moodBlock ?? '',
    jokes: persona?.jokes ?? [],
    mood: persona?.mood ?? null,
    recalled,
    ...told,
    timeZone,
    ...talkOf(claim),
    degraded: [...(persona ? [] : ['personality']), ...degraded],
  };
}

/** Picks the talk for a turn. A heartbeat gets few lines: its notes must name all lines they come from. */
function talkOf({ burst, epoch, kept, earlier }: Claim): Talk {
  return burst[0]?.origin === 'heartbeat'
    ? { epoch: null, kept: [], earlier: earlier.slice(-PROMPT_LINES) }
    : { epoch, kept, earlier };
}

function nameFromId(companionId: string): string {
  return companionId.charAt(0).toUpperCase() + companionId.slice(1).replaceAll('-', ' ');
}

/** Writes a persona for when personality is out of reach: enough to be civil, with nothing made up. */
function plainPersona(companionId: string): string {
  return `You are ${nameFromId(companionId)}, a friendly AI companion. Answer briefly and kindly. You are an AI and never deny it.`;
}
