import { readWords } from '@kith/lexical-embedding';
import { PEOPLE } from './rules-lexicon.js';
import { valenceOf } from './valence-of.js';

/** Words that say when, or that something is hoped or told of, and not what it is. */
const PLAIN = new Set(
  `today tomorrow yesterday tonight morning evening night week weekend month year time day monday tuesday wednesday
  thursday friday saturday sunday january february march april may june july august september october november december
  hope hoping hoped fear feared afraid scared nervous anxious worried worry dread excited finally really just think
  thought feel feeling know going gonna want wish maybe result news happen happened come came get got went made thing
  something anything everything soon next last still actually after told said guess much very good great bad fine
  well better best work out cancelled called off postponed luck yes yeah omg nope turns turned`
    .split(/\s+/u)
    .flatMap(stems),
);

/** Words of one kind of undertaking and of its outcomes: somebody who had an exam ahead and "passed" passed it. */
export const TOPICS: readonly ReadonlySet<string>[] = [
  'exam test quiz final midterm theory driving licence course class pass passed fail failed flunk flunked ace aced grade score mark',
  'job interview position role company application hire hired offer accept accepted reject rejected candidate promotion promoted',
  'scan biopsy lump mri surgery operation doctor hospital checkup benign malignant cancer tumour tumor clear negative positive diagnosis',
  'flat apartment house landlord lease mortgage move keys',
  'race match game tournament final finals competition team win won lose lost goal beat',
].map((list) => new Set(list.split(' ').flatMap(stems)));

const PERSONS = new Set([...PEOPLE].flatMap(stems));

/** Returns the stems of words that say what a text is about: none of time, of feeling or of every sentence. */
export function tellingWords(text: string): Set<string> {
  const telling = readWords(text).filter(
    ({ form, stem, isStopWord }) =>
      !isStopWord && form.length > 2 && !PLAIN.has(stem) && Math.abs(valenceOf(form)) < FELT_FROM,
  );
  return new Set(telling.map(({ stem }) => stem));
}

/** A word of this valence says how something is, and not what it is. */
export const FELT_FROM = 2;

export function stems(text: string): string[] {
  return readWords(text).map(({ stem }) => stem);
}

/** Returns the subject of a prospect: people only where there is nothing else, since much else is told of people. */
export function subjectOf(about: string): ReadonlySet<string> {
  const all = tellingWords(about);
  const things = [...all].filter((stem) => !PERSONS.has(stem));
  return things.length > 0 ? new Set(things) : all;
}

/** Tells whether two prospects are about one thing. */
export function isSameThing(one: string, other: string): boolean {
  const words = subjectOf(other);
  return [...subjectOf(one)].some((word) => words.has(word));
}
