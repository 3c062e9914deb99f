import { type WordClass, VERBS, NOUNS } from './class-words.js';

export interface ClassedWord {
  wordClass: WordClass;
  /** The number of words it takes. */
  length: number;
}

interface Entry {
  wordClass: WordClass;
  /** The first word, in one of its forms. */
  first: string;
  /** The words that follow it. */
  rest: string[];
}

const VERB_ENTRIES = entriesOf(VERBS, (verb) => {
  const [lemma = '', ...past] = verb.split('/');
  const [base = '', ...rest] = lemma.split(/\s+/u);
  return { forms: verbForms(base, past), rest };
});

const NOUN_ENTRIES = entriesOf(NOUNS, (noun) => {
  const [first = '', ...rest] = noun.split(/\s+/u);
  return { forms: rest.length === 0 ? [first, `${first}s`] : [first], rest };
});

const ENTRIES = Map.groupBy([...VERB_ENTRIES, ...NOUN_ENTRIES], ({ first }) => first);

const VERB_FORMS = new Set(VERB_ENTRIES.map(({ first }) => first));

/** Finds the classes of what stands at a place, by its longest entry. */
export function classesAt(words: readonly string[], at: number): ClassedWord[] {
  const found = (ENTRIES.get(words[at] ?? '') ?? []).filter(({ rest }) =>
    rest.every((word, n) => words[at + 1 + n] === word),
  );
  const longest = Math.max(0, ...found.map(({ rest }) => rest.length));
  return found
    .filter(({ rest }) => rest.length === longest)
    .map(({ wordClass, rest }) => ({ wordClass, length: 1 + rest.length }));
}

/** Tells whether a word is a form of a verb that has a class. */
export function isKnownVerb(word: string): boolean {
  return VERB_FORMS.has(word);
}

/** Makes entries of comma-separated lists, one for each form of the first word. */
function entriesOf(
  lists: Partial<Record<WordClass, string>>,
  read: (listed: string) => { forms: Iterable<string>; rest: string[] },
): Entry[] {
  return (Object.entries(lists) as [WordClass, string][]).flatMap(([wordClass, list]) =>
    list.split(',').flatMap((listed) => {
      const { forms, rest } = read(listed.trim());
      return Array.from(forms, (first) => ({ wordClass, first, rest }));
    }),
  );
}

/** Builds a verb's forms; the past is regular unless given. A last letter that may be doubled is listed both ways. */
function verbForms(base: string, past: readonly string[]): Set<string> {
  const doubled = /[^aeiou][aeiou][bdgklmnprt]$/u.test(base) ? [base + base.slice(-1)] : [];
  const withI = /[^aeiou]y$/u.test(base) ? `${base.slice(0, -1)}i` : null;
  const third = withI ? `${withI}es` : /(?:s|sh|ch|x|z)$/u.test(base) ? `${base}es` : `${base}s`;
  const short = base.endsWith('ie') ? `${base.slice(0, -2)}y` : base.replace(/(?<!e)e$/u, '');
  const progressive = [short, ...doubled].map((stem) => `${stem}ing`);
  const regular = [withI ?? base.replace(/e$/u, ''), ...doubled].map((stem) => `${stem}ed`);
  return new Set([base, third, ...progressive, ...(past.length > 0 ? past : regular)]);
}
