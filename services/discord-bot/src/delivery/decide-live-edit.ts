import { MAX_CHUNK_CHARACTERS, chunkMessage } from './chunk-message.js';

/** How a reply that is being written looks just now. */
export interface LiveState {
  /** All that was said so far. */
  text: string;
  /** What the channel shows of it; null while it shows nothing. */
  shown: string | null;
  /** By the monotonic clock, in milliseconds. */
  firstTokenAt: number;
  lastShownAt: number;
}

/** A reply that is there sooner is sent whole: watching it grow would only be restless. */
const SHOW_AFTER_MS = 1_500;
/** Discord allows five edits in five seconds; other messages of the channel need their share. */
const EDIT_EVERY_MS = 1_500;
/** Less than this is not worth an edit. */
const LEAST_CHARACTERS = 12;

/**
 * What the channel is to show now instead of what it shows; null to leave it. Never shows less than before: a reply
 * that is written anew waits until it is as long. Pure.
 */
export function decideLiveEdit(
  { text, shown, firstTokenAt, lastShownAt }: LiveState,
  now: number,
): string | null {
  if (now - firstTokenAt < SHOW_AFTER_MS) return null;
  if (shown !== null && now - lastShownAt < EDIT_EVERY_MS) return null;
  const content = certainPart(text);
  if (shown === null) return content === '' ? null : content;
  const grownBy = content.length - shown.length;
  // The first message is full: what is still to come to it comes at once.
  const isFull = text.length > MAX_CHUNK_CHARACTERS;
  return grownBy >= (isFull ? 1 : LEAST_CHARACTERS) ? content : null;
}

/**
 * As much of the text as stays in the reply's first message, whatever comes after it: a longer reply is cut into
 * messages at a good place, and what was shown in the first must not move to the second.
 */
function certainPart(text: string): string {
  const whole = text.trim();
  // A long word after it leaves the first message the least that it can have.
  const [first = ''] = whole === '' ? [] : chunkMessage(`${whole} ${'x'.repeat(MAX_CHUNK_CHARACTERS)}`);
  return first;
}
