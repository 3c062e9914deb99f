import { isDeepStrictEqual } from 'node:util';
import type { IncomingMessage } from '../inbox/accept-message.js';
import type { Claim } from '../inbox/claim.js';
import type { EarlierMessage } from '../conversations/talk.js';
import { speakerKey, type Speaker } from '../conversations/conversations.js';
import {
  askContext,
  contextQuestion,
  LORE_DEPTH,
  type ContextAnswers,
  type ContextParts,
  type ContextQuestion,
} from './ask-context.js';
import { transcriptOf, type FinishedTurn } from './finished-turn.js';

/** Speakers whose last turn is known, and pairs whose mood: some minutes of a busy suite. */
const MAX_KNOWN = 500;
/** Time after a turn for which the next one is expected to go on from it. */
const GOES_ON_MS = 5 * 60_000;
/** Difference of two times that no mood, fading or time of day shows. */
const SAME_TIME_MS = 2_000;

/** State in which a speaker's last turn left the talk. */
interface LastTurn extends Pick<Claim, 'companionId' | 'audience' | 'changeCount'> {
  earlier: { text: string }[];
  /** Time since which the next prompt tells the talk line by line; undefined where that is not known. */
  toldSince: Date | undefined;
  at: number;
}

/** Context that was asked for before its turn was begun. */
interface Prefetch {
  question: ContextQuestion;
  answers: Promise<ContextAnswers>;
  now: Date;
  changeCount: number;
}

/**
 * Asks for a turn's context while its message is being accepted, where the talk goes on from a turn that was answered
 * here: a commit takes as long as a recall. The answers are used only if the claim asks exactly the same, and nothing of
 * the conversation was changed or forgotten since that turn. Otherwise the turn asks again.
 */
export class ContextPrefetcher {
  private readonly lastTurns = new Map<string, LastTurn>();
  private readonly prefetches = new Map<string, Prefetch>();
  /** Pleasantness of companions' moods at their last turns with people, from -1 to 1. */
  private readonly moods = new Map<string, number>();

  constructor(private readonly parts: ContextParts & { promptTokens: () => number }) {
    setInterval(() => this.dropIdle(), GOES_ON_MS / 5).unref();
  }

  /** Notes how a turn ended. */
  note(claim: Claim, turn: FinishedTurn): void {
    if (this.moods.size >= MAX_KNOWN) this.moods.clear();
    if (turn.mood) this.moods.set(pairOf(claim), Math.max(-1, Math.min(1, turn.mood.pad.p)));
    if (claim.kind !== 'direct') return;
    const { companionId, audience, changeCount } = claim;
    if (this.lastTurns.size >= MAX_KNOWN) this.lastTurns.clear();
    const said = transcriptOf(claim, turn);
    const earlier = [...claim.earlier.slice(-LORE_DEPTH), ...said]
      .slice(-LORE_DEPTH)
      .map(({ text }) => ({ text }));
    const toldSince = sinceOf(claim.earlier, said, turn.toldFrom);
    const lastTurn = { companionId, audience, changeCount, earlier, toldSince, at: performance.now() };
    this.lastTurns.set(speakerKey(claim), lastTurn);
  }

  /** Returns how pleasant the companion's mood was at its last turn with this person, if that was a moment ago. */
  moodWith(pair: Pair): number | undefined {
    return this.moods.get(pairOf(pair));
  }

  /** Notes that an epoch has ended since: the next prompt tells the talk from this line on. */
  noteEpoch(speaker: Speaker, tail: { at: Date } | undefined): void {
    const lastTurn = this.lastTurns.get(speakerKey(speaker));
    if (lastTurn) lastTurn.toldSince = tail?.at;
  }

  /** Begins to ask for the turn of a message that is being accepted. */
  begin(message: IncomingMessage): void {
    const { personId, origin } = message;
    const lastTurn = this.lastTurns.get(speakerKey(message));
    if (!lastTurn || origin !== 'message' || performance.now() - lastTurn.at > GOES_ON_MS) return;
    const { changeCount, earlier, toldSince, companionId, audience } = lastTurn;
    const question = contextQuestion({
      companionId,
      personId,
      audience,
      earlier,
      toldSince,
      said: [message],
      conversationId: message.conversationId,
      mood: this.moodWith({ companionId, personId }),
      promptTokens: this.parts.promptTokens(),
    });
    const now = new Date();
    // The message goes first.
    const answers = new Promise<ContextAnswers>((resolve) => {
      setImmediate(() => resolve(askContext(this.parts, question, now)));
    });
    this.prefetches.set(speakerKey(message), { question, answers, now, changeCount });
  }

  /** Returns since when this turn's prompt tells the talk line by line; undefined where that is not known. */
  toldSince(claim: Claim): Date | undefined {
    const lastTurn = this.lastTurns.get(speakerKey(claim));
    return lastTurn?.changeCount === claim.changeCount ? lastTurn.toldSince : undefined;
  }

  /** Returns the prefetched answers for this turn; null if there are none, or for another question. */
  take(claim: Claim, question: ContextQuestion, now: Date): Promise<ContextAnswers> | null {
    const prefetch = this.prefetches.get(speakerKey(claim));
    this.drop(claim);
    if (!prefetch || prefetch.changeCount !== claim.changeCount) return null;
    const isNow = Math.abs(now.getTime() - prefetch.now.getTime()) <= SAME_TIME_MS;
    return isNow && isDeepStrictEqual(prefetch.question, question) ? prefetch.answers : null;
  }

  /** Drops the prefetched answers for a turn that nobody takes. */
  drop(speaker: Speaker): void {
    this.prefetches.delete(speakerKey(speaker));
  }

  /** Drops everything about a person who is being erased. */
  forget(personId: string): void {
    for (const map of [this.lastTurns, this.prefetches, this.moods])
      for (const key of map.keys()) if (key.endsWith(personId)) map.delete(key);
  }

  private dropIdle(): void {
    const now = performance.now();
    for (const [key, { at }] of this.lastTurns) if (now - at > GOES_ON_MS) this.lastTurns.delete(key);
  }
}

type Pair = Pick<Claim, 'companionId' | 'personId'>;

function pairOf({ companionId, personId }: Pair): string {
  return `${companionId} ${personId}`;
}

/**
 * Finds the time from which the next prompt surely shows the talk, by the line with which this one began. If
 * lines before it had no room, some more will have none then: the oldest quarter is left out.
 */
function sinceOf(
  earlier: readonly EarlierMessage[],
  said: readonly { at: Date }[],
  toldFrom: bigint | undefined,
): Date | undefined {
  if (earlier.length === 0) return said[0]?.at;
  const first = earlier.findIndex(({ id }) => id === toldFrom);
  if (first < 0) return undefined;
  const told = [...earlier.slice(first), ...said];
  return told[first === 0 ? 0 : Math.ceil(told.length / 4)]?.at;
}
