import { existsSync, readFileSync } from 'node:fs';
import { spellOut } from '../plain-words.js';
import { DEFAULT_LANGUAGE, detectLanguage } from './detect-language.js';
import { foldAccents, type Language } from './languages.js';

/** Phrases of a language that rules know in English, one file for each in `data/glossaries`. */
interface GlossaryFile {
  /** Little words that are written as one with the next ("l'"), and are read as words of their own. */
  elisions?: string;
  /** A day is written with a full stop that ends no sentence: "am 3. Mai". */
  hasOrdinalDots?: boolean;
  /** Words before which a slot ends that takes several words: "and", "because". */
  stops: string;
  /** Words of which a pattern takes any, by their name in it. */
  lists?: Record<string, string>;
  /** Ways to write in chat, each with the form that patterns know: "hab" at a beginning is "ich habe". */
  spellings: [source: string, written: string][];
  /** A form of words as an expression, and the same in English. */
  patterns: [source: string, english: string][];
  /** Phrases by their English. In the middle of a sentence a capital makes a name, but for a phrase that has one here. */
  phrases: Record<string, string>;
}

interface Glossary {
  elisions: RegExp | null;
  hasOrdinalDots: boolean;
  spellings: readonly { spelling: RegExp; written: string }[];
  patterns: readonly { pattern: RegExp; english: string }[];
  phrases: ReadonlyMap<string, { english: string; isCapital: boolean }>;
}

