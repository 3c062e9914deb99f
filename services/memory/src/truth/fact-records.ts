import { contentHashOf } from '../remembering/plan-remembering.js';
import type { MemoryRow } from '../storage/memory-records.js';
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
export function factOf(row: MemoryRow): Fact {
  const { id, isSure, validTo, supersededBy, sources, evidence, saidAt, wording, holdsUntil, importance } =
    row;
  return {
    ...{ id, isSure, validTo, supersededBy, sources, evidence, wording, holdsUntil, importance },
    attribute: row.attribute!,
    value: row.value ?? '',
    validFrom: row.validFrom ?? saidAt,
  };
}
