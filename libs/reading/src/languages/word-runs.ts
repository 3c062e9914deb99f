// Scripts without spaces between words, or with particles written as one with them: nothing shows where a word ends.
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const RUNS = new RegExp(
  String.raw`(?<unspaced>[${UNSPACED}ー々]+)|(?:(?![${UNSPACED}])[\p{L}\p{N}\p{M}])+`,
  'gu',
);

/** Marks within a word that nobody sees: soft hyphens, joiners, and those of its direction. The unseen spaces part words. */
const UNSEEN = /(?![\u200b\u200c])[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Characters of a word: longer ones are keys, hashes and links, which their beginning tells apart. */
export const MAX_WORD_CHARACTERS = 40;

/** A run of letters: a word, or several without spaces between them. */
export interface WordRun {
  word: string;
  isUnspaced: boolean;
}

/** Splits a text into runs of letters, without a possessive `'s`. Words are cut, runs without spaces are not. */
export function wordRuns(text: string): WordRun[] {
  const seen = text.replaceAll(UNSEEN, '').replaceAll(/['’]s\b/g, '');
  return [...seen.matchAll(RUNS)].map(([run, unspaced]) =>
    unspaced === undefined
      ? { word: run.slice(0, MAX_WORD_CHARACTERS), isUnspaced: false }
      : { word: run, isUnspaced: true },
  );
}
