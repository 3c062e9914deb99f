import { DRAWN_OUT, readWords } from './plain-words.js';

/** Part of a sentence that is read by itself. */
export interface Clause {
  /** Its text as it was written, with straight apostrophes and without quotations. */
  text: string;
  /** Its whole sentence, in the same form. */
  sentence: string;
  /** Its words in lower case, without punctuation, abbreviations and contractions in full. */
  words: string[];
  /** True where it is in capitals, or has an exclamation mark or a drawn-out word: it is meant more strongly. */
  loud: boolean;
  /** True where its sentence asks something, or asks for something to be done. */
  asks: boolean;
}

/** Text of a person, as rules read it. */
export interface Utterance {
  clauses: Clause[];
  /** Texts in quotation marks: words of somebody, which are not said to the companion. */
  quotes: string[];
  /** True where all of it is in quotation marks: it is read as if there were none. */
  isQuotation: boolean;
}

/** Ends of sentences. A full stop ends none within a number, after a title, or after a lone capital ("Washington D.C."). */
const SENTENCE_END = /(?<=[!?;\n…。！？]|(?<!\b(?:(?!I)\p{Lu}|St|Mr|Mrs|Ms|Dr))\.(?!\d))/u;

/** A quotation within one line, with its words in one of the groups. */
export const QUOTATION = /"([^"\n]*)"|“([^“”\n]*)”|„([^„“\n]*)“|«([^«»\n]*)»/gu;

/**
 * Pasted words of somebody else: blocks of code, lines that Discord shows as a quotation, and messages copied from it
 * ("lena — Today at 12:03", then theirs) or from another chat ("[12:03] lena: …").
 */
const PASTED =
  /```[^`]*```|^>>> [^]*|^> .*$|^.{1,40} — (?:\w{5,9} at )?[\d/., ]{0,12}\d{1,2}:\d\d(?: ?[AP]M)?$[^]*|^\[?[\d/., ]{0,12}\d{1,2}:\d\d(?::\d\d)?(?: ?[AP]M)?\]?(?: -)? (?![AP]M\b)[^,:\n]{1,40}: .*$/gimu;

/** Beginning of a condition. Some that look like one suppose nothing, and what follows is so: "if you must know". */
const CONDITION =
  /^(?:if(?! (?:all|everything|things|it all|anything(?=,|$| (?:i|you|it|we|they|he|she)\b)|you (?:ask me|must (?:ask|know)|need it|remember|want to know|don't mind)|you're asking|i'm honest|i (?:sound|seem))\b)|unless)\b/u;

/** Beginning of a sentence about what is not so: a supposition, a story, or a text to work on. */
const UNREAL =
  /^(?:suppos(?:e|ing)|imagin(?:e|ing)|pretend(?:ing)?|let'?s (?:say|pretend)|hypothetical(?:ly)?|(?:re)?write|translate|spell|define|summari[sz]e|in (?:my|the|this|that|our) (?:novel|story|book|film|movie|game|play|poem|dream|song)(?! (?:club|shop|store|group|class|circle|room|industry|business)\b))\b/u;

/** Beginning of a sentence that asks for something, with a question mark or without. "When I told her" only tells. */
const REQUEST =
  /^(?:please|pls|plz|(?:can|could|would|will) (?:you|u)|do (?:you|u)|are (?:you|u)|what(?:'s| is|s)|how (?:do|does|can|would|much|many|long)|(?:where|when|which(?: \w+)?)(?:'s|'re|'d| (?:is|are|am|was|were|do|does|did|has|have|can|could|will|would|shall|should|might|must|to|u (?:at|from|free|home|\w+ing)))|why (?:do|does|did|is|are|am|would|should|can) (?!(?:you|u)\b)|(?:is|are|am|was|were|does|did|has|have) (?:it|this|that|there|he|she|they|i|we|anyone|anybody|someone)|tell me (?:about|how|what|a)|give me|show me|explain|recommend)\b/iu;

/** Places where a sentence may turn: at each of these a clause begins. */
const TURN =
  /,|:|(?<=\b(?:love|hate|like|adore|enjoy)) (?=how (?:you|u)\s)|\s(?=(?:but|however|although|though)\s)|\s(?=(?:and|so)\s(?:i|i'm|he|she|it|it's|they|we|you|now|then)\s)/iu;

/** Most clauses that are read, as rules compare each with the others: the longest ordinary message has fewer. */
const MAX_CLAUSES = 150;

/** Most words of a clause that are read, as rules compare each with the others: a clause has a dozen. */
const MAX_WORDS = 80;

/** Splits talk into clauses, leaves out what is only supposed, and sets apart what is quoted. */
export function readClauses(text: string): Utterance {
  const straight = withoutTalk(text.replaceAll(PASTED, '')).replaceAll(/[’‘`´]/gu, "'");
  const quotes = [...straight.matchAll(QUOTATION)].map(([, ...parts]) => parts.join(''));
  const own = straight.replaceAll(QUOTATION, ' ');
  // A message that is nothing but a quotation is read as the writer's own words.
  const isQuotation = quotes.length > 0 && !/\p{L}/u.test(own);
  const sentences = (isQuotation ? straight : own).split(SENTENCE_END).map((each) => each.trim());
  const clauses = sentences.flatMap(clausesOf).slice(0, MAX_CLAUSES);
  return { clauses, quotes: isQuotation ? [] : quotes, isQuotation };
}

