import { stemmer } from 'stemmer';
import { IRREGULAR_WORDS } from './irregular-words.js';

// Words that are in every sentence, so that finding them says nothing. Negations are among them: ranking does
// not care, and merging (plan-consolidation.ts) compares whole words instead.
const STOP_WORDS = new Set(
  `a about above after again against all am an and any are as at be because been before being below between
  both but by can cannot could did do does doing down during each few for from further had has have having he
  her here hers herself him himself his how i if in into is it its itself just me more most my myself no nor
  not now of off on once only or other our ours ourselves out over own same she should so some such than that
  the their theirs them themselves then there these they this those through to too under until up very was we
  were what when where which while who whom why will with would you your yours yourself yourselves
  don doesn didn isn aren wasn weren haven hasn hadn won wouldn shouldn couldn can ll ve re im ive id`.split(
    /\s+/,
  ),
);

// Scripts that write without spaces between words: pairs of characters stand in for words.
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const RUNS = new RegExp(
  String.raw`(?<unspaced>[${UNSPACED}ー々]+)|(?:(?![${UNSPACED}])[\p{L}\p{N}\p{M}])+`,
  'gu',
);

/** Characters of a word: longer ones are keys, hashes and links, which their beginning tells apart. */
const MAX_WORD_CHARACTERS = 40;

/** Characters of a text that are compared: a row, a piece of a document and a message are shorter. */
const MAX_COMPARED = 4_000;

/** Folds a text: lower case, width and ligatures unified, Latin accents removed. `Ｃafé` is `cafe`. */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .normalize('NFKC')
    .toLowerCase();
}

/** Lists the words of a text, folded, in order; in unspaced scripts, overlapping pairs of characters. */
export function wordsOf(text: string): string[] {
  const folded = foldText(text.slice(0, MAX_COMPARED)).replaceAll(/['’]s\b/g, '');
  return [...folded.matchAll(RUNS)].flatMap((run) =>
    run.groups?.['unspaced'] ? pairsOf(run[0]) : [run[0].slice(0, MAX_WORD_CHARACTERS)],
  );
}

/** Gives the terms that BM25 counts: words without stop words, English ones stemmed (Porter). */
export function analyseText(text: string): string[] {
  return wordsOf(text)
    .filter((word) => !STOP_WORDS.has(word) && (word.length > 1 || !/^[a-z]$/.test(word)))
    .map((word) => (/^[a-z]+$/.test(word) ? stemmer(IRREGULAR_WORDS.get(word) ?? word) : word));
}

function pairsOf(run: string): string[] {
  const characters = [...run];
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, i) => characters[i]! + character);
}
