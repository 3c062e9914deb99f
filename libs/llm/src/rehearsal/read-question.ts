import { DISLIKE, LOVE, sentencesOf, termsOf, wordsOf } from './words.js';

/** Question of a message. */
export interface Question {
  /** Its words, without what merely leads up to them. */
  text: string;
  /** Kind of answer. `tell`: all there is about its words. */
  wants: 'person' | 'time' | 'place' | 'count' | 'duration' | 'yes-or-no' | 'reason' | 'thing' | 'tell';
  /** Subject: the one who asks, the companion, somebody by name, or nobody in particular. */
  about: 'asker' | 'companion' | { name: string } | null;
  /** True where it asks about the past. */
  isPast: boolean;
  /** Its words with what each counts: a word that only names the sort of answer need not stand in it. */
  terms: ReadonlyMap<string, number>;
}

/** Most characters of a message that are read for a question. */
const MAX_CHARACTERS = 600;
/** The sort of answer, as in "what food do I dislike?": a good answer seldom names it. */
const SORT_WEIGHT = 0.3;

const OPENERS = /^(?:so|and|but|oh|ok|okay|hey|hi|hello|well|now|then|please|just|um|hm+)\b[\s,!.]*/iu;
/** "Mira, where do I live?" */
const VOCATIVE = /^\p{Lu}\p{L}{1,30}, (?=\p{L})/u;
const FORMS: readonly [RegExp, Question['wants']][] = [
  [/^who(?:se|m)?\b/iu, 'person'],
  [
    /^(?:at |on |in |since |until )?(?:when|what (?:day|date|month|year|time)|which (?:day|date|month|year))\b/iu,
    'time',
  ],
  [/^(?:from |in |at |to )?(?:where|(?:what|which) (?:city|town|country|place|state|street))\b/iu, 'place'],
  [/^(?:for )?how long\b/iu, 'duration'],
  [/^how (?:many|much|old|often|tall|far|big)\b/iu, 'count'],
  [/^(?:why|what (?:is|was) the reason|how come)\b/iu, 'reason'],
  [/^(?:what|which|how|(?:in|on|at|for|with|of|to|from|by|about) (?:what|which))\b/iu, 'thing'],
  [/^(?:am|is|are|was|were|do|does|did|have|has|had|can|could|will|would|should|may)\b/iu, 'yes-or-no'],
];
/** "Do you remember where I live?" asks where. */
const ASKS_FOR_MEMORY =
  /^(?:(?:can|could|do|would|did|will) you (?:please )?(?:still |ever )?)?(?:remember|recall|know|tell me|remind me|find out|say|guess)(?: again| of| about| that| if| whether)*\s/iu;
/** "Does Biscuit like rain?" asks of liking, though no pronoun stands before the verb. */
const ASKS_OF_LIKES = /^((?:do|does|did) [^?]{1,60}?) like /iu;
const IS_PAST = /\b(?:was|were|did|used to|had)\b/iu;
/** Told to speak of something, without a question. */
const ORDERS =
  /^(?:tell me|remind me(?! (?:on|at|in|to|tomorrow|tonight|next|every|when|before|after|later)\b)|remember(?! that\b| to\b| this\b)|what about|how about|talk about)\b/iu;

/**
 * Reads a message as a question; null for one that asks nothing. Pure, and by rules for English.
 * @param speakers names of all whose lines may be cited
 */
export function readQuestion(said: string, speakers: readonly string[]): Question | null {
  const text = lastQuestion(said.slice(0, MAX_CHARACTERS));
  const bare = withoutOpeners(text);
  const isOrder = ORDERS.test(bare);
  if (!text.endsWith('?') && !isOrder && !asksWithoutMark(bare)) return null;
  const led = withoutOpeners(bare.replace(ASKS_FOR_MEMORY, ''));
  const form = formOf(led) ?? formOf(bare);
  // "Do you remember my dog?" wants to hear of it, and not a yes.
  const wants = led !== bare && form === 'yes-or-no' ? 'tell' : (form ?? 'tell');
  const inner = led.replace(ASKS_OF_LIKES, '$1 love ');
  return {
    text: inner,
    wants,
    about: whomAbout(inner, speakers),
    isPast: IS_PAST.test(inner),
    terms: weighTerms(inner, wants),
  };
}

