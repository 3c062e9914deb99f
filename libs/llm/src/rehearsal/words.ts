import { DEFAULT_LANGUAGE, isStopWord, stemEnglish } from '@kith/reading';

/** Words that say little in talk, beside the stop words. */
const LITTLE = new Set(
  (
    'actually already also always anything back done ever every gave get gets getting give given go goes going gonna got ' +
    'happen hello hey hi keep kind know last like lot made make makes many mention mentioned mine much name near never new ' +
    'oh ok one please really recently remember s said say says something sort still sure t talk tell tells thank thanks ' +
    'thing things think time today told two type us use used want way well whether whose yeah yes yesterday yet d m'
  ).split(' '),
);

/** Words that ask for the same thing, and what a word asks for that is told by another: a pet by a dog. By stems. */
const ALIKE: readonly (readonly [string, ...string[]])[] = [
  ['dislike', 'hate', 'detest', 'loathe', 'despise'],
  ['love', 'enjoy', 'adore', 'favorite', 'prefer', 'fan', 'fond'],
  ['live', 'move', 'reside', 'home', 'relocate'],
  ['work', 'profession', 'occupation', 'employer'],
  ['choose', 'pick'],
  ['reason', 'inspire', 'motivate'],
  ['present', 'gift'],
  ['scare', 'afraid', 'fear'],
  ['trip', 'travel'],
  ['photo', 'image'],
  ['symbolize', 'symbolise', 'represent', 'mean', 'stand', 'remind', 'reminder'],
];
const KINDS: Readonly<Record<string, string>> = {
  pet: 'dog cat rabbit hamster parrot bird horse turtle fish snake lizard puppy kitten guinea pig',
  sibling: 'brother sister',
  parent: 'mother father',
  child: 'son daughter baby',
  partner: 'wife husband girlfriend boyfriend spouse',
  spouse: 'wife husband partner',
  family: 'mother father brother sister son daughter wife husband child',
  allergy: 'allergic',
  allergic: 'allergy',
  diet: 'vegan vegetarian pescatarian meat',
  instrument: 'guitar piano violin drum cello flute clarinet viola',
};

/** Longer "words" are keys and links. */
const MAX_WORD_CHARACTERS = 40;
const DISLIKES =
  /\b(?:(?:do|does|did)(?:n['’]t| not) (?:really )?(?:like|love|enjoy)|can(?:['’]t|not) stand|not a fan of|no fan of)\b/giu;
const LIKES = /\b(?:likes|liked|(?<=\b(?:i|you|we|they|really|also|still) )like)\b/giu;

const canonical = new Map(
  ALIKE.flatMap(([first, ...others]) =>
    [first, ...others].map((word) => [stemEnglish(word), stemEnglish(first)] as const),
  ),
);
const members = new Map(
  Object.entries(KINDS).map(([kind, words]) => [termOf(kind), words.split(' ').map(termOf)] as const),
);

/** The words that carry meaning, in their order, each as what its inflections and synonyms share. English. */
export function termsOf(text: string): string[] {
  return wordsOf(withPlainLikes(text))
    .filter((word) => !LITTLE.has(word) && !isStopWord(word, DEFAULT_LANGUAGE))
    .map(termOf);
}

/** `don't like` and `can't stand` as `dislike`, the verb `like` as `love`: the preposition says nothing. */
export function withPlainLikes(text: string): string {
  return text.replaceAll(DISLIKES, 'dislike').replaceAll(LIKES, 'love');
}

/** Every word of a text in lower case, without a possessive s. */
export function wordsOf(text: string): string[] {
  const words =
    text
      .normalize('NFKD')
      .replaceAll(/[\u0300-\u036f]/g, '')
      .toLowerCase()
      .replaceAll(/['’]s\b/g, '')
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => word.slice(0, MAX_WORD_CHARACTERS));
}

/** Measures how much a text tells of an asked term, by its own terms and their shares: 0 for nothing. */
export function shareOf(asked: string, told: ReadonlyMap<string, number>): number {
  const own = told.get(asked);
  if (own !== undefined) return own;
  return (members.get(asked) ?? []).reduce((most, kind) => Math.max(most, told.get(kind) ?? 0), 0);
}

/** Stems of liking and disliking, however they are said. */
export const [LOVE, DISLIKE] = [termOf('love'), termOf('dislike')];

function termOf(word: string): string {
  const stem = stemEnglish(word);
  return canonical.get(stem) ?? stem;
}
