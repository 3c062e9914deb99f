import { termsOf } from './words.js';

/** Longest quote of one line: a reply is a chat line. */
export const MAX_QUOTE = 280;

/**
 * Shortens a line to a quote: the whole, or the sentences around the one with most of the words that were asked for,
 * marked where something is left out. Pure.
 */
export function quoteOf(text: string, asked: ReadonlySet<string>): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line.length <= MAX_QUOTE) return line;
  const sentences = line.split(/(?<=[.!?…])\s/u);
  const shared = sentences.map((sentence) => termsOf(sentence).filter((term) => asked.has(term)).length);
  let from = shared.indexOf(Math.max(...shared));
  let to = from + 1;
  const lengthOf = (a: number, b: number) => sentences.slice(a, b).join(' ').length + 2;
  // What follows tells more of it than what came before.
  while (to < sentences.length && lengthOf(from, to + 1) <= MAX_QUOTE) to += 1;
  while (from > 0 && lengthOf(from - 1, to) <= MAX_QUOTE) from -= 1;
  const chosen = sentences.slice(from, to).join(' ');
  const cut = chosen.length <= MAX_QUOTE - 2 ? chosen : chosen.slice(0, MAX_QUOTE - 2).trimEnd();
  const isCutShort = to < sentences.length || cut.length < chosen.length;
  return `${from > 0 ? '…' : ''}${cut}${isCutShort ? '…' : ''}`;
}
