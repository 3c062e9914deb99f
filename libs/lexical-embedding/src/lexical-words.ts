/** Words that are in every other sentence, without apostrophes: they say little about what it is about. */
const STOP_WORDS = new Set(
  `a about above after again all also am an and any are as at be because been before being but by can could
  did do does doing done down during each for from get gets getting go goes going gonna got had has have
  having he her here hers him his how i if in into is it its just like me more most much my myself no nor
  not now of off oh on once one only or other our out over own really s said same say she should so some
  such t than that the their them then there these they thing things this those through to too up us very
  was we well were what when where which while who whom why will with would yeah yes you your hey hi hello
  wow thanks thank im ive id dont didnt doesnt cant wont thats youre theyre lets isnt wasnt okay ok great
  good know think make made see want`.split(/\s+/),
);

/** Scripts that write no spaces between words: there, a run of letters is a sentence. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}]/u;

export interface Word {
  /** As written, folded. */
  readonly form: string;
  readonly stem: string;
  readonly isStopWord: boolean;
  readonly isUnspaced: boolean;
}

/** Reads a text's words in order: lower case, without accents and apostrophes, `Café's` → `cafes`. */
export function readWords(text: string): Word[] {
  const folded = text
    .normalize('NFKD')
    .replaceAll(/\p{M}|['’]/gu, '')
    .toLowerCase();
  // Each different word is made once: a hostile text holds the same a million times, as one character folds to eighteen.
  const known = new Map<string, Word>();
  return (folded.match(/[\p{L}\p{N}]+/gu) ?? []).map((form) => {
    const word = known.get(form) ?? wordOf(form);
    known.set(form, word);
    return word;
  });
}

function wordOf(form: string): Word {
  return { form, stem: stemOf(form), isStopWord: STOP_WORDS.has(form), isUnspaced: UNSPACED.test(form) };
}

/**
 * Stems an English word lightly: takes off plurals and the commonest verb endings, so that `painted`, `paints` and
 * `painting` are one. It is wrong now and then, which character n-grams make up for.
 */
export function stemOf(word: string): string {
  if (word.length < 4) return word;
  let stem = word;
  if (/.{2}ies$/.test(stem)) stem = `${stem.slice(0, -3)}y`;
  else if (/(ss|sh|ch|x|z)es$/.test(stem)) stem = stem.slice(0, -2);
  else if (/[^su]s$/.test(stem)) stem = stem.slice(0, -1);

  if (/.{3}ing$/.test(stem)) stem = stem.slice(0, -3);
  else if (/.{3}ed$/.test(stem)) stem = stem.slice(0, -2);
  else if (/.{4}ly$/.test(stem)) stem = stem.slice(0, -2);

  if (/([bdfgmnprt])\1$/.test(stem)) stem = stem.slice(0, -1);
  return stem.length > 3 ? stem.replace(/e$/, '').replace(/y$/, 'i') : stem;
}
