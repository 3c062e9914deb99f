import { tellingWords } from '../quotes/quote-finder.js';

/** Marks of content that a line must not lose, by the kind of question that would show the loss. */
export const MARKS = {
  promise:
    /\b(?:i['’]ll|i will|we['’]ll|promise\w{0,2}|remind|don['’]t forget|remember to|let['’]s|deadline|due)\b/i,
  task: /\b(?:need to|needs to|have to|has to|must|to-?do|should|going to|gonna|plan(?:ning)? to|supposed to)\b/i,
  negation:
    /\b(?:not|never|no longer|nobody|none|without|allergic|stopped|quit|can['’]?t|cannot|won['’]t|don['’]t|doesn['’]t|didn['’]t|isn['’]t|wasn['’]t|aren['’]t|haven['’]t)\b/i,
  date: /\b(?:\d{4}-\d\d-\d\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october|november|december|yesterday|tomorrow|(?:last|next) (?:week|weekend|month|year|summer|winter|spring|night))\b/i,
  number: /\b\d[\d.,:]{0,12}/,
  // After a comma mostly comes the person spoken to ("Thanks, Ann!"), and "I'm" is nobody's name.
  name: /[\p{Ll}\p{N};] (?!I['’])(\p{Lu}[\p{L}\p{M}'’-]{2,30})/u,
} as const;
export type LineMark = keyof typeof MARKS;

/** Weight of each mark: a promise broken is worse than a number forgotten. */
const WEIGHTS: Readonly<Record<LineMark, number>> = {
  promise: 2.5,
  task: 1.5,
  negation: 1.25,
  date: 1.5,
  number: 1.5,
  name: 1.5,
};
/** Signs that somebody speaks about themselves. */
const OWN =
  /\b(?:my|mine|i['’]m|i am|i['’]ve|i have|i was|i live|i work|i like|i love|i hate|our|we['’]re)\b/i;
/** Weights of speakers: a companion's words matter less, since they come from what a person said. */
const OWN_WORDS = 1.5;
const COMPANION = -1.5;
const QUESTION = -1;
/** Weight of each further word, and how many words count: a long line is not a better one. */
const WORD = 0.1;
const MAX_WORDS = 12;
/** Characters of a line that are looked at: the longest message of Discord. */
export const READ_CHARACTERS = 4_000;

/** Rates the loss if a line is left out; small talk is near 0. Pure. */
export function rateLine({ role, text }: { role: 'person' | 'companion'; text: string }): number {
  const rated = text.slice(0, READ_CHARACTERS);
  const marks = marksIn(rated).reduce((sum, mark) => sum + WEIGHTS[mark], 0);
  const words = Math.min(MAX_WORDS, tellingWords(rated).size) * WORD;
  return (
    marks +
    words +
    (OWN.test(rated) ? OWN_WORDS : 0) +
    (role === 'companion' ? COMPANION : 0) +
    (rated.trimEnd().endsWith('?') ? QUESTION : 0)
  );
}

/** Lists the marks of a text. */
export function marksIn(text: string): LineMark[] {
  return (Object.keys(MARKS) as LineMark[]).filter((mark) => MARKS[mark].test(text));
}
