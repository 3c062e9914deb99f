import { UNCHANGING_ATTRIBUTES } from '@kith/contracts';
import type { Statement } from './statement.js';

/** A fact as it is kept: true from one time on, until another. */
export interface Fact {
  id: string;
  attribute: string;
  value: string;
  isSure: boolean;
  validFrom: Date;
  validTo: Date | null;
  supersededBy: string | null;
  /** The messages that say so. */
  sources: string[];
  /** Count of the messages that said it. */
  evidence: number;
  /** Time at which it was said last. */
  saidAt: Date;
  /** Time at which it is over by itself, as plans are; null for what holds until something ends it. */
  holdsUntil: Date | null;
  /** The sentence it is told in; null for ours. */
  wording: string | null;
  /** 1 to 10; null for the usual. */
  importance: number | null;
}

/** A statement with when it was said and where it comes from. */
export interface Said extends Statement {
  at: Date;
  sources: string[];
}

/** A statement of what holds. */
type Told = Said & { value: string };

/**
 * Updates the facts of a person with one more statement. A new value ends the one before it and dates it; the same
 * again strengthens it; what holds for a while ends nothing that lasts, which holds beneath it and after it; what is said
 * late of a time before is put in its place, and ends nothing that was said since; what merely follows from something
 * else ends nothing that was said outright more than twice, and is marked as unsure, so that the companion may ask.
 * Pure: returns the facts that are new or changed, with ids from `newId`.
 */
export function reconcileFact(known: readonly Fact[], said: Said, newId: () => string): Fact[] {
  const ofIt = known.filter(({ attribute }) => attribute === said.attribute).toSorted(byTime);
  const { value, was, at } = said;
  if (value === null)
    return holdingAt(ofIt, at)
      .filter((fact) => fact.supersededBy === null && fact.saidAt <= at)
      .filter((fact) => was === undefined || isSame(fact.value, was))
      .map((fact) => ({ ...fact, validTo: at }));
  const reconcile = isUnchanging(said.attribute) ? reconcileUnchanging : reconcileChanging;
  return reconcile(ofIt, { ...said, value }, newId);
}

/** Keeps one value that lasts at a time, and one that holds for a while. */
function reconcileChanging(ofIt: readonly Fact[], said: Told, newId: () => string): Fact[] {
  const { at, until } = said;
  const holding = holdingAt(ofIt, at);
  const alike = holding.filter(({ value }) => isSame(value, said.value));
  const same = alike.find(isLasting) ?? alike[0];
  const others = holding.filter((fact) => !alike.includes(fact));
  if (!said.isSure && !same && isDoubtful(ofIt, others, said)) return [];
  if (!said.isSure && same && (isLasting(same) || until === undefined)) return [strengthened(same, said)];
  const isLikeSaid = (fact: Fact) => isLasting(fact) === (until === undefined);
  // What lasts is over with what lasts from now on alone; what holds for a while, with all that is said later.
  const ended = others.filter((fact) => isLikeSaid(fact) || (until === undefined && fact.saidAt <= at));
  if (same && isLasting(same)) {
    const before = ended.filter(({ saidAt }) => saidAt <= at);
    return [strengthened(same, said), ...before.flatMap((fact) => endedBy(fact, at, same.id))];
  }
  const since = others.filter((fact) => isSaidSince(fact, at) && (isLikeSaid(fact) || until !== undefined));
  const next = ofIt.find((fact) => fact.validFrom > at && (isLikeSaid(fact) || until !== undefined));
  if (!same && since.length === 0 && next && beganAt(next, said)) {
    const sooner = { ...strengthened(next, said), validFrom: at };
    return [sooner, ...ended.flatMap((fact) => endedBy(fact, at, next.id))];
  }
  const again = since.map((fact) => ({ ...fact, validFrom: fact.saidAt }));
  // What was ended holds once more from when it was said again, as a fact of its own.
  const back = again.filter(isLikeSaid).map((fact) => ({ ...fact, id: newId() }));
  const beneath = again.filter((fact) => !isLikeSaid(fact));
  const times = endOf(until, [...(next ? [next] : []), ...back, ...beneath]);
  const fact = same ? lastingOn(same, said, times) : { ...newFact(said, newId()), ...times };
  return [fact, ...ended.flatMap((other) => endedBy(other, at, fact.id)), ...back];
}

/** Tells whether what a later fact says was true since this statement, without a break. */
function beganAt(next: Fact, { value, until }: Told): boolean {
  return isSame(next.value, value) && (until === undefined || until >= next.validFrom);
}

/** Ends a statement with the first of what comes after it, or when it is over by itself. */
function endOf(until: Date | undefined, after: readonly Fact[]): Pick<Fact, 'validTo' | 'supersededBy'> {
  const [first] = after.toSorted(byTime);
  return first && !(until && until < first.validFrom)
    ? { validTo: first.validFrom, supersededBy: first.id }
    : { validTo: until ?? null, supersededBy: null };
}

