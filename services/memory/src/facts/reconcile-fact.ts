import { UNCHANGING_ATTRIBUTES } from '@kith/contracts';
import type { MemoryRow } from '../rows/memory-row.js';
import { denies } from './fact-value.js';
import type { Statement } from './statement.js';

/** Columns of a fact as the table has them; `saidAt` is when it was said last. */
type FactColumns = Pick<
  MemoryRow,
  'id' | 'isSure' | 'validTo' | 'supersededBy' | 'sources' | 'evidence' | 'saidAt'
>;

/** A fact as it is stored: true from one time on, until another. */
export interface Fact extends FactColumns, Pick<MemoryRow, 'holdsUntil' | 'wording'> {
  attribute: string;
  value: string;
  validFrom: Date;
  /** 1 to 10; null for the usual. */
  importance: number | null;
}

/** A statement with when it was said and where it comes from. */
export interface DatedStatement extends Statement {
  at: Date;
  sources: string[];
}

/** A statement that something holds, unlike one that only ends a value. */
type ValueStatement = DatedStatement & { value: string };

/**
 * Adds one statement to a person's facts. Returns new and changed facts. Pure. Rules:
 * - a new value ends the value before it, and dates that end;
 * - an end without a value ends no denial: "I quit smoking" leaves "does not smoke";
 * - the same value again strengthens the fact;
 * - a temporary value ends no lasting one, which holds again after it;
 * - a statement about an earlier time takes its place there, and ends nothing that was said since;
 * - an inferred value ends no fact that was stated more than twice, and is marked as unsure, so that the companion may
 *   ask.
 * @param newId makes the ids of new facts
 */
export function reconcileFact(known: readonly Fact[], said: DatedStatement, newId: () => string): Fact[] {
  const ofIt = known.filter(({ attribute }) => attribute === said.attribute).toSorted(byTime);
  const { value, was, at } = said;
  const isOf = (fact: Fact) => was === undefined || isSame(fact.value, was);
  if (value === null)
    return holdingAt(ofIt, at)
      .filter((fact) => fact.supersededBy === null && fact.saidAt <= at)
      .filter((fact) => endsBy(fact, said) && isOf(fact) && (was !== undefined || !denies(fact.value)))
      .map((fact) => ({ ...fact, validTo: at }));
  if (said.isChange && !holdingAt(ofIt, at).some(isOf)) return [];
  const reconcile = isUnchanging(said.attribute) ? reconcileUnchanging : reconcileChanging;
  return reconcile(ofIt, { ...said, value }, newId);
}

/** Reconciles an attribute that may change: at any time it has one lasting and one temporary value. */
function reconcileChanging(ofIt: readonly Fact[], said: ValueStatement, newId: () => string): Fact[] {
  const { at, until } = said;
  const holding = holdingAt(ofIt, at);
  const alike = holding.filter(({ value }) => isSame(value, said.value));
  const same = alike.find(isLasting) ?? alike[0];
  const others = holding.filter((fact) => !alike.includes(fact));
  if (!said.isSure && !same && isDoubtful(ofIt, others, said)) return [];
  if (!said.isSure && same && (isLasting(same) || until === undefined)) return [strengthened(same, said)];
  const isLikeSaid = (fact: Fact) => isLasting(fact) === (until === undefined);
  // A lasting fact is ended by a lasting statement only, a temporary one by any later statement.
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
  // The statement is older than the last mention of these: from that mention they hold again, as facts of their own.
  const back = again.filter(isLikeSaid).map((fact) => ({ ...fact, id: newId() }));
  const beneath = again.filter((fact) => !isLikeSaid(fact));
  const times = endOf(until, [...(next ? [next] : []), ...back, ...beneath]);
  const fact = same ? lastingOn(same, said, times) : { ...newFact(said, newId()), ...times };
  return [fact, ...ended.flatMap((other) => endedBy(other, at, fact.id)), ...back];
}

/** Tells whether a later fact has the same value, without a gap after this statement. */
function beganAt(next: Fact, { value, until }: ValueStatement): boolean {
  return isSame(next.value, value) && (until === undefined || until >= next.validFrom);
}

/** Ends a statement at its own end, or where the next fact begins if that is sooner. */
function endOf(until: Date | undefined, after: readonly Fact[]): Pick<Fact, 'validTo' | 'supersededBy'> {
  const [first] = after.toSorted(byTime);
  return first && !(until && until < first.validFrom)
    ? { validTo: first.validFrom, supersededBy: first.id }
    : { validTo: until ?? null, supersededBy: null };
}

/**
 * Tells whether an inferred value is dropped: nothing was known before, or it contradicts a fact that is well known or
 * was said since.
 */
