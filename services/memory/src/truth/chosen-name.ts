import type { Tx } from '@kith/database';
import { describeFact, nameIn } from './describe-fact.js';
import { factOf } from './fact-records.js';
import { factsAsHeard, type PlacedFact } from './heard-facts.js';

/**
 * The name a person gave themself, by what was told of it last among facts that are heard together; null where they
 * gave none. It goes before the name of their account. Pure.
 */
export function chosenName(facts: readonly PlacedFact[]): string | null {
  const names = factsAsHeard(facts.filter(({ attribute, isSure }) => attribute === 'name' && isSure));
  const holding = names.filter(({ validTo }) => validTo === null);
  return holding.toSorted((a, b) => a.saidAt.getTime() - b.saidAt.getTime()).at(-1)?.value ?? null;
}

/**
 * Tells a person's facts by the name they chose, or by their account's where that is forgotten. A channel learns no
 * name from a DM. What they worded themself stays as it is.
 */
export async function rewordFacts(tx: Tx, owned: { personId: string; companionId?: string }): Promise<void> {
  const { personId, companionId } = owned;
  const rows = await tx.memory.findMany({
    where: {
      personId,
      ...(companionId !== undefined && { companionId }),
      kind: 'fact',
      attribute: { not: null },
    },
  });
  for (const ofOne of Map.groupBy(rows, (row) => row.companionId).values()) {
    for (const [audience, told] of Map.groupBy(ofOne, (row) => row.audience)) {
      const chosen = chosenName((audience === 'direct' ? ofOne : told).map(factOf));
      for (const row of told) {
        const fact = factOf(row);
        const text = describeFact(fact, chosen ?? row.speaker ?? 'The person');
        if (row.wording !== null || text === row.text || nameIn(row.text, fact) === null) continue;
        await tx.memory.update({
          where: { id: row.id },
          data: { text, indexedIn: null },
          select: { id: true },
        });
      }
    }
  }
}