/** Characters that are read: the longest message has no more. */
const MAX_READ = 4_000;
/** Words of the longest phrase. */
const MAX_PHRASE = 4;
/** Matches of patterns that are read in one text: one with more is a list, or meant to keep us busy. */
const MAX_FORMS = 12;
/** Letters that a phrase has at least to be known without its accents, too. */
const MIN_PLAIN_LENGTH = 4;
/** Characters of a slot that takes several words: ten or so. What is longer is a sentence of its own. */
const MAX_SLOT = 60;
const WORD = /[\p{L}\p{M}\p{N}’'-]+/gu;

const opened = new Map<Language, Glossary | null>();

/**
 * Puts what rules know of a text into English, and leaves the rest as it is: "Ich wohne in Graz" is "I live in Graz".
 * So one set of rules reads every language that has a file. English is only spelt out, and a text in a language without
 * a file stays.
 * @param language that of the text, where it is known
 * @returns the text, its language, and whether a full stop after a number may end no sentence in it
 */
export function readAsEnglish(text: string, language = detectLanguage(text).language) {
  const glossary = glossaryOf(language);
  if (!glossary)
    return { text: language === DEFAULT_LANGUAGE ? spellOut(text) : text, language, hasOrdinalDots: false };
  const { elisions, hasOrdinalDots, spellings } = glossary;
  const read = spellings.reduce(
    (told, { spelling, written }) => told.replaceAll(spelling, written),
    text.slice(0, MAX_READ),
  );
  const parted = elisions ? read.replaceAll('’', "'").replaceAll(elisions, (elided) => `${elided} `) : read;
  const forms = { left: MAX_FORMS };
  const english = formsIn(parted, glossary, 0, forms);
  return { text: elisions ? english.replaceAll(/' (?=\p{L})/gu, "'") : english, language, hasOrdinalDots };
}

/**
 * Puts the match of the first pattern that fits into English, from pattern `from` on. Then it reads the text before the
 * match by the patterns after that one, and the text behind it from that pattern on.
 */
function formsIn(text: string, glossary: Glossary, from: number, forms: { left: number }): string {
  for (const [at, { pattern, english }] of glossary.patterns.entries()) {
    if (at < from || forms.left === 0) continue;
    const match = pattern.exec(text);
    if (!match) continue;
    forms.left -= 1;
    const told = english.replaceAll(/\$(\d)/g, (_, slot: string) =>
      phrasesIn(match[Number(slot)] ?? '', glossary, false),
    );
    const before = formsIn(text.slice(0, match.index), glossary, at + 1, forms);
    return before + told + formsIn(text.slice(match.index + match[0].length), glossary, at, forms);
  }
  return phrasesIn(text, glossary, true);
}

function phrasesIn(text: string, { phrases }: Glossary, opens: boolean): string {
  const words = [...text.matchAll(WORD)];
  let told = '';
  let end = 0;
  for (let at = 0; at < words.length; at += 1) {
    const phrase = phraseAt(words.slice(at, at + MAX_PHRASE), { phrases, text, opens });
    if (!phrase) continue;
    told += text.slice(end, phrase.from) + phrase.english;
    end = phrase.to;
    at += phrase.words - 1;
  }
  return told + text.slice(end);
}

/** Finds the longest phrase that these words begin with. */
function phraseAt(
  [first, ...more]: readonly RegExpExecArray[],
  { phrases, text, opens }: { phrases: Glossary['phrases']; text: string; opens: boolean },
): { english: string; words: number; from: number; to: number } | null {
  if (!first) return null;
  const isFirst =
    /(?:^|[.!?\n] ?)$/u.test(text.slice(Math.max(0, first.index - 2), first.index)) &&
    (opens || first.index > 0);
  const isName = /^\p{Lu}/u.test(first[0]) && !isFirst;
  for (const [left, last] of [...more.toReversed(), first].entries()) {
    const phrase = [first, ...more].slice(0, more.length + 1 - left).map(([word]) => word);
    const known = phrases.get(phrase.join(' ').toLowerCase());
    if (known && (known.isCapital || !isName))
      return {
        english: known.english,
        words: phrase.length,
        from: first.index,
        to: last.index + last[0].length,
      };
  }
  return null;
}

function glossaryOf(language: Language): Glossary | null {
  const held = opened.get(language);
  if (held !== undefined) return held;
  const path = new URL(`../../data/glossaries/${language}.json`, import.meta.url);
  const glossary = existsSync(path)
    ? openGlossary(JSON.parse(readFileSync(path, 'utf8')) as GlossaryFile)
    : null;
  opened.set(language, glossary);
  return glossary;
}

function openGlossary(file: GlossaryFile): Glossary {
  const { elisions, hasOrdinalDots = false, stops, lists = {}, spellings, patterns, phrases } = file;
  const some = String.raw`((?:(?! (?:${stops.replaceAll(' ', '|')})(?!\p{L}))[^,.;:!?\n]){1,${MAX_SLOT}}`;
  const slots: Readonly<Record<string, string>> = {
    x: `${some}?)`,
    end: `${some})`,
    n: String.raw`(\d{1,2})`,
    w: String.raw`([\p{L}\p{M}’'-]{1,30})`,
    ...Object.fromEntries(
      Object.entries(lists).map(([name, words]) => [name, `(${words.replaceAll(' ', '|')})`]),
    ),
  };
  const expression = (source: string, flags: string) =>
    new RegExp(
      String.raw`(?<![\p{L}\p{N}])${source.replaceAll(/<(\w+)>/g, (_, name: string) => slots[name] ?? '')}(?![\p{L}\p{N}])`,
      flags,
    );
  const known = new Map<string, { english: string; isCapital: boolean }>();
  for (const [english, own] of Object.entries(phrases))
    for (const phrase of own.split('|'))
      known.set(phrase.toLowerCase(), { english, isCapital: /^\p{Lu}/u.test(phrase) });
  // Many leave out the accents. Without them a short phrase may be another word: "él" and "el".
  for (const [phrase, entry] of Array.from(known)) {
    const plain = foldAccents(phrase);
    if (phrase.length >= MIN_PLAIN_LENGTH && !known.has(plain)) known.set(plain, entry);
  }
  return {
    elisions: elisions === undefined ? null : new RegExp(String.raw`(?<!\p{L})(?:${elisions})'`, 'giu'),
    hasOrdinalDots,
    spellings: spellings.map(([source, written]) => ({ spelling: expression(source, 'giu'), written })),
    patterns: patterns.map(([source, english]) => ({ pattern: expression(source, 'iu'), english })),
    phrases: known,
  };
}
