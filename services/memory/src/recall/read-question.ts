import { DEFAULT_LANGUAGE, isStopWord, readAsEnglish, textForRules, type Language } from '@kith/reading';
import { analyseQuestion, foldText, languageOf, wordsOf } from '../words/analyse-text.js';
import type { SpeakerName } from '../rows/speaker-names.js';
import { mentionsSelf } from './line-traits.js';
import { MAX_ASKED, readTime, type TimeSpan } from './read-time.js';

/** Parts of a query beside its words. */
export interface Question {
  /** Words for the lexical arm. */
  terms: readonly string[];
  /**
   * Names of the one person it asks about, of those whose words are remembered: of the asker, all that they have or had
   * somewhere, those in the question first. Null when it names nobody, or several.
   */
  about: readonly string[] | null;
  /** True where the asker asks about themselves. */
  isOfSelf: boolean;
  /** True where it asks for advice or help, so that what the asker prefers matters. */
  asksAdvice: boolean;
  /** True where it asks for a time. */
  asksWhen: boolean;
  /** Order or number of all occurrences of something, whichever it asks for; null where it asks for neither. */
  asksAll: 'order' | 'count' | null;
  /** True where it asks what is known of the asker at large: "what do you remember about me?" */
  isOverview: boolean;
  /** True where it asks what was before: "where did I live before?" */
  asksPast: boolean;
  /** The past time it asks about; null when it names none. */
  time: TimeSpan | null;
}

const ASKS_ADVICE =
  /\b(?:(?:can|could|would|will) you|how (?:should|do|can|would|could) I|should I|what are some|any (?:tips|advice|suggestions|ideas)|(?:kannst|könntest|würdest) du|wie (?:soll|kann) ich|(?:puedes|podrías)|(?:peux|pourrais)-tu|pouvez-vous)\b/iu;
const ASKS_WHEN =
  /\b(?:when|what (?:day|date|month|year|time)|how long ago|wann|quand|cu[aá]ndo|quando|когда)\b|何時|いつ|什么时候/iu;
// The following are for English, German, Spanish, French and Portuguese.
const ASKS_ORDER =
  /\b(?:(?:in )?(?:which|what) order|the order (?:in which|of|i)|in (?:chronological )?order (?:how|did|i)|chronological(?:ly)?|in welcher reihenfolge|en qu[eé] orden|dans quel ordre|em que ordem)\b|\bin order\b[^.?!]{0,60}[?.!]/iu;
const ASKS_COUNT =
  /\b(?:how (?:many|often)|(?:all|every one of) the times|(?:each|every) time i|wie oft|wie viele|cu[aá]nt[ao]s|combien|quant[ao]s)\b/iu;
const ASKS_PAST =
  /\b(?:before(?: that| this| then)?[?.!]*$|used to|previous(?:ly)?|former(?:ly)?|in the past|the history of|how (?:has|have|did) .{3,60} change|früher|vorher|antes|auparavant|avant(?: cela| ça)?[?.!]*$)/iu;
