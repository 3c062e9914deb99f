import {
  memoryContract,
  personalityContract,
  type Audience,
  type ResponseOutput,
  withinTime,
} from '@kith/contracts';
import { orNull, type Messenger } from '@kith/messaging';
import type { DegradedStates } from '@kith/service-host';
import type { Clocks } from '../people/clocks.js';
import { recallBoundsOf } from './recall-bounds.js';

/** Questions to other services for a turn, without the time. */
export interface ContextQuestion {
  companionId: string;
  personId: string;
  audience: Audience;
  /** Words that memories are searched by. */
  query: string;
  /** Words that call up lore. */
  talk: string[];
  /** Messages whose memories are left out. */
  sources: string[];
  /** Talk in the prompt, from its first line on. */
  told: { conversation: string; since: string } | undefined;
  mood: number | undefined;
  promptTokens: number;
}

/** The services' answers; null where none came. */
export interface ContextAnswers {
  persona: ResponseOutput<typeof personalityContract.compose> | null;
  recall: ResponseOutput<typeof memoryContract.recall> | null;
  /** The time zone of a person's clock; null also if others read: a zone shows where somebody lives. */
  timeZone: string | null;
}

export interface ContextParts {
  messenger: Messenger;
  clocks: Pick<Clocks, 'zoneOf'>;
  states: Pick<DegradedStates, 'lacks' | 'leave'>;
}

/** New messages of a person, and what was said before them. */
interface NewMessages extends Pick<
  ContextQuestion,
  'companionId' | 'personId' | 'audience' | 'mood' | 'promptTokens'
> {
  conversationId: string;
  said: readonly { text: string; externalId: string; deleted?: boolean }[];
  /** Last of what was said before them. */
  earlier: readonly { text: string }[];
  /** Time of the first line of the talk in the prompt; undefined if it holds none. */
  toldSince: Date | undefined;
}

/** Messages before the burst whose words call up lore: they are what the talk is about now. */
export const LORE_DEPTH = 4;
/** Messages that are searched for lore, the newest: as many as the contract takes. */
const LORE_MESSAGES = 64;
/** Characters of each of them: as many as the contract takes. */
const LORE_CHARACTERS = 16_000;
/** Characters of the burst that memories are searched by: its end, as long as the longest Discord message. */
const QUERY_CHARACTERS = 2_000;
/** Sources that may be excluded: as many as the contract takes. */
const EXCLUDED_SOURCES = 200;
/** Time for a service that lately did not answer: far longer than it mostly needs, far shorter than a model. */
const HANGING_TIMEOUT_MS = 250;

/** Composes what is asked for a turn. Pure. */
export function contextQuestion({
  said,
  earlier,
  conversationId,
  toldSince,
  ...place
}: NewMessages): ContextQuestion {
  const { companionId, personId, audience, mood, promptTokens } = place;
  const texts = said.filter(({ deleted }) => !deleted).map(({ text }) => text);
  const query = texts.join('\n').slice(-QUERY_CHARACTERS).toWellFormed();
  // A longer search for lore ends early: the newest words go first.
  const talk = [...earlier.slice(-LORE_DEPTH).map(({ text }) => text), ...texts].toReversed();
  return {
    companionId,
    personId,
    audience,
    mood,
    promptTokens,
    query,
    talk: talk.slice(0, LORE_MESSAGES).map((text) => text.slice(0, LORE_CHARACTERS).toWellFormed()),
    // The newest suffice: only memories of this very burst could echo.
    sources: said.slice(-EXCLUDED_SOURCES).map(({ externalId }) => externalId),
    told: toldSince && { conversation: conversationId, since: toldSince.toISOString() },
  };
}

/**
 * Asks for persona, memories and time zone at once. A part that does not answer is null, and none is asked where services
 * can't reach each other. No turn waits for a service that is gone. If one hangs, one turn waits for its full timeout, and
 * later ones only briefly, to see whether it answers again. Never throws.
 */
export async function askContext(
  { messenger, clocks, states }: ContextParts,
  question: ContextQuestion,
  now: Date,
): Promise<ContextAnswers> {
  if (!messenger.canAsk) return { persona: null, recall: null, timeZone: null };
  const { companionId, personId, audience, query, talk, sources, told, mood } = question;
  const bounds = recallBoundsOf(question.promptTokens);
  const [persona, recall, timeZone] = await Promise.all([
    awaited(
      states,
      'personality',
      messenger.ask(
        personalityContract.compose,
        { companionId, personId, audience, now: now.toISOString() },
        { ifThere: true },
      ),
    ),
    awaited(
      states,
      'memory',
      messenger.ask(
        memoryContract.recall,
        {
          personId,
          companionId,
          audience,
          query,
          mood,
          now: now.toISOString(),
          limit: bounds.limit,
          maxTokens: bounds.tokens,
          passageTokens: bounds.tokens,
          withCore: true,
          lore: { texts: talk, maxTokens: bounds.loreTokens, drawnBy: sources.at(-1) },
          excludeSources: sources,
          told,
        },
        { ifThere: true },
      ),
    ),
    audience === 'direct' ? clocks.zoneOf(personId) : null,
  ]);
  return { persona, recall, timeZone };
}

/**
 * Waits for a service's answer, only briefly where it lately did not answer. One that comes after that is of no use to this
 * turn, but the next one waits again: it may be slow for a while, as is a host that embeds for memory.
 */
async function awaited<Answer>(
  states: ContextParts['states'],
  service: 'memory' | 'personality',
  asked: Promise<Answer>,
): Promise<Answer | null> {
  if (!states.lacks(service)) return orNull(asked);
  const answered = asked.then((answer) => {
    states.leave(service);
    return answer;
  });
  return orNull(withinTime(answered, HANGING_TIMEOUT_MS, () => new Error(`${service} does not answer yet`)));
}
