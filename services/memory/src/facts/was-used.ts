import { analyseIn, languageOf } from '../words/analyse-text.js';

/** Words of a memory that a reply must have: two are hardly chance; of a short memory, half are enough. */
const MAX_WORDS = 2;
const MIN_SHARE = 0.5;

/** Tells whether a reply speaks of a memory: by its words that were not in the messages just before. Pure. */
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
