import type { Writer } from '@kith/database';
import { describeFact, nameIn } from './describe-fact.js';
import { factOf } from './fact-records.js';
import { factsForAudience, type PlacedFact } from './audience-facts.js';
import { IS_LEFT } from '../rows/audience-conditions.js';
import { COLUMNS, type MemoryRow } from '../rows/memory-row.js';
import type { Owner } from '../rows/memory-scope.js';

/** Finds the name a person last chose, among facts that may be heard together: it replaces their account's. Pure. */
export function chosenName(facts: readonly PlacedFact[]): PlacedFact | null {
  const names = factsForAudience(facts.filter(({ attribute, isSure }) => attribute === 'name' && isSure));
  const holding = names.filter(({ validTo }) => validTo === null);
  return holding.toSorted((a, b) => a.saidAt.getTime() - b.saidAt.getTime()).at(-1) ?? null;
}

/**
 * Rewrites the sentences of a person's facts with the name they chose, or with their account's once that is forgotten.
 * A channel learns no name from a DM, and a DM none from a server that was left. Facts in the person's own wording stay
 * as they are.
 */
export async function rewordFacts(tx: Writer, owned: Owner): Promise<void> {
  await saveTexts(tx, reworded(await readToReword(tx, owned)));
}

/** A fact, and whether it was told in a place that the app has left. */
export type KnownFact = MemoryRow & { isLeft: boolean };

/** Reads a person's facts that may contain their name. */
export function readToReword(tx: Writer, { personId, companionId }: Owner): Promise<KnownFact[]> {
  return tx.$queryRaw<KnownFact[]>`
    SELECT ${COLUMNS}, ${IS_LEFT} AS "isLeft" FROM memories AS row
    WHERE person_id = ${personId}::uuid AND companion_id = coalesce(${companionId ?? null}, companion_id)
      AND kind = 'fact' AND attribute IS NOT NULL`;
}

/** Finds facts whose sentence changes with the name, with the new sentences. Pure. */
export function reworded(rows: readonly KnownFact[]): { id: string; text: string }[] {
  return [...Map.groupBy(rows, ({ companionId }) => companionId).values()].flatMap((ofOne) =>
    [...Map.groupBy(ofOne, ({ audience }) => audience)].flatMap(([audience, told]) => {
      const heard = audience === 'direct' ? ofOne.filter(({ isLeft }) => !isLeft) : told;
      const kept = heard.filter(({ shelf }) => shelf !== 'withdrawn' && shelf !== 'quarantine');
      const chosen = chosenName(kept.map(factOf));
      return told.flatMap((row) => {
        const fact = factOf(row);
        const text = describeFact(fact, chosen?.value ?? row.speaker ?? 'The person');
        const isSame = row.wording !== null || text === row.text || nameIn(row.text, fact) === null;
        return isSame ? [] : { id: row.id, text };
      });
    }),
  );
}

/** Saves new sentences of facts, and marks the rows to be indexed again. */
export async function saveTexts(tx: Writer, texts: readonly { id: string; text: string }[]): Promise<void> {
  if (texts.length === 0) return;
  await tx.$executeRaw`
    UPDATE memories SET text = new.text, indexed_in = NULL
    FROM unnest(${texts.map(({ id }) => id)}::uuid[], ${texts.map(({ text }) => text)}::text[]) AS new (id, text)
    WHERE memories.id = new.id`;
}
