import { analyseIn, languageOf } from '../words/analyse-text.js';

/** Words of a memory alone that a reply has when it used the memory: two are hardly chance; of few, half are enough. */
const MAX_WORDS = 2;
const MIN_SHARE = 0.5;

/** Tells whether a reply speaks of a memory: by words that stand in it, and not in what was just said. Pure. */
export function wasUsed(
  memory: { text: string; speaker: string | null },
  { said, reply }: { said: readonly string[]; reply: string },
): boolean {
  const language = languageOf(memory.text);
  const termsOf = (text: string) => analyseIn(text, language);
  const known = new Set([...said, memory.speaker ?? ''].flatMap(termsOf));
  const told = new Set(termsOf(reply));
  const own = [...new Set(termsOf(memory.text))].filter((term) => !known.has(term));
  const used = own.filter((term) => told.has(term)).length;
  return used > 0 && used >= Math.min(MAX_WORDS, own.length * MIN_SHARE);
}
