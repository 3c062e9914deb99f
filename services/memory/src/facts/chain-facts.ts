import { present, UNCHANGING_ATTRIBUTES } from '@kith/contracts';
import type { Writer } from '@kith/database';
import { endedByContrary, type PlacedFact } from './audience-facts.js';
import { describeFact, nameIn } from './describe-fact.js';
import { factOf } from './fact-records.js';
import { isEndedOutright, isUnchanging } from './reconcile-fact.js';
import { COLUMNS, relationOf, type MemoryRow } from '../rows/memory-row.js';
import type { Pair } from '../rows/memory-scope.js';

/** Facts of one attribute and audience that are linked, the latest first: each is compared with each. */
const MAX_JOINED = 500;

/**
 * Links facts that were stored separately, as by an import: per attribute and audience the latest holds, and each ended
 * one names its successor. Contrary birthdays and origins stay side by side. Returns the changed facts. Pure.
 */
export function chainFacts(facts: readonly PlacedFact[]): PlacedFact[] {
  const changing = facts.filter(({ attribute }) => !isUnchanging(attribute));
  return [...Map.groupBy(changing, ({ attribute, audience }) => `${attribute} ${audience}`).values()].flatMap(
    (alike) => {
      const linked = alike.map((fact) => linkedTo(fact, alike));
      return linked.map((fact) => endedByContrary(fact, linked)).filter((fact, n) => fact !== alike[n]);
    },
  );
}

/**
 * Links an ended fact to the one that began at its end, since an export has no such link. A fact that lasted no time,
 * as one of several values in a line, is no successor: two such would name each other.
 */
function linkedTo(fact: PlacedFact, alike: readonly PlacedFact[]): PlacedFact {
  if (!isEndedOutright(fact)) return fact;
  const next = alike.find(
    ({ validFrom, validTo }) =>
      Number(validFrom) === Number(fact.validTo) && (validTo === null || validTo > validFrom),
  );
  return next ? { ...fact, supersededBy: next.id } : fact;
}

/**
 * Links the stored facts of these attributes, and rewrites the sentences of changed ones, which are to be indexed then.
 * Ignores facts that are withdrawn or in quarantine.
 */
export async function chainStored(
  tx: Writer,
  { personId, companionId }: Pair,
  attributes: readonly string[],
) {
  const rows = await tx.$queryRaw<MemoryRow[]>`
    SELECT ${COLUMNS} FROM (
      SELECT *, row_number() OVER (
        PARTITION BY attribute, audience ORDER BY valid_to IS NULL DESC, valid_from DESC) AS place
      FROM memories
      WHERE person_id = ${personId}::uuid AND companion_id = ${companionId} AND kind = 'fact'
        AND attribute = ANY (${[...attributes]}::text[]) AND attribute <> ALL (${[...UNCHANGING_ATTRIBUTES]}::text[])
        AND shelf IN ('open', 'archive')
    ) AS row
    WHERE row.place <= ${MAX_JOINED}`;
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  const changed = chainFacts(rows.map(factOf)).map((fact) => {
    const row = present(rowOf.get(fact.id));
    const text = describeFact(fact, nameIn(row.text, factOf(row)) ?? row.speaker ?? 'The person');
    return { id: fact.id, text, validTo: fact.validTo, supersededBy: fact.supersededBy };
  });
  if (changed.length === 0) return;
  await tx.$executeRaw`
    UPDATE memories SET text = fact.text, valid_to = fact.valid_to, superseded_by = fact.superseded_by,
      indexed_in = NULL
    FROM ${relationOf(changed).relation} AS fact
    WHERE memories.id = fact.id AND memories.id = ANY (${changed.map(({ id }) => id)}::uuid[])`;
}