/** Verbs that carry a question. */
const VERBS = new Set(
  'am is are was were do does did have has had can could will would should may'.split(' '),
);

const KIND = new Set('kind kinds type types sort sorts name names of'.split(' '));

/** Words that name the sort of answer: "what new job …". */
const SORT_WORDS = 3;

const ASKING = new Set('who whose whom what which where when why how'.split(' '));
const SUBJECTS = new Set('i you he she it we they my your his her our their the there'.split(' '));
/** Most words between the question word and its verb: "what kind of food do …". */
const VERB_WITHIN = 6;

/** True when a line without a question mark asks all the same: its verb stands before its subject. */
function asksWithoutMark(text: string): boolean {
  if (text.endsWith('!')) return false;
  const words = wordsOf(text);
  const [first = '', second = ''] = words;
  if (VERBS.has(first)) return SUBJECTS.has(second);
  if (!ASKING.has(first)) return false;
  // "When I was a child …" tells.
  if (first === 'when') return VERBS.has(second);
  const verb = words.slice(0, VERB_WITHIN).findIndex((word) => VERBS.has(word));
  return verb > 0 && !SUBJECTS.has(words[verb - 1] ?? '');
}

function formOf(text: string): Question['wants'] | null {
  return FORMS.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}

/** The last sentence that asks; else the whole. */
function lastQuestion(said: string): string {
  const sentences = sentencesOf(said)
    .map((each) => each.trim())
    .filter(Boolean);
  return sentences.findLast((each) => each.endsWith('?')) ?? sentences.at(-1) ?? '';
}

function withoutOpeners(text: string): string {
  let rest = text.trim().replace(VOCATIVE, '');
  for (let shorter = rest.replace(OPENERS, ''); shorter !== rest; shorter = rest.replace(OPENERS, '')) {
    rest = shorter;
  }
  return rest.replace(VOCATIVE, '');
}

function whomAbout(text: string, speakers: readonly string[]): Question['about'] {
  const words = wordsOf(text);
  const name = words.flatMap((word) => speakers.find((speaker) => isNameOf(word, speaker)) ?? []).at(0);
  if (name !== undefined) return { name };
  if (words.some((word) => ['i', 'me', 'my', 'mine', 'we', 'our', 'us'].includes(word))) return 'asker';
  return words.some((word) => ['you', 'your', 'yours'].includes(word)) ? 'companion' : null;
}

/** Shorter beginnings of a name are other words too. */
const MIN_NAME_LENGTH = 3;

/** `mel` is Melanie's name too. */
export function isNameOf(word: string, speaker: string): boolean {
  return wordsOf(speaker).some(
    (name) => name === word || (word.length >= MIN_NAME_LENGTH && name.startsWith(word)),
  );
}

function weighTerms(text: string, wants: Question['wants']): Map<string, number> {
  const namesSort = ['thing', 'count', 'place', 'time'].includes(wants);
  const light = new Set(namesSort ? termsOf(sortOf(text).join(' ')) : []);
  // "What's my dog's name?" asks for a name, which "my dog Rex" tells without the word.
  if (wordsOf(text).includes('name')) light.add('name');
  // Whether it is liked or not is what a yes or no decides.
  if (wants === 'yes-or-no') for (const feeling of [LOVE, DISLIKE]) light.add(feeling);
  return new Map(termsOf(text).map((term) => [term, light.has(term) ? SORT_WEIGHT : 1]));
}

/** The sort of answer that "what food do I …" or "how many brothers …" names: the words before the verb. */
function sortOf(text: string): string[] {
  const words = wordsOf(text);
  const start = words[0] === 'how' ? 2 : 1;
  const verb = words.findIndex((word, place) => place >= start && VERBS.has(word));
  const sort = words.slice(start, verb).filter((word) => !KIND.has(word));
  return verb === -1 || sort.length > SORT_WORDS ? [] : sort;
}
