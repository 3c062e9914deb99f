import type { TurnOrigin } from '@kith/contracts';

/** An accepted message without an outcome. */
export interface OpenMessage {
  id: bigint;
  origin: TurnOrigin;
  receivedAt: Date;
  /** Times a worker took it up and came to no outcome. */
  attempts: number;
  /** Its person wants no answer to it. */
  stopped: boolean;
}

export type BurstDecision<Message extends OpenMessage> =
  | { kind: 'nothing' }
  /** The burst may still grow: the newest message's own job comes back for it. */
  | { kind: 'wait' }
  | { kind: 'take'; burst: Message[]; poison: boolean };

/** Three tries that came to no outcome, whatever the reason: there is no fourth. */
const MAX_ATTEMPTS = 3;
/** One crash says little of a burst. After two, its messages are tried one by one, to find the one at fault. */
const ATTEMPTS_TOGETHER = 2;
/** Someone who never pauses is answered all the same, after this many debounce periods. */
const MAX_DEBOUNCE_PERIODS = 4;

/**
 * Which open messages of a speaker become the next turn? The leading ones, in order, once the speaker has paused for
 * the debounce period. Outreach never shares a turn with a message, nor a stopped message with one to be answered.
 * @param open the speaker's open messages, in order of their numbers
 * @param debounceMs pause that ends a burst; 0 where a message is a request of its own
 */
export function decideBurst<Message extends OpenMessage>(
  open: readonly Message[],
  debounceMs: number,
  now: Date,
): BurstDecision<Message> {
  const first = open[0];
  if (!first) return { kind: 'nothing' };
  // A later message under suspicion ends a burst too: it is taken alone, in its turn.
  const end = open.findIndex(
    (message, index) =>
      message.origin !== first.origin ||
      message.stopped !== first.stopped ||
      (index > 0 && message.attempts >= ATTEMPTS_TOGETHER),
  );
  const burst = end === -1 ? [...open] : open.slice(0, end);
  const last = burst.at(-1)!;
  if (first.attempts >= ATTEMPTS_TOGETHER) {
    return { kind: 'take', burst: [first], poison: first.attempts >= MAX_ATTEMPTS };
  }
  // A message that can't join ends the burst, and so do an earlier try, a wish to stop, and waiting too long.
  const isOver =
    end !== -1 ||
    first.attempts > 0 ||
    first.stopped ||
    now.getTime() - first.receivedAt.getTime() >= debounceMs * MAX_DEBOUNCE_PERIODS;
  const pausedMs = now.getTime() - last.receivedAt.getTime();
  if (!isOver && pausedMs < debounceMs) return { kind: 'wait' };
  return { kind: 'take', burst, poison: false };
}
