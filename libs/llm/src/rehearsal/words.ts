import { stemmer } from 'stemmer';

const STOP_WORDS = new Set(
  (
    'a about actually after again all already also always am an and any anything are as at back be because been ' +
    'before being both but by can could did do does doing done down during each ever every for from further gave ' +
    'get gets getting give given go goes going gonna got had happen has have having he hello her here hers hey hi ' +
    'him his how i if in into is it its just keep kind know last like lot made make makes many me mention mentioned ' +
    'mine more most much my myself name near never new no nor not now of off oh ok on once one only or other our ' +
    'ours out over own please really recently remember s said same say says she should so some something sort ' +
    'still such sure t talk tell tells than thank thanks that the their theirs them then there these they thing ' +
    'things think this those through time to today told too two type under until up us use used very want was ' +
    'way we well were what when where whether which while who whom whose why will with would yeah yes yesterday ' +
    'yet you your yours ll ve re im d m don didn doesn isn wasn aren'
  ).split(' '),
);

/** Verbs whose past looks like another word; LoCoMo's questions ask "did … buy", and its lines tell "bought". */
const IRREGULAR: Readonly<Record<string, string>> = Object.fromEntries(
  (
    'ate:eat began:begin bought:buy built:build brought:bring came:come caught:catch chose:choose chosen:choose ' +
    'drank:drink drove:drive fell:fall felt:feel fought:fight found:find flew:fly forgot:forget grew:grow ' +
    'heard:hear held:hold kept:keep knew:know led:lead learnt:learn left:leave lost:lose meant:mean met:meet ' +
    'paid:pay ran:run read:read rode:ride sang:sing saw:see seen:see sent:send slept:sleep sold:sell spent:spend ' +
    'spoke:speak stood:stand swam:swim taken:take taught:teach thought:think threw:throw took:take went:go ' +
    'dug:dig hid:hide hidden:hide bit:bite broke:break broken:break drew:draw lent:lend stole:steal woke:wake hung:hang ' +
    'blew:blow sat:sit lit:light hurt:hurt won:win wore:wear written:write wrote:write kids:child kid:child children:child mum:mother mom:mother ' +
    'dad:father married:marry movies:film movie:film'
  )
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
);

/** Words that ask for the same thing, and what a word asks for that is told by another: a pet by a dog. By stems. */
const ALIKE: readonly (readonly [string, ...string[]])[] = [
  ['dislike', 'hate', 'detest', 'loathe', 'despise'],
  ['love', 'enjoy', 'adore', 'favourite', 'favorite', 'prefer', 'fan', 'fond'],
  ['live', 'move', 'reside', 'home', 'relocate'],
  ['job', 'work', 'profession', 'occupation', 'career', 'employer'],
  ['start', 'begin'],
  ['buy', 'purchase'],
  ['choose', 'pick'],
  ['reason', 'inspire', 'motivate'],
  ['present', 'gift'],
  ['scare', 'afraid', 'fear'],
  ['trip', 'travel', 'vacation', 'holiday'],
  ['picture', 'photo', 'photograph', 'image'],
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
    [first, ...others].map((word) => [stemOf(word), stemOf(first)] as const),
  ),
);
const members = new Map(
  Object.entries(KINDS).map(([kind, words]) => [termOf(kind), words.split(' ').map(termOf)] as const),
);

/** The words that carry meaning, in their order, each as what its inflections and synonyms share. English. */
export function termsOf(text: string): string[] {
  return wordsOf(withPlainLikes(text))
    .filter((word) => !STOP_WORDS.has(word))
    .map(termOf);
}

/** `don't like` and `can't stand` as `dislike`, the verb `like` as `love`: the preposition says nothing. */
export function withPlainLikes(text: string): string {
  return text.replaceAll(DISLIKES, 'dislike').replaceAll(LIKES, 'love');
}

/** Splits a text into its sentences. */
export function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?\n])\s/u);
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
  const stem = stemOf(word);
  return canonical.get(stem) ?? stem;
}

function stemOf(word: string): string {
  const base = (Object.hasOwn(IRREGULAR, word) ? IRREGULAR[word] : undefined) ?? word;
  return /^[a-z]+$/.test(base) ? stemmer(base) : base;
}
