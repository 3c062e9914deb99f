import { lastOf } from '@kith/contracts/present';
import { textForRules, trimEndOf } from '@kith/reading';
import { titled } from './fact-value.js';
import { knownPlace } from './known-places.js';
import { PLAIN_NAME } from './rule-words.js';
import type { Statement } from './statement.js';

const OPENERS =
  /^(?:(?:so|and|but|oh|ah|hey|well|wait|then|by the way|tell me)(?:,\s*|\s+)|(?!if|when)\p{L}+,\s+)+/iu;
const TAG = String.raw`,? (?:right|correct|don['’]t you|aren['’]t you|haven['’]t you)`;
/** Forms of a question to a person, each with its statement in their own words. */
const FORMS: readonly [RegExp, string][] = [
  [/^do you (?:really |actually |also |even )?(.+)$/iu, 'I $1'],
  [/^are you (?:really |actually |also )?(.+)$/iu, 'I am $1'],
  [/^have you (?!ever)(.+)$/iu, 'I have $1'],
  [/^is your ([^ ]+(?: [^ ]+)?) (called|named) (.+)$/iu, 'My $1 is $2 $3'],
  [/^is your name (.+)$/iu, 'My name is $1'],
  [new RegExp(`^you(?:['’]re| are) (.+?)${TAG}$`, 'iu'), 'I am $1'],
  [new RegExp(`^you (.+?)${TAG}$`, 'iu'), 'I $1'],
];
/** Words of a question that names nothing, offers a choice, or is negated: a yes to it is unclear. */
const UNCLEAR =
  /\b(?:i|me|my|we|us|our|it|this|that|these|those|them|they|him|her|she|he|or|not|one|any|anything|something)\b|n['’]t\b/iu;

/** Questions for one thing, each with the beginning of the statement that an answer completes, and its topic. */
const OPEN_FORMS: readonly [RegExp, string, RegExp][] = [
  [
    /^where (?:do you live|are you (?:based|living))(?: now| these days| currently)?$/iu,
    'I live in',
    /^home$/u,
  ],
  [/^where are you(?: originally)? from$/iu, 'I am from', /^origin$/u],
  [/^(?:what(?:['’]s| is) your name|what (?:should|can|do|may) I call you)$/iu, 'My name is', /^name$/u],
  [/^how old are you(?: now)?$/iu, 'I am', /^age$/u],
  [/^what do you do for (?:a living|work)$/iu, 'I work as', /^job$/u],
  [/^what(?:['’]s| is) your ([^ ]{2,12})(?:['’]s name| called)$/iu, 'My $1 is called', /^(?:pet:|partner$)/u],
];
/** Beginnings of statements that end with no name. */
const NAME_NOTHING = new Set(['I am', 'I work as']);
const LEADS = /^(?:(?:oh|well|um|uh|haha|in|from|as|it['’]s|it is|i['’]m|just|still|originally)[, ]+){1,3}/iu;
/** An answer that names nothing. */
const NAMELESS =
  /^(?:guess|why|how|when|who|what|where|which|secret|private|no|nope|nah|yes|yeah|nothing|nobody|none|nowhere|somewhere|anywhere|everywhere|here|there|outside|inside|upstairs|abroad|alone|online|home|bed|space|hell|heaven|mars|earth|unknown|not|me|you|your|yours|same|i|my|it|he|she|they|we|haha|lol|lmao|h+m+|huh|wow|idk|dunno|ok|okay|sure|maybe|perhaps|whatever|anything|any|something|never|fine|good|great|cool|hi|hey|hello|bye|thanks|thx|please|sorry|stop|wait|pass|skip|ask|rather|really|later|now|today|tonight|tomorrow|again|already|dead|single|divorced|married|ex|old|too|depends|an? (?:lot|bit|bunch|little|few|mess|secret|whole|joke|good|great|long))(?![\p{L}'’-])/iu;
/** Words of the longest answer that is a name or a thing alone. */
const MAX_ANSWER = 4;
const ONE_NAME = new RegExp(`^${PLAIN_NAME}$`, 'u');

/** A short answer to an open question as a statement. */
interface FullAnswer {
  statement: string;
  /** Tells whether a fact that is read of it is what was asked for, and the whole of the answer. */
  isToldBy: (fact: Statement) => boolean;
}

/** Rewords a short answer to an open question as a statement; null where it is none. */
export function answerInFull(text: string, asked: string): FullAnswer | null {
  const answer = trimEndOf(text.replace(LEADS, ''), '.!…');
  const question = questionIn(asked);
  const form = question === null ? undefined : OPEN_FORMS.find(([pattern]) => pattern.test(question));
  const isPlain = /^[\p{L}\p{N} .'’-]+$/u.test(answer) && answer.split(' ').length <= MAX_ANSWER;
  if (question === null || !form || !isPlain || NAMELESS.test(answer)) return null;
  const [pattern, begins, about] = form;
  // Whoever is something by trade says what they are: "an event planner", "teacher".
  const opening = begins === 'I work as' && !/^an? /iu.test(answer) ? 'I am a' : begins;
  const thing = NAME_NOTHING.has(begins) ? answer : namedIn(answer);
  if (thing === null) return null;
  return {
    statement: `${question.replace(pattern, opening)} ${thing}.`,
    isToldBy: ({ attribute, value }) => about.test(attribute) && value !== null && thing.endsWith(value),
  };
}

/** Writes a name or a place as such: a known place, one word, or words with capitals; null for "nice try". */
function namedIn(answer: string): string | null {
  const isName = ONE_NAME.test(answer.toLowerCase()) || /^\p{Lu}\S*(?: \p{Lu}\S*)+$/u.test(answer);
  return knownPlace(answer) ?? (isName ? titled(answer) : null);
}

/**
 * Rewords a yes/no question as the statement of whoever affirms it; null for anything else, and for several questions.
 */
export function asOwnWords(text: string): string | null {
  const question = questionIn(text);
  if (question === null) return null;
  const form = FORMS.find(([pattern]) => pattern.test(question));
  if (!form) return null;
  const own = question.replace(...form);
  const rest = question.replace(form[0], '$1');
  if (UNCLEAR.test(rest)) return null;
  return `${own.replaceAll(/\byour\b/giu, 'my')}.`;
}

/** Finds the question that a text ends with, without its opening words; null where it asks none or several. */
function questionIn(text: string): string | null {
  const [sentences = '', after, ...more] = textForRules(text).split('?');
  if (after === undefined || more.length > 0 || /[\p{L}\p{N}]/u.test(after)) return null;
  return lastOf(sentences.split(/[.!…:;\n] ?/u))
    .trim()
    .replace(OPENERS, '');
}
