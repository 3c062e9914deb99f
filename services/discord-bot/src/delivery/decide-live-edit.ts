import { beginningOf, MAX_CHUNK_CHARACTERS, takeChunk, type RestOfReply } from './chunk-message.js';
import { LIVE_PACE, type LivePace } from './live-pace.js';
import { BARS, isSpoiler, openSpoilerIn } from './spoilers.js';

/** A reply that is being written, as it looks now. */
export interface LiveState {
  /** All that was said so far. */
  text: string;
  /** Texts the channel shows of it, message after message. */
  shown: readonly string[];
  /** By the monotonic clock, in milliseconds. */
  firstTokenAt: number;
  lastShownAt: number;
}

/** New text of one of a reply's messages; a further message where there is none at `index` yet. */
export interface LiveEdit {
  index: number;
  content: string;
}

/** Less than this is not worth an edit, nor a further message. */
const MIN_CHARACTERS = 12;
/** Behind what is shown, so that everybody sees there is more to come. */
const CURSOR = ' …';
/** Beyond what fits into a message, a cut looks at no more than a fence and its language. */
const LOOK_AHEAD = 32;

/**
 * Decides which message of a reply to edit or send now; null to leave all as it is. Goes on to a further message once the one
 * before it has its final text. Never shows less than before: a reply that was restarted waits until it
 * is as long. Pure.
 */
export function decideLiveEdit(
  { text, shown, firstTokenAt, lastShownAt }: LiveState,
  now: number,
  { showAfterMs, editEveryMs }: Pick<LivePace, 'showAfterMs' | 'editEveryMs'> = LIVE_PACE,
) {
  if (now - firstTokenAt < showAfterMs) return null;
  if (shown.length > 0 && now - lastShownAt < editEveryMs) return null;
  const { full, last: reached } = certainChunks(text);
  const last = withoutOpenSpoiler(reached);
  if (lengthOf([...full, last]) + CURSOR.length < lengthOf(shown)) return null;
  const changed = [...full.entries()].find(([at, chunk]) => chunk !== shown[at]);
  if (changed) return { index: changed[0], content: changed[1] };
  const content = last.length + CURSOR.length <= MAX_CHUNK_CHARACTERS ? last + CURSOR : last;
  const before = shown[full.length];
  if (before === undefined) {
    const isWorthIt = last.length >= (full.length === 0 ? 1 : MIN_CHARACTERS);
    return isWorthIt ? { index: full.length, content } : null;
  }
  return content.length - before.length >= MIN_CHARACTERS ? { index: full.length, content } : null;
}

/**
 * Finds the messages that the text fills, and the part of the next one that stays in it whatever still follows: a
 * reply is cut into messages at a good place, and text shown in one must not move to the next.
 */
function certainChunks(text: string): { full: string[]; last: string } {
  const full: string[] = [];
  let left: RestOfReply = beginningOf(text);
  while (left.rest.length > MAX_CHUNK_CHARACTERS + LOOK_AHEAD) {
    const taken = takeChunk(left, MAX_CHUNK_CHARACTERS, false);
    if (taken.chunk !== '') full.push(taken.chunk);
    left = taken;
  }
  if (left.rest === '') return { full, last: '' };
  // Followed by a long word, the message gets the least text that it can have.
  const longest = `${left.rest} ${'x'.repeat(MAX_CHUNK_CHARACTERS)}`;
  const taken = takeChunk({ ...left, rest: longest }, MAX_CHUNK_CHARACTERS, false);
  // A spoiler closed only because the text ends here may turn out not to be one.
  const isEnded = taken.isHidden && !left.isHidden;
  return { full, last: isEnded ? taken.chunk.slice(0, -BARS.length) : taken.chunk };
}

/** Cuts a text before a spoiler whose end may still come in its paragraph: Discord would show it in clear. */
function withoutOpenSpoiler(text: string): string {
  const open = openSpoilerIn(text);
  return open !== null && isSpoiler(text, open) ? text.slice(0, open).trimEnd() : text;
}

function lengthOf(messages: readonly string[]): number {
  return messages.reduce((sum, { length }) => sum + length, 0);
}
