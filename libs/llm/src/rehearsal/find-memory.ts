import type { RememberedLine } from './read-prompt.js';

const STOP_WORDS = new Set(
  (
    'a about after again all also always am an and any are as at be because been before being but by can could ' +
    'did do does doing done for from get go going good got had has have he hello her here hey hi him his how i ' +
    'if in into is it its just know last like make me more much my never new no not now of off on one only or ' +
    'our out over please really remember said say she should so some something still tell than thank thanks ' +
    'that the their them then there these they thing think this those time to today told too up us very want ' +
    'was way we well were what when where which who whose why will with would yes yesterday you your'
  ).split(' '),
);

/** The memory that shares most words with what was said; of equals the first, which ranked best. */
export function findMemory(said: string, memories: readonly RememberedLine[]): RememberedLine | null {
  const asked = contentWords(said);
  let best: RememberedLine | null = null;
  let bestScore = 0;
  for (const memory of memories) {
    if (memory.text.trim() === said) continue;
    const shared = [...contentWords(memory.text)].filter((word) => asked.has(word)).length;
    // What was once asked is a poor answer to what is asked now.
    const score = memory.text.trim().endsWith('?') ? shared - 1 : shared;
    if (score > bestScore) [best, bestScore] = [memory, score];
  }
  return best;
}

/** The words that carry meaning, cut to what inflections share. Lexical, as the offline embedder is. */
export function contentWords(text: string): Set<string> {
  const words =
    text
      .toLowerCase()
      .replaceAll(/[’']s\b/g, '')
      .match(/\p{L}[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => !STOP_WORDS.has(word)).map(stem));
}

function stem(word: string): string {
  const cut = word.replace(/(ing|ed|es|s)$/u, '');
  // British and American spellings meet in the middle.
  return (cut.length >= 3 ? cut : word)
    .replace('our', 'or')
    .replace(/(.)\1$/u, '$1')
    .replace(/e$/u, '');
}
