import type { Reader } from '@kith/database';
import { contentHashOf } from '../remembering/plan-remembering.js';
import { readFacts, type MemoryRow } from '../storage/memory-records.js';
import type { IndexScope } from '../storage/vector-index.js';
import { describeFact, nameIn } from './describe-fact.js';
import { factsAsHeard, type PlacedFact } from './heard-facts.js';
import type { Fact } from './reconcile-facts.js';

/** What makes two facts the same: not their words, which change when one ends. */
export function factHashOf({
  attribute,
  value,
  validFrom,
}: Pick<Fact, 'attribute' | 'value' | 'validFrom'>): string {
  return contentHashOf(`${attribute} ${value} ${validFrom.toISOString()}`);
}

/** A row as the fact it keeps. */
export function factOf(row: MemoryRow): PlacedFact {
  const { id, isSure, validTo, supersededBy, sources, evidence, saidAt, wording, holdsUntil, importance } =
    row;
  return {
    ...{ id, isSure, validTo, supersededBy, sources, evidence, saidAt, wording, holdsUntil, importance },
    audience: row.audience,
    attribute: row.attribute!,
    value: row.value ?? '',
    validFrom: row.validFrom ?? saidAt,
  };
}

/** Rows as this audience hears them: facts that hold where they were told, and for who hears more no longer, say so. */
export async function readAsHeard(
  reader: Reader,
  scope: Omit<IndexScope, 'companionId'>,
  rows: MemoryRow[],
): Promise<MemoryRow[]> {
  // A channel hears what was told there alone.
  if (scope.audience !== 'direct') return rows;
  const attributes = new Set(rows.flatMap(({ attribute }) => attribute ?? []));
  if (attributes.size === 0) return rows;
  const facts = await readFacts(reader, scope.personId, [...attributes]);
  return rowsAsHeard(rows, facts);
}

/** The same among rows that are all the facts there are of their attributes. */
export function rowsAsHeard(rows: MemoryRow[], facts: readonly MemoryRow[]): MemoryRow[] {
  const heard = new Map(
    [...Map.groupBy(facts, ({ companionId }) => companionId).values()]
      .flatMap((own) => factsAsHeard(own.map(factOf)))
      .map((fact) => [fact.id, fact]),
  );
  return rows.map((row) => {
    const fact = heard.get(row.id);
    if (!fact || fact.validTo?.getTime() === row.validTo?.getTime()) return row;
    const { validTo, supersededBy } = fact;
    const name = nameIn(row.text, factOf(row)) ?? row.speaker ?? 'The person';
    return { ...row, validTo, supersededBy, text: describeFact(fact, name) };
  });
}