/** A line of a talk that is copied with its speakers. */
const SPOKEN = /^([\p{L}\p{N}_.-]{1,32}): .*$/gmu;

/** Leaves out a copied talk of several, of whom one is "me" or speaks again. A list has each label once, or one often. */
function withoutTalk(text: string): string {
  const speakers = Array.from(text.matchAll(SPOKEN), ([, speaker = '']) => speaker.toLowerCase());
  const { size } = new Set(speakers);
  return size > 1 && (speakers.includes('me') || size < speakers.length) ? text.replaceAll(SPOKEN, '') : text;
}

function clausesOf(sentence: string): Clause[] {
  const start = sentence.toLowerCase();
  if (UNREAL.test(start) || CONDITION.test(start)) return [];
  const asks = /[?？]/u.test(sentence) || REQUEST.test(sentence);
  return unconditional(sentence.split(TURN).map((part) => part.trim()))
    .map((part) => ({ text: part, sentence, words: clauseWords(part), loud: isLoud(part), asks }))
    .filter(({ words }) => words.length > 0);
}

/** Leaves out each condition and what would follow from it: "Honestly, if you were useless, I'd be sad". */
function unconditional(parts: readonly string[]): string[] {
  const isCondition = (part: string | undefined) => CONDITION.test(part?.toLowerCase() ?? '');
  return parts.filter((part, n) => !isCondition(part) && !(isCondition(parts[n - 1]) && !GOES_ON.test(part)));
}

/** Beginning of a part that does not follow from the condition before it: "…, if that helps, and I live in Graz". */
const GOES_ON = /^(?:and|but|so|however|although|though)\b/iu;

/** The words of a clause up to a condition: "what happens if I fail" has not happened. */
function clauseWords(part: string): string[] {
  const all = readWords(part).slice(0, MAX_WORDS);
  const condition = all.findIndex((word, n) => word === 'if' && n > 0 && !OPENS_IF.has(all[n - 1] ?? ''));
  return condition === -1 ? all : all.slice(0, condition);
}

/** "What if" and "even if" are not conditions of something else. */
const OPENS_IF = new Set(['what', 'even', 'as']);

function isLoud(part: string): boolean {
  const isShouted = /\p{Lu}{4,}/u.test(part) && part === part.toUpperCase();
  return part.includes('!') || isShouted || part.search(DRAWN_OUT) !== -1;
}