/** Tells whether an inference is no news: nothing was known, or what it speaks against is well known or was said since. */
function isDoubtful(ofIt: readonly Fact[], others: readonly Fact[], said: Told): boolean {
  if (!ofIt.some(({ validFrom }) => validFrom <= said.at)) return true;
  return others.some((fact) => isSaidSince(fact, said.at) || (fact.validTo === null && !endsBy(fact, said)));
}

/** Strengthens what holds for a while: it holds longer, or lasts from now on, unless something had ended it. */
function lastingOn(fact: Fact, said: Told, times: Pick<Fact, 'validTo' | 'supersededBy'>): Fact {
  const told = strengthened(fact, said);
  if (isEndedOutright(fact)) return told;
  if (said.until === undefined)
    return { ...told, ...times, holdsUntil: null, wording: said.wording ?? fact.wording };
  const isLast = fact.supersededBy === null && fact.saidAt <= said.at;
  return isLast ? { ...told, ...times, holdsUntil: said.until } : told;
}

/** Tells whether a fact holds until something ends it, and not for a while, as plans and moods do. */
export function isLasting({ holdsUntil }: Pick<Fact, 'holdsUntil'>): boolean {
  return holdsUntil === null;
}

/** Tells whether it was said that a fact holds no longer, and not what holds instead. */
export function isEndedOutright({ validTo, supersededBy, holdsUntil }: Fact): boolean {
  return validTo !== null && supersededBy === null && validTo.getTime() !== holdsUntil?.getTime();
}

function isSaidSince(fact: Fact, at: Date): boolean {
  return fact.saidAt > at && isHolding(fact, fact.saidAt);
}

function holdingAt(ofIt: readonly Fact[], at: Date): Fact[] {
  return ofIt.filter((fact) => fact.validFrom <= at && isHolding(fact, at));
}

/** Tells whether what an attribute says of somebody can't change. */
export function isUnchanging(attribute: string | null): boolean {
  return attribute !== null && UNCHANGING_ATTRIBUTES.has(attribute);
}

/** Keeps contrary values side by side, until one of them is said again: then the others end. */
function reconcileUnchanging(ofIt: readonly Fact[], said: Told, newId: () => string): Fact[] {
  const holding = ofIt.filter((fact) => isHolding(fact, said.at));
  const same = holding.find(({ value }) => isSame(value, said.value));
  if (!same) return holding.length > 0 && !said.isSure ? [] : [newFact(said, newId())];
  const told = strengthened(same, said);
  const isTwice = told.evidence > same.evidence;
  const others = holding.filter(({ id, saidAt }) => isTwice && id !== same.id && saidAt <= said.at);
  return [told, ...others.flatMap((other) => endedBy(other, said.at, same.id))];
}

function newFact(said: Told, id: string): Fact {
  return {
    ...{ id, attribute: said.attribute, value: said.value, isSure: said.isSure },
    ...{ validFrom: said.at, validTo: said.until ?? null, supersededBy: null },
    ...{ sources: said.sources, evidence: 1, saidAt: said.at, holdsUntil: said.until ?? null },
    ...{ wording: said.wording ?? null, importance: said.importance ?? null },
  };
}

/** Messages up to which an inference may end a fact; one that was said more often is well known. */
const MAX_SURE = 2;

/** Tells whether a statement can end a fact: one that is inferred does not end what is well known. */
export function endsBy({ isSure, evidence }: Fact, told: Pick<Fact, 'isSure'>): boolean {
  return told.isSure || !isSure || evidence <= MAX_SURE;
}

/** Strengthens a fact by a message that was not counted yet: one may be read again. */
function strengthened(fact: Fact, said: Said): Fact {
  const isNew = said.sources.some((source) => !fact.sources.includes(source));
  return {
    ...fact,
    isSure: fact.isSure || said.isSure,
    evidence: fact.evidence + (isNew ? 1 : 0),
    saidAt: fact.saidAt > said.at ? fact.saidAt : said.at,
    sources: [...new Set([...fact.sources, ...said.sources])],
  };
}

/** Tells whether a fact is there, and holds beyond a time. */
export function isHolding<F extends Pick<Fact, 'validTo'>>(fact: F | undefined, at: Date): fact is F {
  return fact !== undefined && (fact.validTo === null || fact.validTo > at);
}

/** Ends a fact that holds. Of what was said again later, all that is known of the time before is when it began. */
function endedBy(before: Fact | undefined, at: Date, by: string): Fact[] {
  if (!isHolding(before, at)) return [];
  const saidAt = before.saidAt > at ? before.validFrom : before.saidAt;
  return [{ ...before, validTo: at, supersededBy: by, saidAt }];
}

/** Tells whether two values are the same, in whichever case. */
export function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function byTime(a: Fact, b: Fact): number {
  return a.validFrom.getTime() - b.validFrom.getTime();
}
