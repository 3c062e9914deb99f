import { readWords } from '@kith/reading';
import { BOOSTERS, type Cue, CUES, DAMPERS, IDLE_PHRASES } from './rules-lexicon.js';

/** Finds the places of a phrase's words from `at` on. Words of degree do not part them: "not a big fan of". */
export function placesOf(
  phrase: readonly string[],
  words: readonly string[],
  at: number,
  taken: ReadonlySet<number>,
): number[] | null {
  const places: number[] = [];
  let place = at;
  for (const pattern of phrase) {
    while (places.length > 0 && words[place] !== pattern && isOfDegree(words[place])) place += 1;
    if (taken.has(place) || words[place] !== pattern) return null;
    places.push(place);
    place += 1;
  }
  return places;
}

/** Tells whether a word makes others stronger or weaker. */
export function isOfDegree(word = ''): boolean {
  return BOOSTERS.has(word) || DAMPERS.has(word);
}

interface Phrase {
  /** The cue; null for idle phrases, which take their words out of other cues. */
  cue: Cue | null;
  phrase: readonly string[];
}

/** Phrases by their first word, prepared once. */
const PHRASES: ReadonlyMap<string | undefined, Phrase[]> = Map.groupBy(
  [
    ...IDLE_PHRASES.map((words) => ({ cue: null, phrase: readWords(words) })),
    ...CUES.flatMap((cue) => cue.words.map((words) => ({ cue, phrase: readWords(words) }))),
  ],
  ({ phrase }) => phrase[0],
);

/** Lists the phrases that may begin at each place of a clause, the longest first. */
export function phrasesIn(words: readonly string[]): (Phrase & { at: number })[] {
  return words
    .flatMap((word, at) => (PHRASES.get(word) ?? []).map((phrase) => ({ ...phrase, at })))
    .sort((one, other) => other.phrase.length - one.phrase.length);
}
