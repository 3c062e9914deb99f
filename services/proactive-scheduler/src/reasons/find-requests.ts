import { trimEndOf } from '@kith/reading';
import { DATES } from './date-parser.js';

/** A request to a companion to come back to something. */
export type RequestKind = 'remind' | 'check-in' | 'ask' | 'contact' | 'tell';

/** One "ask me tomorrow how it went" in a sentence. */
export interface ComeBackRequest {
  kind: RequestKind;
  /** The words before it in its sentence, back to the request before. */
  lead: string;
  /** The request's own words, up to the next request or the sentence's end. */
  phrase: string;
  /** `phrase` without its verb: what to come back to, and when. */
  rest: string;
}

const VERBS: readonly [RequestKind, string][] = [
  ['remind', "remind me|(?:don't|dont|do not|never) let me forget"],
  ['check-in', 'check (?:back )?(?:in |up )?(?:on|with) me|check back in|follow up with me'],
  ['ask', 'ask me'],
  [
    'contact',
    '(?:ping|message|text|dm|nudge|poke|wake|write(?: to)?|get back to|come back to) me|come back to (?:this|that|it)',
  ],
  ['tell', 'tell me'],
];
const ANY_VERB = new RegExp(VERBS.map(([, verb]) => `\\b(${verb})\\b`).join('|'), 'gi');

// What may stand right before an imperative that is meant for the companion.
const MEANT_FOR_YOU = new RegExp(
  `(?:${[
    '^\\s*',
    '[,;:()–—-]\\s*',
    '\\b(?:(?:can|could|would|will) you|you (?:can|could|should|must)|(?:want|need|like|love) you to)(?: (?:please|also|just|kindly|maybe))*\\s*',
    '\\b(?:forget|remember|be sure|make sure|feel free|try|promise) to\\s*',
    '\\bsure (?:that )?you\\s*',
    '\\b(?:please|pls|plz|kindly|just|maybe|also)\\s*',
    // A call by name: "Hey Mira remind me".
    '^\\s*(?:hey|hi|hello|ok|okay|yo|alright|thanks)(?: \\S+)?\\s*',
  ].join('|')})$`,
  'i',
);
// "Mira remind me": a capital alone in front is a name, unless it is one of these.
const NAME_ALONE = /^\s*([A-Z][a-z]+)\s*$/;
const NO_NAME =
  /^(?:you|they|we|never|not|no|dont|stop|why|to|people|friends|always|kids|nobody|does|did|do)$/i;
const CONSEQUENCE = /\b(?:so|but|then)\s*$/i;
const COORDINATION = /\b(?:and|or)\s*$/i;

// "I don't want you to …", "don't call and remind me": the verb is in reach of a negation, if no comma is between.
const NEGATED_WISH =
  /\b(?:not|never|no longer|\w{1,12}n't|dont) (?:\w{1,20} )?(?:want|need|like|love|ask|expect|think|have)\b/i;
const NEGATION = /\b(?:not|never|no need|stop|\w{1,12}n't|dont)\b/i;
const POLITE_NEGATION = /\b(?:don't|dont|do not|never) (?:forget to|let me forget)\b/gi;
// "why would you ask me", "how can you tell me": a question about asking.
const QUESTION_ABOUT = /\b(?:why|how|when|what|where|who)\s+(?:can|could|would|will|should) you\s*$/i;
// "she'll come by and ask me": somebody else does it.
const SOMEBODY_ELSE =
  /\b(?:he|she|they|who|everyone|everybody|someone|somebody|people|will|would|might|always|wants?|going)\b|'ll\b/i;

/** A sentence with more requests repeats itself, and each costs two searches for dates. */
const MAX_VERBS = 6;

/** Finds the requests in a sentence that are meant for the companion, in order. Negated and reported ones are left out. */
export function findRequests(sentence: string): ComeBackRequest[] {
  const taken: { verb: RegExpExecArray; lead: string }[] = [];
  let from = 0;
  for (const verb of [...sentence.matchAll(ANY_VERB)].slice(0, MAX_VERBS)) {
    const lead = sentence.slice(from, verb.index);
    if (!isMeantForCompanion(lead, taken.length > 0)) continue;
    taken.push({ verb, lead });
    from = verb.index + verb[0].length;
  }
  return taken.map(({ verb, lead }, index) => {
    const phrase = withoutJoiners(
      trimEndOf(sentence.slice(verb.index, taken[index + 1]?.verb.index), '.!?…'),
      ',;',
    );
    const kind = VERBS[verb.slice(1).findIndex(Boolean)]?.[0] ?? 'remind';
    return { kind, lead, phrase, rest: phrase.slice(verb[0].length) };
  });
}

function isMeantForCompanion(lead: string, afterRequest: boolean): boolean {
  const bare = withoutDateAtEnd(lead);
  const plain = bare.replaceAll(POLITE_NEGATION, 'please');
  if (QUESTION_ABOUT.test(plain) || NEGATED_WISH.test(lastPartOf(plain))) return false;
  if (COORDINATION.test(plain)) {
    const before = plain.replace(COORDINATION, '');
    return !NEGATION.test(before) && (afterRequest || !SOMEBODY_ELSE.test(lastPartOf(before)));
  }
  const name = NAME_ALONE.exec(bare)?.[1];
  if (name !== undefined) return !NO_NAME.test(name);
  return [lead, bare].some((before) => MEANT_FOR_YOU.test(before) || CONSEQUENCE.test(before));
}

/** Returns the text after the last comma or semicolon. */
function lastPartOf(text: string): string {
  return text.slice(Math.max(text.lastIndexOf(','), text.lastIndexOf(';')) + 1);
}

/** Drops a date at the end: "on Friday remind me" is an imperative as much as "remind me on Friday". */
function withoutDateAtEnd(lead: string): string {
  const last = DATES.parse(lead).at(-1);
  if (!last || last.index + last.text.length !== lead.trimEnd().replace(/,$/, '').length) return lead;
  return lead.slice(0, last.index).replace(/\b(?:on|at|by|in)\s*$/i, '');
}

const JOINER = /\b(?:and|then|but|also|or|so|please|can you|could you)$/i;
/** "could you", and enough before it to see where its word begins. */
const JOINER_WITHIN = 12;

/** Removes joining words and these marks from the end of a text: "… and please", left over before the next request. */
export function withoutJoiners(text: string, marks: string): string {
  let rest = trimEndOf(text, marks);
  const joinerOf = () => JOINER.exec(rest.slice(-JOINER_WITHIN));
  for (let joiner = joinerOf(); joiner; joiner = joinerOf()) {
    rest = trimEndOf(rest.slice(0, -joiner[0].length), marks);
  }
  return rest;
}
