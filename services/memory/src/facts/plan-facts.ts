import { uuid7 } from '@kith/database';
import { present } from '@kith/contracts';
import { scoreImportance } from '../words/score-importance.js';
import { chosenName } from './chosen-name.js';
import { isPutRight } from './corrected-fact.js';
import { describeFact } from './describe-fact.js';
import type { Statement } from './statement.js';
import { factOf } from './fact-records.js';
import { noteFact, type PlacedFact } from './audience-facts.js';
import { withdrawnWishes } from './withdrawn-wishes.js';
import type { MemoryRow } from '../rows/memory-row.js';

/** Strength of a feeling that a line shows. */
export type FeltStrength = { intensity: number; pleasure: number };

/** A line as it is read for facts. */
export type SaidLine = Pick<
  MemoryRow,
  'id' | 'text' | 'saidAt' | 'sources' | 'speaker' | 'turnId' | 'audience'
>;

/** A fact to store, and whether it is a row already. */
export interface FactToStore {
  fact: PlacedFact;
  text: string;
  isThere: boolean;
}

export interface FactPlan {
  facts: FactToStore[];
  /** The name of whoever said it, by their account. */
  speaker: string | null;
  /** True where the person changed the name they go by. */
  isRenamed: boolean;
}

/** Importance goes from 1 to 10. */
const MAX_IMPORTANCE = 10;
/** Least importance of a fact: it matters more than most of what they say. */
export const MIN_FACT_IMPORTANCE = 6;
/** Points of importance that the strongest feeling adds: less than what turns a life (`score-importance.ts`). */
const MAX_FELT = 2;

/**
 * Plans the changes to facts by lines told to an audience. A fact stays with its audience: a DM ends no fact of a
 * channel (`audience-facts.ts`). Pure.
 * @param rows facts that this audience may hear
 */
export function planFacts(
  audience: string,
  rows: readonly MemoryRow[],
  told: readonly SaidLine[],
  statementsOf: (line: SaidLine) => readonly Statement[],
): FactPlan {
  const known = new Map(rows.map((row) => [row.id, factOf(row)]));
  const changed = new Set<string>();
  let speaker = rows[0]?.speaker ?? null;
  for (const line of told) {
    speaker = line.speaker ?? speaker;
    const statements = statementsOf(line).flatMap((each) => withdrawnWishes([...known.values()], each));
    for (const statement of statements) {
      const sources = statement.isAnswer ? line.sources.slice(-1) : line.sources;
      const importance = factImportance(statement, line.text);
      const said = { ...statement, importance, at: line.saidAt, sources };
      if (rows.some((row) => isPutRight(row, said))) continue;
      for (const fact of noteFact([...known.values()], said, audience, uuid7)) {
        known.set(fact.id, fact);
        changed.add(fact.id);
      }
    }
  }
  const there = new Set(rows.map(({ id }) => id));
  const called = chosenName([...known.values()])?.value ?? speaker ?? 'The person';
  const facts = [...changed].map((id) => {
    const fact = present(known.get(id));
    return { fact, text: describeFact(fact, called), isThere: there.has(id) };
  });
  return { facts, speaker, isRenamed: facts.some(({ fact }) => fact.attribute === 'name') };
}

/** Scores a fact: as a model judged it, else as the line it was told in, and never as small talk. */
export function factImportance({ importance }: Pick<Statement, 'importance'>, line: string): number {
  return importance ?? Math.max(MIN_FACT_IMPORTANCE, scoreImportance(line));
}

/**
 * Scores a line: as a model judged it, else by its words, plus a share for what was felt. Null where nothing new is
 * known.
 */
export function weigh(
  { text, turnId }: Pick<SaidLine, 'text' | 'turnId'>,
  judged: number | null,
  felt: ReadonlyMap<string, FeltStrength>,
): number | null {
  const intensity = felt.get(turnId ?? '')?.intensity;
  if (intensity === undefined) return judged;
  return Math.min(MAX_IMPORTANCE, (judged ?? scoreImportance(text)) + MAX_FELT * intensity);
}
