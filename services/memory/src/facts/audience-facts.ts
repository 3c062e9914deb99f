import { present } from '@kith/contracts';
import {
  endsBy,
  isEndedOutright,
  isHolding,
  isLasting,
  isSame,
  isUnchanging,
  reconcileFact,
  type Fact,
  type DatedStatement,
} from './reconcile-fact.js';

export interface PlacedFact extends Fact {
  audience: string;
}

/**
 * Ends facts by later ones that were told to another audience, for someone who may hear both, as the person does in
 * their DMs. Facts of one audience ended each other when they were stored. Ends across audiences are computed here and
 * never stored, so that a channel learns nothing of a DM. Pure.
 */
export function factsForAudience<F extends PlacedFact>(facts: readonly F[]): F[] {
  const alike = Map.groupBy(facts, ({ attribute }) => attribute);
  return facts.map((fact) =>
    endedByContrary(
      fact,
      present(alike.get(fact.attribute)).filter(({ audience }) => audience !== fact.audience),
    ),
  );
}

/** Ends a fact at the earliest of the given facts of its attribute that contradicts it. Pure. */
export function endedByContrary<F extends Fact>(fact: F, apart: readonly Fact[]): F {
  const [first] = apart
    .flatMap((told) => endingOf(fact, told) ?? [])
    .toSorted((a, b) => a.at.getTime() - b.at.getTime());
  if (!first || !isHolding(fact, first.at)) return fact;
  return { ...fact, validTo: first.at, supersededBy: first.supersededBy };
}

/** Finds when another fact ended this one; null where it did not, or this one was said again since. */
function endingOf(fact: Fact, told: Fact): (Pick<Fact, 'supersededBy'> & { at: Date }) | null {
  if (isSame(fact.value, told.value)) {
    const { validTo } = told;
    return validTo !== null && isEndedOutright(told) && validTo > fact.saidAt
      ? { at: validTo, supersededBy: null }
      : null;
  }
  // A temporary fact ends no lasting one (`reconcile-fact.ts`).
  if (isLasting(fact) && !isLasting(told)) return null;
  // A contrary birthday or origin counts only once it is said twice (`reconcile-fact.ts`).
  if (isUnchanging(fact.attribute) && told.evidence < 2) return null;
  if (told.saidAt <= fact.saidAt || !endsBy(fact, told)) return null;
  return { at: told.validFrom > fact.saidAt ? told.validFrom : told.saidAt, supersededBy: told.id };
}

/**
 * Plans the changes of a statement told to an audience. Facts of other audiences stay unchanged: where the statement
 * ends one of them, a copy with that end is added for this audience. Pure.
 */
export function noteFact(
  heard: readonly PlacedFact[],
  said: DatedStatement,
  audience: string,
  newId: () => string,
): PlacedFact[] {
  const known = heard.filter(({ attribute }) => attribute === said.attribute);
  const own = known.filter((fact) => fact.audience === audience);
  const elsewhere = known.filter((fact) => fact.audience !== audience);
  // An inferred value, or a change, is stored only where it changes a known fact, of other audiences if this one knows none.
  const base =
    (said.isSure && !said.isChange) || said.value === null || own.length > 0
      ? own
      : factsForAudience(elsewhere);
  const noted = reconcileFact(base, said, newId)
    .filter(({ id }) => !elsewhere.some((fact) => fact.id === id))
    .map((fact) => ({ ...fact, audience }));
  if (said.value !== null) return noted;
  const now = factsForAudience([
    ...noted,
    ...known.filter(({ id }) => !noted.some((fact) => fact.id === id)),
  ]);
  const ended = now.filter(
    (fact) =>
      fact.audience !== audience &&
      (said.was === undefined || isSame(fact.value, said.was)) &&
      endsBy(fact, said) &&
      fact.saidAt < said.at &&
      isHolding(fact, said.at),
  );
  const { at } = said;
  const told = { audience, evidence: 1, saidAt: at, validTo: at, supersededBy: null };
  // The copy has the words of the lines that told the fact: it goes when one of them is forgotten.
  const sourcesOf = (fact: PlacedFact) => [...new Set([...fact.sources, ...said.sources])];
  return [...noted, ...ended.map((fact) => ({ ...fact, ...told, sources: sourcesOf(fact), id: newId() }))];
}
