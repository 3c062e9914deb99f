import { typedWords } from '@kith/contracts';
import { Yielder } from '@kith/messaging';
import { textForRules } from '@kith/reading';
import { isSame, isUnchanging } from '../facts/reconcile-fact.js';
import { analyseIn, analyseText, languageOf } from '../words/analyse-text.js';
import type { RecallRow } from '../rows/memory-row.js';
import { isOwn } from '../rows/own-words.js';
import { BESIDE, DENIAL_FORMS, NEVER_MET, OPPOSITES } from './denial-forms.js';
import { once } from './once.js';

/** A memory as far as it may contradict another. */
export type ComparedMemory = Pick<
  RecallRow,
  'id' | 'text' | 'kind' | 'writer' | 'speaker' | 'saidAt' | 'attribute' | 'value' | 'validTo'
>;

/** Two memories that contradict each other. */
export interface ContradictingPair<T extends ComparedMemory> {
  /** The older first. */
  sides: readonly [T, T];
}

/** Least share of a denial's words that a line has which says otherwise. */
const MIN_SHARE = 0.5;
/** Least share of the question's words that a denial has: what nobody asks about is not brought up. */
const MIN_ASKED = 0.4;
/** Most contradictions that a prompt tells: nobody could speak of more at once. */
const MAX_CONTRADICTIONS = 2;
/** Most words of a denial that are compared. */
const MAX_TERMS = 12;
/** Least words in common: a name alone, for one, only shows that both lines speak of somebody. */
const MIN_TERMS = 2;
/** Letters of the shortest stem that is taken for a name's. */
const MIN_NAME = 3;

/**
 * Finds contradictions among what was found, as far as they are asked about: somebody says that they never did what
 * another line of theirs tells of, or never met whom another line puts beside them; says two things that can't both be
 * true of anybody; or has two facts at once of what has one value. Which one is right is not for us to say. Pure.
 */
export function findContradictions<T extends ComparedMemory>(
  found: readonly T[],
  asked: readonly string[],
): ContradictingPair<T>[] {
  const pairs = [...pairsAmong(found.map(comparedLine), asked)].flat();
  return onceEach(pairs).slice(0, MAX_CONTRADICTIONS);
}

/** Characters that are read, and lines that are compared, before other work gets a turn: some 10 ms at worst. */
const CHARACTERS_A_YIELD = 2_000;
const LINES_A_YIELD = 2;

/** Finds all contradictions among memories. Works in small parts, between which the process goes on answering. */
export async function findUnsettled<T extends ComparedMemory>(
  found: readonly T[],
): Promise<ContradictingPair<T>[]> {
  const reading = new Yielder(CHARACTERS_A_YIELD);
  const lines: ComparedLine<T>[] = [];
  for (const row of found) {
    const line = comparedLine(row);
    line.terms();
    line.beside();
    lines.push(line);
    await reading.after(row.text.length);
  }
  const comparing = new Yielder(LINES_A_YIELD);
  const pairs: ContradictingPair<T>[] = [];
  for (const some of pairsAmong(lines, null)) {
    pairs.push(...some);
    await comparing.after(1);
  }
  return onceEach(pairs);
}

function onceEach<T extends ComparedMemory>(pairs: readonly ContradictingPair<T>[]): ContradictingPair<T>[] {
  return [...new Map(pairs.map((pair) => [pair.sides.map(({ id }) => id).join(), pair])).values()];
}

/** Finds pairs that contradict each other, those of one line at a time. */
function* pairsAmong<T extends ComparedMemory>(
  lines: ComparedLines<T>,
  asked: AskedTerms,
): Generator<ContradictingPair<T>[]> {
  yield contraryFacts(lines.map(({ row }) => row));
  for (const find of [opposites, denials, strangers])
    for (const line of lines) yield find(line, lines, asked);
}

function comparedLine<T extends ComparedMemory>(row: T): ComparedLine<T> {
  const typed = typedWords(row.text);
  const read = textForRules(typed);
  return {
    row,
    read,
    denied: deniedIn(read),
    unmet: namesIn(NEVER_MET, read),
    terms: once(() => new Set(analyseText(typed))),
    beside: once(() => namesIn(BESIDE, read)),
  };
}

/** Terms of what is asked about; null means anything. */
type AskedTerms = readonly string[] | null;

/** A memory, with what it is compared by. Parts that only denials need are read on demand. */
interface ComparedLine<T extends ComparedMemory> {
  row: T;
  read: string;
  terms: () => ReadonlySet<string>;
  denied: readonly Denial[];
  /** Names of people that it says were never met. */
  unmet: ReadonlySet<string>;
  /** Names of people that it puts beside the speaker. */
  beside: () => ReadonlySet<string>;
}

type ComparedLines<T extends ComparedMemory> = readonly ComparedLine<T>[];

/** Words of something that a line says never happened. */
interface Denial {
  terms: ReadonlySet<string>;
  untilThen: boolean;
}