/** Words at the end of a question: with more behind them they ask for something else. */
const ASKS_OVERVIEW =
  /(?:\b(?:what|everything|all|anything)\b[^.?!]{0,20}\byou\b[^.?!]{0,20}\b(?:know|remember|recall|learned|learnt|kept|keep|noted)\b[^.?!]{0,20}\b(?:about|of|on) (?:me|myself)|\bwhat(?: have|['’]ve) i (?:ever |already )?told you|\btell me (?:something )?about (?:me|myself)|\bwho am i|\b(?:was|alles)\b[^.?!]{0,30}\b(?:weißt|gemerkt|erinnerst|behalten)\b[^.?!]{0,20} (?:über mich|von mir|an mich)|\b(?:was|alles)\b[^.?!]{0,30} (?:über mich|von mir) (?:weißt|gemerkt(?: hast)?)|(?<!\p{L})(?:qué|todo lo que)[^.?!]{0,20} (?:sabes|recuerdas)[^.?!]{0,20} (?:sobre|de) mí|\b(?:que|tout ce que)\b[^.?!]{0,10}\b(?:sais-tu|savez-vous|tu sais|vous savez|te souviens|te rappelles)\b[^.?!]{0,10}\b(?:de|sur) moi|\bo que\b[^.?!]{0,20} (?:você sabe|sabes|você(?: se)? lembra|te lembras)\b[^.?!]{0,20}\b(?:sobre|de) mim)(?: (?:so far|already|now|by now))?\s*[?.!]*$/iu;
const TELLS_WHEN =
  /\b(?:yesterday|today|tonight|tomorrow|ago|recently|just|weekend|(?:last|next|this) \w+|jan(?:uary)?|feb(?:ruary)?|march|april|june|july|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|(?:19|20)\d\d)\b/iu;

const NAME_PARTS = /[\p{L}\p{N}\p{M}]+/gu;
/** Capitalised words that begin no sentence, where any word has a capital. */
const CAPITALISED =
  /(?<![\p{L}\p{N}\p{M}])(?<!^["'“„«(¿¡]?)(?<![.!?…] ["'“„«(¿¡]?)\p{Lu}[\p{L}\p{N}\p{M}]*/gu;
/** Small letters: without any, all of a text is in capitals, which tell nothing. */
const HAS_SMALL = /\p{Ll}/u;
/** Letters of scripts without capitals, such as Chinese. */
const HAS_NO_CASE = /\p{Lo}/u;

const TELLS_NUMBER =
  /\p{N}|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|once|twice|dozen|couple|several|first|second|third)\b/iu;

/**
 * Reads a query. Names of those who spoke are taken out of its terms: "Hey Ann!" is in every other line and tells
 * nothing of what Ann said, but who said a line does. Pure.
 * @param names names of all whose words are remembered
 * @param usual the language that the asker mostly uses
 * @param isOfOwner true for a search by the asker, not a turn
 */
export function readQuestion(
  text: string,
  names: readonly SpeakerName[],
  now: Date,
  usual?: Language,
  isOfOwner = false,
): Question {
  const query = textForRules(text);
  const language = languageOf(query);
  const asked = {
    words: new Set(wordsOf(query)),
    capitalised: new Set(wordsOf((HAS_SMALL.test(query) && query.match(CAPITALISED)?.join(' ')) || '')),
    language,
  };
  const naming = names.map((one) => ({ ...one, words: wordsNaming(one.name, asked) }));
  const nameTerms = new Set(
    naming.flatMap(({ words }) => words.flatMap((word) => analyseQuestion(word, language, isOfOwner))),
  );
  const all = analyseQuestion(query, usual, isOfOwner);
  const terms = all.filter((term) => !nameTerms.has(term));
  return {
    // A query that is a name alone looks for the name.
    terms: terms.length > 0 ? terms : all,
    about: namesOfOne(naming),
    isOfSelf: mentionsSelf(query),
    asksAdvice: ASKS_ADVICE.test(query),
    asksWhen: ASKS_WHEN.test(query),
    isOverview: ASKS_OVERVIEW.test(query),
    asksPast: ASKS_PAST.test(query),
    asksAll: ASKS_ORDER.test(query) ? 'order' : ASKS_COUNT.test(query) ? 'count' : null,
    time: readTime(readAsEnglish(query.slice(0, MAX_ASKED), languageOf(query, usual)).text, now),
  };
}

/** Words of a query, and those whose capital tells that they are names. */
interface AskedWords {
  words: ReadonlySet<string>;
  capitalised: ReadonlySet<string>;
  language: Language;
}

/**
 * Finds the words by which a query names the bearer of a name. A part of the name does so only where it is not written as
 * any other word is: "Coffee Addict" is not asked about by "coffee".
 */
function wordsNaming(name: string, { words, capitalised, language }: AskedWords): string[] {
  const parts = name.match(NAME_PARTS) ?? [];
  const telling = parts.filter((part) => !isCommon(part, language));
  const known = telling.length > 0 ? telling : parts;
  const said = known.filter((part) => wordsOf(part).some((word) => words.has(word)));
  if (said.length === telling.length) return said;
  return said.filter((part) => wordsOf(part).some((word) => capitalised.has(word) || HAS_NO_CASE.test(word)));
}

/** Tells whether a part of a name may be in any line: a stop word, or a number. */
function isCommon(part: string, language: Language): boolean {
  const word = foldText(part);
  return isStopWord(word, language) || isStopWord(word, DEFAULT_LANGUAGE) || /^\p{N}+$/u.test(word);
}

/** Gives the names of the one who is named, however many of their names are; null where nobody is, or several. */
function namesOfOne(names: readonly (SpeakerName & { words: string[] })[]): readonly string[] | null {
  const named = names.filter(({ words }) => words.length > 0);
  const isOfAsker = named.length > 0 && named.every(({ isOwn }) => isOwn);
  if (!isOfAsker && named.length !== 1) return null;
  const others = isOfAsker ? names.filter((one) => one.isOwn && !named.includes(one)) : [];
  return [...named, ...others].map(({ name }) => name);
}

/** Tells whether a line says a number: in digits in any language, in words in English. */
export function tellsNumber(text: string): boolean {
  return TELLS_NUMBER.test(text);
}

/** Tells whether a line says when something was, in English, or by a year in digits in any language. */
export function tellsWhen(text: string): boolean {
  return TELLS_WHEN.test(text);
}
