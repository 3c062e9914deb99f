import { unbrokenNotes } from '@kith/contracts/typed-words';
import { cutWord } from './cut-word.js';

/** Characters of a memory: a thought or two. The vector of a longer text is like everything, and it fills a prompt. */
export const MAX_MEMORY_CHARACTERS = 1_200;

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });
/** Words, each with one white space after it; a second one is a piece by itself. */
const WORDS = /\s|\S+\s?/g;

/**
 * Cuts a text into parts of at most `maxCharacters`, between sentences where it can, never inside a character, and not
 * within a note that a door inserted: half of one would pass for the sender's words.
 */
export function splitText(text: string, maxCharacters = MAX_MEMORY_CHARACTERS): string[] {
  const trimmed = text.trim();
  if (trimmed.length <= maxCharacters) return trimmed ? [trimmed] : [];
  return pack(trimmed, sentences, maxCharacters, (sentence) =>
    pack(sentence, WORDS, maxCharacters, (word) => cutWord(word.trimEnd(), maxCharacters)),
  );
}

/** Fills parts piece by piece; a piece too long for any part is cut smaller. */
function pack(
  text: string,
  cut: Intl.Segmenter | RegExp,
  maxCharacters: number,
  cutSmaller: (piece: string) => string[],
): string[] {
  const whole = unbrokenNotes(text);
  const found = cut instanceof RegExp ? [...whole.matchAll(cut)] : [...cut.segment(whole)];
  const pieces = found.map(({ index }, n) => text.slice(index, found[n + 1]?.index));
  const parts: string[] = [];
  let part = '';
  for (const piece of pieces) {
    // White space at the end is trimmed, so it always fits.
    const bare = piece.trimEnd().length;
    if (bare > 0 && part.length + bare > maxCharacters) {
      if (part.trim()) parts.push(part.trim());
      part = '';
    }
    if (bare <= maxCharacters) part += piece;
    else parts.push(...cutSmaller(piece));
  }
  if (part.trim()) parts.push(part.trim());
  return parts;
}