function contraryFacts<T extends ComparedMemory>(found: readonly T[]): ContradictingPair<T>[] {
  const holding = found.filter(({ attribute, validTo }) => isUnchanging(attribute) && validTo === null);
  return holding.flatMap((fact, n) => {
    const other = holding
      .slice(n + 1)
      .find(({ attribute, value }) => attribute === fact.attribute && !isSame(value ?? '', fact.value ?? ''));
    return other ? [inTime(fact, other)] : [];
  });
}

/** Finds a line that can't be true with this one at any time, where the question has a word of either. */
function opposites<T extends ComparedMemory>(
  line: ComparedLine<T>,
  lines: ComparedLines<T>,
  asked: AskedTerms,
): ContradictingPair<T>[] {
  return OPPOSITES.flatMap(({ one, other }) => {
    const said = one.exec(line.read)?.[0];
    if (said === undefined) return [];
    for (const each of others(lines, line)) {
      const contrary = other.exec(each.read)?.[0];
      if (contrary === undefined) continue;
      const told = new Set(analyseText(`${said} ${contrary}`));
      return asked === null || asked.some((term) => told.has(term)) ? [inTime(line.row, each.row)] : [];
    }
    return [];
  });
}

/** Finds the line that tells most of what this one says never happened. */
function denials<T extends ComparedMemory>(
  line: ComparedLine<T>,
  lines: ComparedLines<T>,
  asked: AskedTerms,
): ContradictingPair<T>[] {
  const denial = line.denied.find(({ terms }) => asked === null || shareOf(asked, terms) >= MIN_ASKED);
  if (!denial) return [];
  const [other] = others(lines, line)
    .filter(
      ({ row, terms, denied }) =>
        (!denial.untilThen || row.saidAt < line.row.saidAt) &&
        sayAlike(denial.terms, terms()) &&
        !denied.some((each) => sayAlike(denial.terms, each.terms)),
    )
    .map(({ row, terms }) => ({ row, likeness: shareOf([...denial.terms], terms()) }))
    .toSorted((x, y) => y.likeness - x.likeness);
  return other ? [inTime(line.row, other.row)] : [];
}

/** Finds a line that puts somebody beside the speaker whom this one says was never met. */
function strangers<T extends ComparedMemory>(
  line: ComparedLine<T>,
  lines: ComparedLines<T>,
  asked: AskedTerms,
): ContradictingPair<T>[] {
  const names = [...line.unmet].filter((name) => asked === null || asked.some((term) => isOf(term, name)));
  if (names.length === 0) return [];
  const other = others(lines, line).find(({ unmet, beside }) =>
    names.some((name) => beside().has(name) && !unmet.has(name)),
  );
  return other ? [inTime(line.row, other.row)] : [];
}

/** Lists the other lines of the same speaker. The person's own are theirs under whichever name. */
function others<T extends ComparedMemory>(lines: ComparedLines<T>, { row }: ComparedLine<T>) {
  const isSameSpeaker = (each: T) =>
    isOwn(row) || isOwn(each) ? isOwn(row) && isOwn(each) : each.speaker === row.speaker;
  return lines.filter((each) => each.row.id !== row.id && isSameSpeaker(each.row));
}

function inTime<T extends ComparedMemory>(one: T, other: T): ContradictingPair<T> {
  return { sides: one.saidAt <= other.saidAt ? [one, other] : [other, one] };
}

/** Tells whether a term may be a name's: terms are stems, and a name's stem depends on the language around it. */
function isOf(term: string, name: string): boolean {
  return term.length >= MIN_NAME && name.normalize('NFD').replaceAll(/\p{M}/gu, '').startsWith(term);
}

function namesIn(pattern: RegExp, read: string): ReadonlySet<string> {
  // Listing copies the expression each time, and most lines name nobody so.
  if (read.search(pattern) < 0) return new Set();
  return new Set(Array.from(read.matchAll(pattern), ([, name = '']) => name.toLowerCase()));
}

function deniedIn(read: string): Denial[] {
  const forms = DENIAL_FORMS.filter(({ pattern }) => read.search(pattern) >= 0);
  if (forms.length === 0) return [];
  // A clause alone may look like another language.
  const language = languageOf(read);
  return forms.flatMap(({ pattern, untilThen }) =>
    Array.from(read.matchAll(pattern), ([, clause = '']) => {
      const terms = new Set(analyseIn(clause, language));
      terms.delete('befor');
      return { terms: new Set([...terms].slice(0, MAX_TERMS)), untilThen };
    }),
  );
}

/** Tells whether a line has enough words of what is denied to say otherwise. */
function sayAlike(denied: ReadonlySet<string>, terms: ReadonlySet<string>): boolean {
  let count = 0;
  for (const term of denied) if (terms.has(term)) count += 1;
  return count >= Math.min(MIN_TERMS, denied.size) && count >= denied.size * MIN_SHARE && count > 0;
}

function shareOf(wanted: readonly string[], terms: ReadonlySet<string>): number {
  if (wanted.length === 0) return 0;
  return wanted.filter((term) => terms.has(term)).length / wanted.length;
}
