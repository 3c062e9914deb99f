import { present } from '@kith/contracts';
import { sql, type Reader } from '@kith/database';
import { describeFact, nameIn } from './describe-fact.js';
import { factsForAudience, type PlacedFact } from './audience-facts.js';
import { isHolding, type Fact } from './reconcile-fact.js';
import { contentHashOf } from '../words/content-hash.js';
import { readToldElsewhere } from '../rows/found-rows.js';
import { readAudible } from '../rows/audience-conditions.js';
import type { RecallRow } from '../rows/memory-row.js';
import type { MemoryScope } from '../rows/memory-scope.js';

/** Hashes the identity of a fact. Its sentence is no part of it, since that changes when the fact ends. */
export function factHashOf({ attribute, value, validFrom }: Pick<Fact, 'attribute' | 'value' | 'validFrom'>) {
  return contentHashOf(`${attribute} ${value} ${validFrom.toISOString()}`);
}

/** Reads a row as the fact it keeps. */
export function factOf(row: RecallRow): PlacedFact {
  const { id, isSure, validTo, supersededBy, sources, evidence, saidAt, wording, holdsUntil, importance } =
    row;
  return {
    id,
    isSure,
    validTo,
    supersededBy,
    sources,
    evidence,
    saidAt,
    wording,
    holdsUntil,
    importance,
    audience: row.audience,
    attribute: present(row.attribute),
    value: row.value ?? '',
    validFrom: row.validFrom ?? saidAt,
  };
}

/** Rewrites facts for an audience: one that holds where it was told may be over for someone who may hear more. */
export async function rowsForAudience<Row extends RecallRow>(
  reader: Reader,
  scope: Omit<MemoryScope, 'companionId'>,
  rows: Row[],
): Promise<Row[]> {
  // A channel hears only its own facts, which are up to date.
  if (scope.audience !== 'direct') return rows;
  const facts = rows.filter(({ attribute, kind }) => attribute !== null && kind === 'fact');
  if (facts.length === 0) return rows;
  // Only facts of other audiences can end these: those of the same audience did so when they were stored.
  const told = new Map(facts.map((row) => [`${row.attribute} ${row.audience}`, row]));
  const elsewhere = await readToldElsewhere(reader, scope.personId, [...told.values()]);
  return adaptFacts(rows, [
    ...new Map<string, RecallRow>([...facts, ...elsewhere].map((row) => [row.id, row])).values(),
  ]);
}

/** Reads current and former facts of these attributes that a scope may hear. */
export async function readHistory(
  reader: Reader,
  scope: MemoryScope,
  attributes: readonly string[],
): Promise<RecallRow[]> {
  const ofThese = sql`row.attribute = ANY (${[...attributes]}::text[]) AND row.kind = 'fact'
    ORDER BY row.valid_from DESC LIMIT ${MAX_HISTORY}`;
  return rowsForAudience(reader, scope, await readAudible(reader, scope, ofThese));
}

/** Wishes and preferences considered for a prompt, the newest: more than anybody has. */
const MAX_WISHES = 200;

/** Reads the current wishes and preferences that a scope may hear. */
export async function readWishRows(reader: Reader, scope: MemoryScope, now: Date): Promise<RecallRow[]> {
  const ofAnswers = sql`row.attribute IS NOT NULL
    AND (row.attribute LIKE 'wish:%' OR row.attribute LIKE 'prefers:%')
    AND row.kind = 'fact' AND (row.valid_to IS NULL OR row.valid_to > ${now})
    ORDER BY row.said_at DESC LIMIT ${MAX_WISHES}`;
  const heard = await rowsForAudience(reader, scope, await readAudible(reader, scope, ofAnswers));
  return heard.filter((row) => isHolding(row, now));
}

/** Facts of a history in a prompt, the latest: some 400 tokens. */
const MAX_HISTORY = 20;

/** Rewrites the rows of facts that another of the given facts ends. Pure. */
function adaptFacts<Row extends RecallRow>(rows: Row[], facts: readonly RecallRow[]): Row[] {
  const heard = new Map(
    [...Map.groupBy(facts, ({ companionId }) => companionId).values()]
      .flatMap((own) => factsForAudience(own.map(factOf)))
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
