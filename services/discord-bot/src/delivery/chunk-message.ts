import { cutText } from '@kith/contracts';
import { BARS, isSpoiler, openSpoilerIn } from './spoilers.js';

/** Discord's limit for a message's content. */
export const MAX_CHUNK_CHARACTERS = 2_000;

const FENCE = '```';
const CLOSING = `\n${FENCE}`;
/** A fence, and the language that it opens a block with. */
const FENCES = /`{3,}([\w+#.-]{0,20}(?=\n))?/g;
// A chunk may end at a better place, but not so early that it looks like a stray line.
const MIN_FILL = 0.4;

/** End of a chunk and start of the next; the whitespace between them is dropped. */
interface Cut {
  end: number;
  next: number;
}

const BOUNDARIES = {
  paragraph: /\n[ \t]*\n/g,
  line: /\n/g,
  // The space first: looked for the other way round, a long run of closing marks is read again from each of them.
  sentence: /\s(?<=[.!?…]["'”’)\]*_]*\s)/g,
  word: /\s/g,
} as const;

/** Rest of a reply after some of its chunks, and the code block and the spoiler that are open there. */
export interface RestOfReply {
  rest: string;
  /** The block's language, '' for one without; null: none is open. */
  fence: string | null;
  /** True within a spoiler. */
  isHidden: boolean;
}

/**
 * Splits a reply into messages of at most `limit` characters, in order, none of them blank. Cuts at the end
 * of a paragraph, else a line, a sentence, a word; within a code block at a line, and there the block is
 * closed and opened again with its language, as a spoiler is. Never parts an emoji, or a letter from its accent.
 */
export function chunkMessage(text: string, limit = MAX_CHUNK_CHARACTERS): string[] {
  const chunks: string[] = [];
  for (let left = beginningOf(text); left.rest.trim() !== '';) {
    const taken = takeChunk(left, limit);
    if (taken.chunk !== '') chunks.push(taken.chunk);
    left = taken;
  }
  return chunks;
}

/** Prepares what is left of a reply before its first chunk. */
export function beginningOf(text: string): RestOfReply {
  return { rest: text.trim(), fence: null, isHidden: false };
}

/**
 * Takes the next chunk, '' where it would be blank; returns it with what is left.
 * @param isWhole false while more of the reply may come: a spoiler that is open may still end then, and counts as one
 */
export function takeChunk(left: RestOfReply, limit = MAX_CHUNK_CHARACTERS, isWhole = true) {
  const { rest, fence } = left;
  const before = { isHidden: left.isHidden, isFenced: fence !== null };
  const opening = (left.isHidden ? BARS : '') + (fence === null ? '' : `${FENCE}${fence}\n`);
  const room = limit - opening.length;
  if (rest.length <= room) {
    const open = openSpoilerIn(rest, before);
    const isHidden = open !== null && (open === -1 || isSpoiler(rest, open));
    const closing = closingOf(fenceAfter(rest, fence), isHidden);
    if (rest.length + closing.length <= room)
      return { chunk: opening + rest + closing, rest: '', fence: null, isHidden: false };
  }
  const cut = chooseCut(rest, room - CLOSING.length - BARS.length, fence);
  const head = rest.slice(0, cut.end);
  const after = fenceAfter(head, fence);
  const open = openSpoilerIn(head, before);
  // Bars with another meaning are never closed; a paragraph later they hide nothing.
  const isHidden =
    open !== null &&
    (!isWhole || open === -1 || isSpoiler(head, open) || openSpoilerIn(rest, before) !== open);
  const chunk =
    head.trim() === '' ? '' : opening + (after === null ? head.trimEnd() : head) + closingOf(after, isHidden);
  return { chunk, ...leftAfter(rest, cut, after, isHidden) };
}

/** Finds the rest after a cut. Skips closing marks right behind the cut: the chunk was closed already. */
function leftAfter(text: string, cut: Cut, fence: string | null, isHidden: boolean): RestOfReply {
  const behind = text.slice(cut.next);
  const ended = fence === null ? null : /^\s*`{3,}[ \t]*\n?/.exec(behind);
  if (fence !== null && ended === null) return { rest: behind, fence, isHidden };
  const rest = behind.slice(ended?.[0].length ?? 0).trimStart();
  return isHidden && rest.startsWith(BARS)
    ? { rest: rest.slice(BARS.length).trimStart(), fence: null, isHidden: false }
    : { rest, fence: null, isHidden };
}

function closingOf(fence: string | null, isHidden: boolean): string {
  return (fence === null ? '' : CLOSING) + (isHidden ? BARS : '');
}

/** Finds the language of the code block that is open after `text`; '' for one without, null when none is open. */
function fenceAfter(text: string, before: string | null): string | null {
  let fence = before;
  for (const match of text.matchAll(FENCES)) fence = fence === null ? (match[1] ?? '') : null;
  return fence;
}

/** Tells for each position of `text` whether a code block is open there. */
function fencedPositions(text: string, before: string | null): boolean[] {
  const positions: boolean[] = [];
  let fenced = before !== null;
  for (const { index } of text.matchAll(FENCES)) {
    while (positions.length < index + FENCE.length) positions.push(fenced);
    fenced = !fenced;
  }
  while (positions.length <= text.length) positions.push(fenced);
  return positions;
}

function chooseCut(text: string, window: number, fence: string | null): Cut {
  const least = Math.floor(window * MIN_FILL);
  const within = text.slice(0, window + 1);
  const isFenced = fencedPositions(within, fence);
  const last = (kind: keyof typeof BOUNDARIES, fenced: boolean, from: number): Cut | undefined =>
    [...within.matchAll(BOUNDARIES[kind])]
      .map(({ index, 0: between }) => ({ end: index, next: index + between.length }))
      .filter(({ end }) => end >= from && end <= window)
      .findLast(({ end }) => isFenced[end] === fenced && !(fenced && opensAt(text, end) !== null));
  return (
    last('paragraph', false, least) ??
    last('line', false, least) ??
    last('line', true, least) ??
    last('sentence', false, least) ??
    last('word', false, least) ??
    last('line', true, 1) ??
    last('word', true, 1) ??
    last('word', false, 1) ??
    hardCut(text, window)
  );
}

/**
 * Cuts where there is no boundary: as late as possible, but not within an emoji, a fence, a spoiler's bars, or a
 * block's first line. A very long run of backticks is no fence: it is cut anywhere, or each backtick would be a message of
 * its own.
 */
function hardCut(text: string, window: number): Cut {
  let at = cutText(text, window).length || 1;
  const least = Math.floor(window * MIN_FILL);
  while (at > least && text.charAt(at - 1) === '|') at -= 1;
  const opens = opensAt(text, at);
  if (opens !== null && opens > least) at = opens;
  let run = at;
  while (run > 1 && text.charAt(run) === '`' && text.charAt(run - 1) === '`') run -= 1;
  const end = run > least ? run : at;
  return { end, next: end };
}

/** Finds the beginning of a fence that stands, with its language, right before `end`; null where there is none. */
function opensAt(text: string, end: number): number | null {
  return /(?<!`)`{3,}[\w+#.-]{0,20}$/.exec(text.slice(0, end).trimEnd())?.index ?? null;
}
