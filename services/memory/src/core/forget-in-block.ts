import type { CoreEdit } from '@kith/contracts';
import { z } from 'zod';
import { analyseText, sharesWord } from '../words/analyse-text.js';

/** A passage of a block, and the messages it was written for. */
export const Origin = z.object({ text: z.string(), sources: z.array(z.string()) });
export type Origin = z.infer<typeof Origin>;

interface Block {
  text: string;
  origins: readonly Origin[];
}

/** Least share of a passage's words in a line that tells it anew: of two words, one may have the typo. */
const MIN_SHARED = 0.5;

/** Removes from a block what was written for forgotten messages; null where nothing was. */
export function forgetInBlock(
  block: Block,
  forgotten: readonly string[],
): { text: string; origins: Origin[] } | null {
  const isGone = ({ sources }: Origin) => sources.some((source) => forgotten.includes(source));
  const gone = block.origins.filter(isGone);
  if (gone.length === 0) return null;
  // Positions rather than words: passages overlap where an edit changed a part of one.
  const cut = new Set<number>();
  for (const [passage, told] of Map.groupBy(gone, ({ text }) => text)) {
    const noted = block.origins.filter(({ text }) => text === passage).length;
    const places = placesOf(block, passage, noted);
    // If it occurs more often than noted, it is unclear which place is meant: remove too many, not too few.
    const count = Math.max(told.length, places.length - (noted - told.length));
    for (const at of places.slice(0, count))
      for (let position = at; position < at + passage.length; position += 1) cut.add(position);
  }
  const left = (from: number, to: number) =>
    closeGaps(
      block.text
        .slice(from, to)
        .split('')
        .filter((_, n) => !cut.has(from + n)),
    );
  const text = left(0, block.text.length);
  const rest = (passage: string) => {
    const [at] = placesOf(block, passage);
    return at === undefined ? '' : left(at, at + passage.length);
  };
  const origins = block.origins
    .filter((origin) => !isGone(origin))
    .map((origin) => (text.includes(origin.text) ? origin : { ...origin, text: rest(origin.text) }));
  return { text, origins: standing(text, origins) };
}

/** Lists the origins of a block after an edit: those whose words still stand there, as they read now, and the new one's. */
export function originsAfter(before: Block, edit: CoreEdit, after: string, sources: string[]): Origin[] {
  const added = { text: (edit.kind === 'replace' ? edit.new : edit.text).trim(), sources };
  return standing(after, [...keptIn(before, edit, after), ...(sources.length > 0 ? [added] : [])]);
}

function keptIn(before: Block, edit: CoreEdit, after: string): readonly Origin[] {
  if (edit.kind === 'replace') return before.origins.map((origin) => reword(before, origin, edit));
  if (edit.kind === 'append') return before.origins;
  const had = before.text.split('\n');
  const fresh = after.split('\n').filter((line) => !had.includes(line));
  return before.origins.flatMap((origin) =>
    after.includes(origin.text)
      ? origin
      : origin.text
          .split('\n')
          .map((line) => ({ ...origin, text: after.includes(line) ? line : (likest(line, fresh) ?? line) })),
  );
}

/** Finds the line that has most words of a passage, and half of them at least: the passage with its typo put right. */
function likest(passage: string, lines: readonly string[]): string | null {
  const terms = new Set(analyseText(passage));
  const weighed = lines.map((line) => ({
    line,
    shared: new Set(analyseText(line).filter((term) => terms.has(term))).size,
  }));
  const [best] = weighed.toSorted((a, b) => b.shared - a.shared);
  return best && best.shared > 0 && best.shared >= terms.size * MIN_SHARED ? best.line : null;
}

/**
 * Rewords an origin that an edit touched: the rest of its passage, with the new words, still comes from its messages.
 * Where other words replaced all of it, it stays as it is; its passage is then nowhere in the block.
 */
function reword(block: Block, origin: Origin, { old, new: words }: Extract<CoreEdit, { kind: 'replace' }>) {
  const [start] = placesOf(block, origin.text);
  if (start === undefined) return origin;
  const end = start + origin.text.length;
  const from = block.text.indexOf(old);
  const to = from + old.length;
  if (to <= start || from >= end) return origin;
  const isWhole = from <= start && to >= end;
  if (isWhole && !sharesWord(origin.text, words)) return origin;
  const [head, tail] = [
    block.text.slice(start, Math.max(start, from)),
    block.text.slice(Math.min(to, end), end),
  ];
  return { ...origin, text: `${head}${words}${tail}`.trim() };
}

/** Signs beside a passage that is a line of its own, and beside one that is whole words. */
const LINE_END = /^\n?$/u;
const WORD_END = /^[^\p{L}\p{N}]?$/u;

/**
 * Finds where a passage stands in a block: as lines of its own that are no part of a longer note, else as whole words, else
 * within them.
 * @param count how many of it were noted: where fewer are lines of their own, others outside longer notes follow
 */
function placesOf({ text, origins }: Block, passage: string, count = 1): number[] {
  const all = occurrencesOf(passage, text);
  const longer = origins
    .filter((origin) => origin.text.length > passage.length && origin.text.includes(passage))
    .flatMap((origin) =>
      occurrencesOf(origin.text, text).map((from) => ({ from, to: from + origin.text.length })),
    );
  const isFree = (at: number) => !longer.some(({ from, to }) => from <= at && at + passage.length <= to);
  const ends = (at: number, end: RegExp) =>
    end.test(text.charAt(at - 1)) && end.test(text.charAt(at + passage.length));
  const words = all.filter((at) => ends(at, WORD_END));
  const free = words.filter(isFree);
  const lines = free.filter((at) => ends(at, LINE_END));
  if (lines.length > 0) return lines.length >= count ? lines : [...new Set([...lines, ...free])];
  return words.length > 0 ? words : all;
}

function occurrencesOf(passage: string, text: string): number[] {
  const found: number[] = [];
  if (passage === '') return found;
  for (let at = text.indexOf(passage); at !== -1; at = text.indexOf(passage, at + passage.length))
    found.push(at);
  return found;
}

function standing(text: string, origins: readonly Origin[]): Origin[] {
  return origins.filter((origin) => origin.text !== '' && text.includes(origin.text));
}

function closeGaps(characters: readonly string[]): string {
  return characters
    .join('')
    .split('\n')
    .map((line) => line.replaceAll(/ {2,}/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n');
}
