import { textForRules } from '@kith/reading';
import { isUnchanging } from '../facts/reconcile-facts.js';
import { analyseIn, analyseText, languageOf } from '../words/analyse-text.js';
import type { MemoryRow } from '../rows/memory-row.js';

/** A memory as far as it may contradict another. */
export type Told = Pick<MemoryRow, 'id' | 'text' | 'speaker' | 'saidAt' | 'attribute' | 'value' | 'validTo'>;

/** Two memories that do not go together. */
export interface Contradiction<T extends Told> {
  /** The older first. */
  sides: readonly [T, T];
}

// "I have never …", in English, German, Spanish, French and Portuguese, up to the end of the clause.
const NEVER =
  /(?<!\p{L})(?:I(?:['’]ve| have)? never|I (?:haven['’]t|have not) ever|ich (?:habe|bin|war) (?:noch )?nie|(?:yo )?nunca he|je n['’]ai jamais|(?:eu )?nunca) ([^,.;!?\n]{4,160})/giu;
/** Share of a denial's words, by weight, that a line has which says otherwise. */
const MIN_SHARE = 0.5;
/** Share of the question's words that the denial has: what it does not ask about is not brought up. */
const MIN_ASKED = 0.4;
/** Contradictions that a prompt tells: of more, nobody could speak at once. */
const MAX_CONTRADICTIONS = 2;
/** Words of a denial that are compared. */
const MAX_TERMS = 12;

/**
 * Finds what does not go together among what was found: that somebody never did what another line of theirs tells of, as
 * far as it is asked about; and two facts that hold at once of what has one value. Which is right is not for us to say.
 * Pure.
 */
export function findContradictions<T extends Told>(
  found: readonly T[],
  asked: readonly string[],
): Contradiction<T>[] {
  return [...contraryFacts(found), ...denials(found, asked)].slice(0, MAX_CONTRADICTIONS);
}

function contraryFacts<T extends Told>(found: readonly T[]): Contradiction<T>[] {
  const holding = found.filter(({ attribute, validTo }) => isUnchanging(attribute) && validTo === null);
  return holding.flatMap((fact, n) => {
    const other = holding
      .slice(n + 1)
      .find(({ attribute, value }) => attribute === fact.attribute && value !== fact.value);
    return other ? [inTime(fact, other)] : [];
  });
}

function denials<T extends Told>(found: readonly T[], asked: readonly string[]): Contradiction<T>[] {
  const lines = found.map((row) => ({ row, terms: new Set(analyseText(row.text)) }));
  return lines.flatMap(({ row }) => {
    const denied = deniedIn(row.text).find((terms) => shareOf(asked, new Set(terms)) >= MIN_ASKED);
    if (!denied) return [];
    const [other] = lines
      .filter(
        (each) =>
          each.row.id !== row.id &&
          each.row.speaker === row.speaker &&
          shareOf(denied, each.terms) >= MIN_SHARE &&
          !deniedIn(each.row.text).some((terms) => shareOf(denied, new Set(terms)) >= MIN_SHARE),
      )
      .map((each) => ({ ...each, likeness: shareOf(denied, each.terms) }))
      .toSorted((x, y) => y.likeness - x.likeness);
    return other ? [inTime(row, other.row)] : [];
  });
}

function inTime<T extends Told>(one: T, other: T): Contradiction<T> {
  return { sides: one.saidAt <= other.saidAt ? [one, other] : [other, one] };
}

function deniedIn(text: string): string[][] {
  const read = textForRules(text);
  // A clause alone may look like another language.
  const language = languageOf(read);
  return [...read.matchAll(NEVER)].map(([, clause]) =>
    [...new Set(analyseIn(clause!, language))].filter((term) => term !== 'befor').slice(0, MAX_TERMS),
  );
}

function shareOf(wanted: readonly string[], terms: ReadonlySet<string>): number {
  if (wanted.length === 0) return 0;
  return wanted.filter((term) => terms.has(term)).length / wanted.length;
}
