import {
  memoryContract,
  personalityContract,
  type CompanionView,
  type Contradiction,
  type CoreBlock,
  type LoreHit,
  type MoodView,
  type Passage,
  type RecalledMemory,
  type TaskView,
  type Wish,
} from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import type { DegradedStates } from '@kith/service-host';
import type { Talk } from '../conversations/talk.js';
import { PROMPT_LINES } from '../forgetting/find-quotes.js';
import type { Claim } from '../inbox/claim.js';
import { recallBoundsOf } from './recall-bounds.js';

/** Context of a turn: all it knows before it thinks. */
export interface TurnContext extends Talk {
  companion: Pick<CompanionView, 'id' | 'name'>;
  personaBlock: string;
  moodBlock: string;
  /** Jokes of the two, as they were said. */
  jokes: string[];
  mood: MoodView | null;
  recalled: RecalledMemory[];
  /** The same with what was said beside it, as the prompt shows it. */
  passages: Passage[];
  /** Core memory: what every prompt carries of this person. */
  core: CoreBlock[];
  /** Tasks with this person that are not over. */
  tasks: TaskView[];
  /** Orders about how to answer them, and preferences, as far as they apply. */
  wishes: Wish[];
  /** Memories among those recalled that do not go together. */
  contradictions: Contradiction[];
  /** Lore that the talk calls up. */
  lore: LoreHit[];
  /** Parts that were out of reach: the reply goes on without them, and says so. */
  degraded: string[];
}

/** Moods of turns that were committed a moment ago. */
export interface RecentMoods {
  /** Pleasantness of the companion's mood at its last turn with this person, from -1 to 1. */
  moodWith(pair: Pick<Claim, 'companionId' | 'personId'>): number | undefined;
}

/** Messages before the burst whose words call up lore: they are what the talk is about now. */
const LORE_DEPTH = 4;
/** Characters of one message that are searched for lore. */
const LORE_CHARACTERS = 16_000;
/** Characters of the burst that memories are searched by: its end, as long as the longest Discord message. */
const QUERY_CHARACTERS = 2_000;
/** Sources that may be excluded: as many as the contract takes. */
const EXCLUDED_SOURCES = 200;
/** Time for personality while it is known to hang: many times what an answer takes, and little beside a model's. */
const LOOK_MS = 250;

/**
 * Asks for persona and memories at once. A part that does not answer is left out, and where services have no way to
 * each other nobody is asked: nobody could answer in time. Nobody waits for a service that is gone. For a personality
 * that hangs one turn waits in vain, and the next ones only as long as it takes to see that it answers again.
 * @param promptTokens size of the prompt, of which memories and lore get their share
 */
export async function composeContext(
  parts: {
    messenger: Messenger;
    recent: RecentMoods;
    states: Pick<DegradedStates, 'lacks'>;
  },
  claim: Claim,
  now: Date,
  promptTokens: number,
): Promise<TurnContext> {
  const bounds = recallBoundsOf(promptTokens);
  const { companionId, personId, audience, burst } = claim;
  const talked = talkOf(claim);
  const { canAsk } = parts.messenger;
  const query = burst
    .filter(({ deleted }) => !deleted)
    .map((message) => message.text)
    .join('\n')
    .slice(-QUERY_CHARACTERS);
  const talk = [query, ...claim.earlier.slice(-LORE_DEPTH).map(({ text }) => text.slice(0, LORE_CHARACTERS))];
  const [persona, recall] = await Promise.all([
    canAsk
      ? orNull(
          parts.messenger.ask(
            personalityContract.compose,
            { companionId, personId, audience, now: now.toISOString() },
            { ifThere: true, ...(parts.states.lacks('personality') && { timeoutMs: LOOK_MS }) },
          ),
        )
      : null,
    canAsk
      ? orNull(
          parts.messenger.ask(
            memoryContract.recall,
            {
              personId,
              companionId,
              audience,
              query,
              limit: bounds.limit,
              maxTokens: bounds.tokens,
              passageTokens: bounds.tokens,
              withCore: true,
              lore: { texts: talk, maxTokens: bounds.loreTokens },
              // As it was a turn ago: to wait for what it is now would cost every turn a round trip.
              mood: parts.recent.moodWith(claim),
              now: now.toISOString(),
              // The newest are as good as all: only what is remembered of this very burst could echo.
              excludeSources: burst.slice(-EXCLUDED_SOURCES).map((message) => message.externalId),
            },
            { ifThere: true },
          ),
        )
      : null,
  ]);
  return {
    companion: persona?.companion ?? { id: companionId, name: nameFromId(companionId) },
    personaBlock: persona?.personaBlock ?? plainPersona(companionId),
    moodBlock: persona?.moodBlock ?? '',
    jokes: persona?.jokes ?? [],
    mood: persona?.mood ?? null,
    recalled: recall?.memories ?? [],
    passages: recall?.passages ?? [],
    core: recall?.core ?? [],
    tasks: recall?.tasks ?? [],
    wishes: recall?.wishes ?? [],
    contradictions: recall?.contradictions ?? [],
    lore: recall?.lore ?? [],
    ...talked,
    degraded: [...(persona ? [] : ['personality']), ...(recall ? recall.degraded : ['memory'])],
  };
}

/** Picks what a turn is told of the talk: of its own accord it notes things, of which each must name all it comes from. */
function talkOf({ burst, epoch, kept, earlier }: Claim): Talk {
  return burst[0]?.origin === 'heartbeat'
    ? { epoch: null, kept: [], earlier: earlier.slice(-PROMPT_LINES) }
    : { epoch, kept, earlier };
}

/** Returns null in the place of an error: why a part did not answer is logged where it stopped. */
function orNull<T>(answer: Promise<T>): Promise<T | null> {
  return answer.catch(() => null);
}

function nameFromId(companionId: string): string {
  return companionId.charAt(0).toUpperCase() + companionId.slice(1).replaceAll('-', ' ');
}

/** Words a persona for when personality is out of reach: enough to be civil, with nothing made up. */
function plainPersona(companionId: string): string {
  return `You are ${nameFromId(companionId)}, a friendly AI companion. Answer briefly and kindly. You are an AI and never deny it.`;
}
