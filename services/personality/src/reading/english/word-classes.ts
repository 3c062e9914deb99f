import { verbForms } from './verb-forms.js';
import { type WordClass, VERBS, NOUNS } from './class-words.js';

export interface ClassedWord {
  wordClass: WordClass;
  /** The number of words it takes. */
  length: number;
}

interface Entry {
  wordClass: WordClass;
  rest: string[];
}

/** Entries by the first word, in each of its forms. */
const ENTRIES: ReadonlyMap<string, Entry[]> = entries();

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

function entries(): Map<string, Entry[]> {
  const byWord = new Map<string, Entry[]>();
  const add = (wordClass: string, first: string, rest: string[]) => {
    const entry = { wordClass: wordClass as WordClass, rest };
    byWord.set(first, [...(byWord.get(first) ?? []), entry]);
  };
  for (const [wordClass, list] of Object.entries(VERBS)) {
    for (const { forms, rest } of listed(list)) for (const form of forms) add(wordClass, form, rest);
  }
  for (const [wordClass, list] of Object.entries(NOUNS)) {
    for (const noun of list.split(',').map((each) => each.trim())) {
      const [first = '', ...rest] = noun.split(' ');
      add(wordClass, first, rest);
      if (rest.length === 0) add(wordClass, `${first}s`, rest);
    }
  }
  return byWord;
}

/** Reads a list of verbs: all forms of the first word, and the words that follow it. */
export function listed(list: string): { forms: Set<string>; rest: string[] }[] {
  return list.split(',').map((verb) => {
    const [lemma = '', ...past] = verb.split('/').map((form) => form.trim());
    const [base = '', ...rest] = lemma.split(/\s+/u);
    return {
      forms: verbForms(
        base,
        past.map((form) => form.split(' ')[0] ?? ''),
      ),
      rest,
    };
  });
}

/** The first word of every verb, in each form. */
export const VERB_FORMS: ReadonlySet<string> = new Set(
  Object.values(VERBS)
    .flatMap(listed)
    .flatMap(({ forms }) => [...forms]),
);
