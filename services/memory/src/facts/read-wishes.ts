import { DEFAULT_LANGUAGE, splitSentences, textForRules } from '@kith/reading';
import { analyseIn, foldText, languageOf } from '../words/analyse-text.js';
import { MAX_WISH, orderIn } from '../words/find-order.js';
import { isAboutSubject, mannerOf } from '../words/manners.js';
import { EN_ASKS, STOPS, WITHDRAWALS } from '../words/wish-forms.js';
import type { Statement } from './statement.js';

/** Beginning of the attributes of wishes, which say how somebody wants to be answered. */
export const WISH = 'wish:';

/**
 * Characters of a message that is searched for wishes: a longer one tells or pastes something, with orders of its own.
 */
const MAX_MESSAGE = 600;
/** Sentences of such a message that are looked at. */
const MAX_SENTENCES = 20;
/** Words that tell wishes apart. */
const MAX_KEY_TERMS = 8;
/** Telling words of a wish in the language it is taken for: what is asked for, and of what. */
const MIN_TERMS = 2;

const WORD = /[\p{L}\p{M}\p{N}’'-]+/gu;
/** A word with a capital; "I" is none. */
const NAME = /^\p{Lu}\p{L}/u;

/** Words that reverse a wish, or make it lasting, and are no part of its subject. */
const LASTING = new RegExp(
  String.raw`(?<!\p{L})(?:${EN_ASKS}|always|never|ever|please|stop|quit|don['’]t|do not|from now on|going forward|in (?:the )?future|any ?more|again|immer|nie|niemals|bitte|ab jetzt|von nun an|nicht mehr|siempre|nunca|jamás|por favor|toujours|jamais|plus|sempre|mais)(?!\p{L})`,
  'giu',
);

const CONDITION =
  /(?<!\p{L})(?:when(?:ever)?|if|each time|every time|wenn|cuando|quand|quando) (?:I|ich|je|eu|yo)?(?!\p{L}).{1,120}/iu;

/** Beginning of what follows the words of a withdrawn wish: "you can stop including names, and greet me". */
const SECOND_ORDER = /, (?:and|but) /iu;

/** Manners of which an order to stop one leaves the others. */
const ONE_OF_MANY: ReadonlySet<string> = new Set(['language', 'formality', 'units', 'code in']);

/** Finds the condition of a wish: "when I ask about tools". Null where it has none. */
export function conditionOf(wish: string): string | null {
  return CONDITION.exec(wish)?.[0].split(',', 1)[0] ?? null;
}

/**
 * Reads how somebody wants to be answered from then on, in English, German, Spanish, French and Portuguese: "always
 * give me code in Rust", "never mention Tom". Of one manner (language, length, emojis) the last wish holds; of one
 * subject, too, so that "never" ends "always". A wish that is taken back has the attribute `wish:` alone, with the
 * words that were said of it; "stop …" has them with a wish of its own (`withdrawn-wishes.ts`). Pure.
 */
export function readWishes(text: string): Statement[] {
  const said = textForRules(text, MAX_MESSAGE + 1);
  if (said.length > MAX_MESSAGE) return [];
  const found = new Map<string, Statement>();
  for (const sentence of splitSentences(said, MAX_SENTENCES)) {
    for (const statement of readSentence(sentence.trim()))
      found.set(statement.attribute + (statement.was ?? ''), statement);
  }
  return [...found.values()];
}

function readSentence(sentence: string): Statement[] {
  if (sentence.length > MAX_WISH) return [];
  const withdrawal = readWithdrawal(sentence);
  const order = orderIn(sentence);
  if (order === null) return withdrawal;
  const key = keyOfWish(order);
  // "Always be yourself" asks for nothing that can be told apart.
  if (key === '') return withdrawal;
  const wish = { attribute: `${WISH}${key}`, value: order, isSure: true };
  return [...withdrawal, { ...wish, was: STOPS.exec(order)?.[1] }];
}

function readWithdrawal(sentence: string): Statement[] {
  for (const { form, isAllowed } of WITHDRAWALS) {
    const [was] = form.exec(sentence)?.[1]?.split(SECOND_ORDER, 1) ?? [];
    if (was !== undefined) return [{ attribute: WISH, value: null, isSure: true, was, isAllowed }];
  }
  return [];
}

/** Names the subject of a wish with its condition; the same for "always" and "never". */
export function keyOfWish(order: string): string {
  const condition = conditionOf(order);
  const bare = condition === null ? order : order.replace(condition, '');
  const found = isAboutSubject(bare) ? null : mannerOf(bare);
  // "Stop answering in German" says nothing of English, but "stop using emojis" leaves none.
  const manner = found !== null && ONE_OF_MANY.has(found) && STOPS.test(bare) ? null : found;
  const terms = (words: string) => [...termsOfWish(words)].slice(0, MAX_KEY_TERMS);
  if (manner === null) return terms(order).join(' ');
  return condition === null ? manner : [manner, ...terms(condition)].join(' ');
}

/**
 * The telling words of a wish, or of what is said of one. "Mention Mia" shows no language, and in some a name is a stop
 * word, as "will" is in English: so few words are read as English, and a word with a capital past the beginning tells.
 */
export function termsOfWish(words: string): ReadonlySet<string> {
  const said = words.replaceAll(LASTING, ' ');
  const guessed = languageOf(said);
  const language = analyseIn(said, guessed).length < MIN_TERMS ? DEFAULT_LANGUAGE : guessed;
  const told = [...said.matchAll(WORD)].flatMap(([word], n) => {
    const own = analyseIn(word, language);
    return own.length === 0 && n > 0 && NAME.test(word) ? [foldText(word)] : own;
  });
  return new Set(told);
}
