import { firstOf, lastOf } from '@kith/contracts';
import { isSameWord, ownWords, wordsOf } from './own-words.js';

/** Words of a name that say nothing of what it does. */
const EMPTY = new Set(['a', 'an', 'the', 'of', 'to', 'by', 'for', 'in', 'on', 'with', 'my', 'tool', 'do']);
/** Beginnings of a request, before its verb. */
const FILLERS = new Set(
  (
    'please kindly hey hi hello ok okay yes yeah sure now then so and also just well can could would will you i want ' +
    'need d like to id let s lets go ahead me us try bitte kannst du könntest peux pourrais tu puedes podrías por favor'
  ).split(' '),
);
/** Verbs of an order, beside those in a tool's name. */
const ORDERS = new Set(
  (
    'use run call make add put create send set book order start turn switch write post delete remove open close update ' +
    'change play search look find show check read buy pay transfer schedule remind tell ask invite save store move ' +
    'upload download fetch get note'
  ).split(' '),
);
/** Words with which nobody orders: they deny, report, or speak of what might be. */
const NOT_ORDERING = new Set(
  (
    'not no never dont don doesn didn won wouldn shouldn can’t cannot without stop cancel nevermind mind wait forget said ' +
    'says say saying tells told wrote writes asked asks asking claims claimed reads according mentioned quoted if unless ' +
    'whenever suppose imagine pretend hypothetically example nicht kein keine nie niemals ohne falls wenn sagte sagt pas ' +
    'jamais sans dit nunca sin dijo dice'
  ).split(' '),
);
/** First words of a question that wants to know something, rather than have it done. */
const ASKING = new Set(
  (
    'what why when where who whom whose how which did does do is are was were has have had should shall may might must ' +
    'was warum wann wo wer wie hast hat ist quoi pourquoi quand comment que por qué cuándo cómo'
  ).split(' '),
);
/** First words of somebody who speaks of what they or others do. */
const TELLING = new Set(
  'i we he she they it my our his her their there this that ich wir er sie es je il elle yo él ella'.split(
    ' ',
  ),
);

/**
 * Tells whether somebody asks for a tool in their own words: with an order that has all words of its name, or holds one
 * of its phrases. Everything that is not plainly an order is none: it is better to be asked again than to act on a
 * report, a question, a quotation or a refusal.
 * @param messages of this turn, as their sender wrote them
 */
export function asksFor(messages: readonly string[], tool: { name: string; asks: readonly string[] }) {
  // People do not say the server's or file's name before it.
  const phrases = [nameWords(lastOf(tool.name.split('__'))), ...tool.asks.map(wordsOf)].filter(
    ({ length }) => length > 0,
  );
  const ordering = (word: string) => phrases.some((phrase) => phrase.includes(word));
  const sentences = messages.flatMap((message) => withLinks(ownWords(message)).split(/[.!?;\n…。！？]+/u));
  const isOrder = sentences.map((sentence) => mayOrder(sentence, ordering) && orders(sentence, phrases));
  const last = isOrder.lastIndexOf(true);
  if (last < 0) return false;
  // "Send it. No, wait!": what comes after takes it back.
  return sentences.slice(last + 1).every((sentence) => !wordsOf(sentence).some(isNotOrdering(ordering)));
}

/** Splits a tool's name into its words: `mail__sendMessage` is mail, send, message. */
export function nameWords(name: string): string[] {
  const plain = name.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replaceAll('_', ' ');
  return wordsOf(plain).filter((word) => !EMPTY.has(word));
}

/** Puts `link` where an address of the web stands: what such an address is made of orders and denies nothing. */
function withLinks(text: string): string {
  return text.replaceAll(/https?:\/\/\S+/giu, (address) => `link${/[.!?;,]$/u.exec(address)?.[0] ?? ''}`);
}

function isNotOrdering(ordering: (word: string) => boolean) {
  return (word: string) => NOT_ORDERING.has(word) && !ordering(word);
}

function mayOrder(sentence: string, ordering: (word: string) => boolean): boolean {
  const words = wordsOf(sentence);
  if (words.some(isNotOrdering(ordering))) return false;
  const first = words.find((word) => !FILLERS.has(word) || ASKING.has(word));
  return first !== undefined && (!ASKING.has(first) || ordering(first));
}

/** An order begins with its verb; a phrase may stand anywhere in what is not told of somebody. */
function orders(sentence: string, [name = [], ...phrases]: string[][]): boolean {
  return sentence.split(/[,，:–—]/u).some((clause) => {
    const words = wordsOf(clause);
    const start = words.findIndex((word) => !FILLERS.has(word));
    const verb = words[start];
    if (verb === undefined) return false;
    // "I want you to send it" is an order, "I want to send it" is none.
    const isTold = words.slice(0, start).some((word) => TELLING.has(word)) && !words.includes('you');
    if (isTold) return false;
    const has = (wanted: string) => words.some((word) => isSameWord(word, wanted));
    const isVerb = ORDERS.has(verb) || name.some((word) => isSameWord(word, verb));
    if (isVerb && name.length > 0 && name.every(has)) return true;
    return !TELLING.has(firstOf(words)) && phrases.some((phrase) => phrase.every(has));
  });
}
