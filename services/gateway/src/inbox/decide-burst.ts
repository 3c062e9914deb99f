import { lastOf, type Quote, type TurnOrigin } from '@kith/contracts';
import type { CountTokens } from '@kith/llm';

/** An accepted message without an outcome. */
export interface OpenMessage {
  id: bigint;
  origin: TurnOrigin;
  text: string;
  /** Message that it refers to. */
  quote: Pick<Quote, 'text'> | null;
  pictureCount: number;
  receivedAt: Date;
  /** Tries without an outcome. */
  attempts: number;
  /** Claim that it was last in, by the lease token of its burst's first message; 0 before the first. */
  leaseToken: number;
  /** Its person wants no answer to it. */
  stopped: boolean;
}

export type BurstDecision<Message extends OpenMessage> =
  | { kind: 'nothing' }
  /** The burst may still grow for so long. */
  | { kind: 'wait'; restMs: number; newest: bigint }
  | {
      kind: 'take';
      burst: Message[];
      poison: boolean;
      /** True for a message on its last try, which may have ended two processes. */
      isSuspect: boolean;
    };

/** Tries of a message before the apology, whatever they failed by. */
const MAX_ATTEMPTS = 3;
/**
 * Tries of a burst as a whole: after two failures its messages are tried one by one, to find the one at fault. Messages
 * for which the turn has called tools stay together: a turn of its own would call the tools again.
 */
const ATTEMPTS_TOGETHER = 2;
/** Debounce periods after which someone who never pauses is answered all the same. */
const MAX_DEBOUNCE_PERIODS = 4;
/** Tokens that a line of a burst takes in the prompt beside its text: a name and a line break. */
const LINE_TOKENS = 8;

/** Limits of one turn's messages. */
export interface BurstLimits {
  /** Pause that ends a burst, ms; 0 where a message is a request of its own. */
  debounceMs: number;
  /** Tokens of one turn's messages, as `count` counts them. Messages past it become the next turn's, so that none goes unread. */
  maxTokens: number;
  count: CountTokens;
  /** Tokens of a picture; 0 where no model sees. */
  pictureTokens: number;
}

/**
 * Decides which open messages of a speaker become the next turn: the leading ones, in order, once the speaker has
 * paused for the debounce period. An outreach, which carries out one attempt, never shares a turn, nor does a stopped
 * message with one to be answered.
 * @param open the speaker's open messages, in order of their numbers
 * @param now by the clock that `receivedAt` is of
 * @param calledAt when an earlier try of the turn last decided to call tools, by the same clock; null where none did
 */
export function decideBurst<Message extends OpenMessage>(
  open: readonly Message[],
  { debounceMs, maxTokens, count, pictureTokens }: BurstLimits,
  now: Date,
  calledAt: Date | null = null,
): BurstDecision<Message> {
  const first = open[0];
  if (!first) return { kind: 'nothing' };
  // Messages that had no room in that try, or came while its model was thinking, were not part of it. Not told by their
  // tries: an interruption takes a try back.
  const isCalledFor = ({ receivedAt, leaseToken }: Message) =>
    calledAt !== null && receivedAt <= calledAt && leaseToken === first.leaseToken;
  // A later message that failed as often ends the burst, too: it is tried alone.
  let tokens = 0;
  const end = open.findIndex((message, index) => {
    tokens += wordTokens(message, count) + message.pictureCount * pictureTokens;
    return (
      (index > 0 && (message.origin === 'outreach' || message.origin !== first.origin)) ||
      message.stopped !== first.stopped ||
      (index > 0 && !isCalledFor(message) && (tokens > maxTokens || message.attempts >= ATTEMPTS_TOGETHER))
    );
  });
  const burst = end === -1 ? [...open] : open.slice(0, end);
  const last = lastOf(burst);
  if (first.attempts >= ATTEMPTS_TOGETHER) {
    const poison = first.attempts >= MAX_ATTEMPTS;
    const inseparable = burst.filter((message) => message === first || isCalledFor(message));
    return { kind: 'take', burst: inseparable, poison, isSuspect: !poison };
  }
  // A message that can't join ends the burst, and so do an earlier try, a wish to stop, and waiting too long.
  const isOver =
    end !== -1 ||
    first.attempts > 0 ||
    first.stopped ||
    now.getTime() - first.receivedAt.getTime() >= debounceMs * MAX_DEBOUNCE_PERIODS;
  const pausedMs = now.getTime() - last.receivedAt.getTime();
  // A receipt later than now means that the clock was set back. Do not wait for that time.
  if (!isOver && pausedMs >= 0 && pausedMs < debounceMs)
    return { kind: 'wait', restMs: debounceMs - pausedMs, newest: last.id };
  return { kind: 'take', burst, poison: false, isSuspect: false };
}

/** Counts what a message's words take in the prompt, and those that it refers to. */
function wordTokens({ text, quote }: OpenMessage, count: CountTokens): number {
  const quoted = quote === null ? 0 : count(quote.text) + LINE_TOKENS;
  return count(text) + LINE_TOKENS + quoted;
}
