import { plainWords } from './chat-spelling.js';

/** A stretch of talk that is read by itself. */
export interface Clause {
  /** Lower case, without punctuation, abbreviations and contractions in full. */
  words: string[];
  /** Meant more strongly: in capitals, with an exclamation mark, or with a drawn-out word. */
  loud: boolean;
  /** Its sentence asks something, or asks for something to be done. */
  asks: boolean;
}

/** What a person said, as the rules read it. */
export interface Utterance {
  clauses: Clause[];
  /** What stands in quotation marks: somebody's words, and not said to the companion. */
  quotes: string[];
}

const QUOTE = /"([^"\n]*)"|“([^“”\n]*)”|«([^«»\n]*)»/gu;

/** A sentence that opens like this is about what is not so: a supposition, a story, or a text to work on. */
const UNREAL =
  /^(?:if(?! (?:all|everything|things|it all) )|unless|suppos|imagin|pretend|let's (?:say|pretend)|hypothetical|write|rewrite|translate|spell|define|summari|in (?:my|the|this|that|our) (?:novel|story|book|film|movie|game|play|poem|dream|song))/u;

/** Asks to do something, question mark or not. */
const REQUEST =
  /^(?:please|pls|plz|(?:can|could|would|will) (?:you|u)|do (?:you|u)|are (?:you|u)|what(?:'s| is|s)|how (?:do|does|can|would|much|many|long)|where|when|which|tell me (?:about|how|what|a)|give me|show me|explain|recommend)\b/iu;

/** Where a sentence may turn: at each of these a clause begins. */
const TURN =
  /,|:|\s(?=(?:but|however|although|though)\s)|\s(?=(?:and|so)\s(?:i|i'm|he|she|it|it's|they|we|you|now|then)\s)/iu;

/** The longest message of ordinary clauses has fewer. Rules look from each clause at the others. */
const MOST_CLAUSES = 150;

/** Splits talk into clauses, leaves out what is only supposed, and sets apart what is quoted. */
export function readClauses(text: string): Utterance {
  const straight = text.replaceAll(/[’‘`´]/gu, "'");
  const quotes = [...straight.matchAll(QUOTE)].map(([, ...parts]) => parts.join(''));
  const own = straight.replaceAll(QUOTE, ' ');
  // Who writes nothing but a quotation may as well have left out the marks.
  const isAllQuoted = !/\p{L}/u.test(own);
  const sentences = (isAllQuoted ? straight : own).split(/(?<=[.!?;\n…])/u);
  return { clauses: sentences.flatMap(clausesOf).slice(0, MOST_CLAUSES), quotes: isAllQuoted ? [] : quotes };
}

function clausesOf(sentence: string): Clause[] {
  const asks = sentence.includes('?') || REQUEST.test(sentence.trim());
  if (UNREAL.test(sentence.trim().toLowerCase())) return [];
  return sentence
    .split(TURN)
    .map((part) => ({ words: wordsOf(part), loud: isLoud(part), asks }))
    .filter(({ words }) => words.length > 0);
}

/** A clause has a dozen words. Rules look from each word at the others, so what runs on is cut. */
const MOST_WORDS = 80;

/** No word the rules know is as long. */
const MOST_OF_WORD = 40;

function wordsOf(part: string): string[] {
  const words = part
    .toLowerCase()
    .replaceAll(DRAWN_OUT, '$1')
    .match(/[\p{L}\p{N}']+/gu);
  const all = plainWords((words ?? []).slice(0, MOST_WORDS).map((word) => word.slice(0, MOST_OF_WORD)));
  // "what happens if I fail": the rest has not happened.
  const condition = all.findIndex((word, n) => word === 'if' && n > 0 && !OPENS_IF.has(all[n - 1] ?? ''));
  return condition === -1 ? all : all.slice(0, condition);
}

/** "what if" and "even if" are not conditions of something else. */
const OPENS_IF = new Set(['what', 'even', 'as']);

const DRAWN_OUT = /(\p{L})\1{2,}/gu;

function isLoud(part: string): boolean {
  const isShouted = /\p{Lu}{4,}/u.test(part) && part === part.toUpperCase();
  return part.includes('!') || isShouted || part.search(DRAWN_OUT) !== -1;
}
