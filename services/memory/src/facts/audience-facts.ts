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
  type Said,
} from './reconcile-fact.js';

/** A fact with whom it was told to. */
export interface PlacedFact extends Fact {
  audience: string;
}

type Ending = Pick<Fact, 'supersededBy'> & { at: Date };

/**
 * Settles facts that were told before several audiences, for who hears them all, as a person does in their DMs. Facts
 * of one audience ended each other when they were told. Across audiences nothing is stored, so that a channel learns
 * nothing of a DM: what was told last holds, here alone. Pure; facts of one audience stay as they are.
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

/** Ends a fact with the first of facts of its attribute, kept apart from it, that speaks against it. Pure. */
export function endedByContrary<F extends Fact>(fact: F, apart: readonly Fact[]): F {
  const [first] = apart
    .flatMap((told) => endingOf(fact, told) ?? [])
    .toSorted((a, b) => a.at.getTime() - b.at.getTime());
  if (!first || !isHolding(fact, first.at)) return fact;
  return { ...fact, validTo: first.at, supersededBy: first.supersededBy };
}

/** Finds when a statement that was kept apart ended a fact; null where none did, or it was told again since. */
function endingOf(fact: Fact, told: Fact): Ending | null {
  if (isSame(fact.value, told.value)) {
    const { validTo } = told;
    return validTo !== null && isEndedOutright(told) && validTo > fact.saidAt
      ? { at: validTo, supersededBy: null }
      : null;
  }
  // What holds for a while ends nothing that lasts (`reconcile-fact.ts`).
  if (isLasting(fact) && !isLasting(told)) return null;
  // Of what can't change, a second value ends none before it is said again (`reconcile-fact.ts`).
  if (isUnchanging(fact.attribute) && told.evidence < 2) return null;
  if (told.saidAt <= fact.saidAt || !endsBy(fact, told)) return null;
  return { at: told.validFrom > fact.saidAt ? told.validFrom : told.saidAt, supersededBy: told.id };
}

/**
 * Plans the changes of a statement told before an audience. Facts that were told before others stay as they are: the
 * end of one of them is noted as a fact of this audience. Pure.
 */
export function noteFact(
  heard: readonly PlacedFact[],
  said: Said,
  audience: string,
  newId: () => string,
): PlacedFact[] {
  const known = heard.filter(({ attribute }) => attribute === said.attribute);
  const own = known.filter((fact) => fact.audience === audience);
  const elsewhere = known.filter((fact) => fact.audience !== audience);
  // What is only inferred is noted where it changes something, before whichever audience that was told.
  const base = said.isSure || said.value === null || own.length > 0 ? own : factsForAudience(elsewhere);
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
      fact.saidAt < said.at &&
      isHolding(fact, said.at),
  );
  const { sources, at } = said;
  const told = { audience, sources, evidence: 1, saidAt: at, validTo: at, supersededBy: null };
  return [...noted, ...ended.map((fact) => ({ ...fact, ...told, id: newId() }))];
}
