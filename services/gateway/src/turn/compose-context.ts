import {
  memoryContract,
  personalityContract,
  type CompanionView,
  type CoreBlock,
  type LoreHit,
  type MoodView,
  type Passage,
  type RecalledMemory,
} from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import type { DegradedStates } from '@kith/service-host';
import type { Claim } from './claim-conversation.js';
import type { RecentTurns } from './recent-turns.js';
import type { EarlierMessage } from './transcript-end.js';

/** What a turn knows before it thinks. */
export interface TurnContext {
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
  /** What of the companion's world the talk calls up. */
  lore: LoreHit[];
  /** The conversation so far, oldest first. */
  earlier: EarlierMessage[];
  /** Parts that were out of reach: the reply goes on without them, and says so. */
  degraded: string[];
}

/** Ranked for the passages; as many as their budget holds. */
const RECALL_LIMIT = 16;
/** What was found and what was said beside it. */
const RECALL_TOKENS = 900;
/** Messages before the burst whose words call up lore: what the talk is about now. */
const LORE_DEPTH = 4;
const LORE_CHARACTERS = 16_000;
const LORE_TOKENS = 600;
const QUERY_CHARACTERS = 2_000;
/** As many as the contract takes. */
const EXCLUDED_SOURCES = 200;
/** Many times what an answer takes, and little beside what a model does. */
const LOOK_MS = 250;

/**
 * Asks for persona and memories at once. A part that does not answer is left out, and where services have no way to
 * each other nobody is asked: nobody could answer in time. Nobody waits for a service that is gone. For a personality
 * that hangs one turn waits in vain, and the next ones only as long as it takes to see that it answers again.
 */
export async function composeContext(
  parts: {
    messenger: Messenger;
    recent: Pick<RecentTurns, 'moodWith'>;
    states: Pick<DegradedStates, 'lacks'>;
  },
  claim: Claim,
  now: Date,
): Promise<TurnContext> {
  const { companionId, personId, audience, burst, earlier } = claim;
  const { canAsk } = parts.messenger;
  const query = burst
    .filter(({ deleted }) => !deleted)
    .map((message) => message.text)
    .join('\n')
    .slice(-QUERY_CHARACTERS);
  const talk = [query, ...earlier.slice(-LORE_DEPTH).map(({ text }) => text.slice(0, LORE_CHARACTERS))];
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
              limit: RECALL_LIMIT,
              maxTokens: RECALL_TOKENS,
              passageTokens: RECALL_TOKENS,
              withCore: true,
              lore: { texts: talk, maxTokens: LORE_TOKENS },
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
    lore: recall?.lore ?? [],
    earlier,
    degraded: [...(persona ? [] : ['personality']), ...(recall ? recall.degraded : ['memory'])],
  };
}

/** Only the answer matters here: why a part did not answer is logged where it stopped. */
function orNull<T>(answer: Promise<T>): Promise<T | null> {
  return answer.catch(() => null);
}

function nameFromId(companionId: string): string {
  return companionId.charAt(0).toUpperCase() + companionId.slice(1).replaceAll('-', ' ');
}

/** For when personality is out of reach: enough to be civil, with nothing made up. */
function plainPersona(companionId: string): string {
  return `You are ${nameFromId(companionId)}, a friendly AI companion. Answer briefly and kindly. You are an AI and never deny it.`;
}