function isDoubtful(ofIt: readonly Fact[], others: readonly Fact[], said: ValueStatement): boolean {
  if (!ofIt.some(({ validFrom }) => validFrom <= said.at)) return true;
  return others.some((fact) => isSaidSince(fact, said.at) || (fact.validTo === null && !endsBy(fact, said)));
}

/** Strengthens a temporary fact: it is extended, or made lasting, unless something had ended it. */
function lastingOn(fact: Fact, said: ValueStatement, times: Pick<Fact, 'validTo' | 'supersededBy'>): Fact {
  const told = strengthened(fact, said);
  if (isEndedOutright(fact)) return told;
  if (said.until === undefined)
    return { ...told, ...times, holdsUntil: null, wording: said.wording ?? fact.wording };
  const isLast = fact.supersededBy === null && fact.saidAt <= said.at;
  return isLast ? { ...told, ...times, holdsUntil: said.until } : told;
}

/** Tells whether a fact holds until something ends it, unlike plans and moods. */
export function isLasting({ holdsUntil }: Pick<Fact, 'holdsUntil'>): boolean {
  return holdsUntil === null;
}

/** Tells whether a fact was ended without a successor: "I don't live there any more". */
export function isEndedOutright({ validTo, supersededBy, holdsUntil }: Fact): boolean {
  return validTo !== null && supersededBy === null && validTo.getTime() !== holdsUntil?.getTime();
}

function isSaidSince(fact: Fact, at: Date): boolean {
  return fact.saidAt > at && isHolding(fact, fact.saidAt);
}

function holdingAt(ofIt: readonly Fact[], at: Date): Fact[] {
  return ofIt.filter((fact) => fact.validFrom <= at && isHolding(fact, at));
}

/** Tells whether an attribute never changes. */
export function isUnchanging(attribute: string | null): boolean {
  return attribute !== null && UNCHANGING_ATTRIBUTES.has(attribute);
}

/**
 * Reconciles an attribute that never changes: contrary values stay side by side until one is said again, which ends the
 * others.
 */
function reconcileUnchanging(ofIt: readonly Fact[], said: ValueStatement, newId: () => string): Fact[] {
  const holding = ofIt.filter((fact) => isHolding(fact, said.at));
  const same = holding.find(({ value }) => isSame(value, said.value));
  if (!same) return holding.length > 0 && !said.isSure ? [] : [newFact(said, newId())];
  const told = strengthened(same, said);
  const isTwice = told.evidence > same.evidence;
  const others = holding.filter(({ id, saidAt }) => isTwice && id !== same.id && saidAt <= said.at);
  return [told, ...others.flatMap((other) => endedBy(other, said.at, same.id))];
}

function newFact(said: ValueStatement, id: string): Fact {
  return {
    id,
    attribute: said.attribute,
    value: said.value,
    isSure: said.isSure,
    validFrom: said.at,
    validTo: said.until ?? null,
    supersededBy: null,
    sources: said.sources,
    evidence: 1,
    saidAt: said.at,
    holdsUntil: said.until ?? null,
    wording: said.wording ?? null,
    importance: said.importance ?? null,
  };
}

/** Mentions of a stated fact up to which an inference may end it; beyond, it is well known. */
const MAX_SURE = 2;

/** Tells whether a statement may end a fact: an inferred one does not end a well-known one. */
export function endsBy({ isSure, evidence }: Fact, told: Pick<Fact, 'isSure'>): boolean {
  return told.isSure || !isSure || evidence <= MAX_SURE;
}

/** Strengthens a fact by a message. A message that is read again counts once. */
function strengthened(fact: Fact, said: DatedStatement): Fact {
  const isNew = said.sources.some((source) => !fact.sources.includes(source));
  return {
    ...fact,
    isSure: fact.isSure || said.isSure,
    evidence: fact.evidence + (isNew ? 1 : 0),
    saidAt: fact.saidAt > said.at ? fact.saidAt : said.at,
    sources: [...new Set([...fact.sources, ...said.sources])],
  };
}

/** Tells whether there is a fact and it holds after a time. */
export function isHolding<F extends Pick<Fact, 'validTo'>>(fact: F | undefined, at: Date): fact is F {
  return fact !== undefined && (fact.validTo === null || fact.validTo > at);
}

/**
 * Ends a fact that holds. If it was said again after that end, its last mention before is unknown, and its beginning is
 * used.
 */
function endedBy(before: Fact | undefined, at: Date, by: string): Fact[] {
  if (!isHolding(before, at)) return [];
  const saidAt = before.saidAt > at ? before.validFrom : before.saidAt;
  return [{ ...before, validTo: at, supersededBy: by, saidAt }];
}

/** Tells whether two values are equal, ignoring case. */
export function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function byTime(a: Fact, b: Fact): number {
  return a.validFrom.getTime() - b.validFrom.getTime();
}
