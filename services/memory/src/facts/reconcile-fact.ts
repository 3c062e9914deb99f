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

/**
 * Updates the facts of a person with one more statement. A new value ends the one before it and dates it; the same
 * again strengthens it; what is said late of a time before is put in its place, and ends nothing that was said since;
 * what merely follows from something else ends nothing that was said outright more than twice, and is marked as unsure,
 * so that the companion may ask.
 * Pure: returns the facts that are new or changed, with ids from `newId`.
 */
export function reconcileFact(known: readonly Fact[], said: Said, newId: () => string): Fact[] {
  const ofIt = known.filter(({ attribute }) => attribute === said.attribute).toSorted(byTime);
  const before = ofIt.findLast(({ validFrom }) => validFrom <= said.at);
  const after = ofIt.find(({ validFrom }) => validFrom > said.at);
  // It was said again since, so it holds once more from then on, whatever was true in between.
  const isBack = isHolding(before, said.at) && before.saidAt > said.at && isHolding(before, before.saidAt);
  if (said.value === null) {
    if (isBack) return [];
    if (said.was !== undefined && (!before || !isSame(before.value, said.was))) return [];
    // Nothing was known of it, or it has ended already.
    return isHolding(before, said.at) && before.supersededBy === null
      ? [{ ...before, validTo: said.at }]
      : [];
  }
  if (isUnchanging(said.attribute)) return reconcileUnchanging(ofIt, { ...said, value: said.value }, newId);
  if (isHolding(before, said.at) && isSame(before.value, said.value)) {
    return [strengthened(before, said)];
  }
  if (!isBack && after && isSame(after.value, said.value)) {
    // It was true sooner than we knew.
    return [{ ...strengthened(after, said), validFrom: said.at }, ...endedBy(before, said.at, after.id)];
  }
  if (before?.validTo === null && !endsBy(before, said)) return [];
  if (!said.isSure && (before === undefined || isBack)) return [];
  const back = isBack ? [{ ...before, id: newId(), validFrom: before.saidAt }] : [];
  const [next = after] = back;
  const fact: Fact = {
    ...newFact({ ...said, value: said.value }, newId()),
    validTo: next?.validFrom ?? said.until ?? null,
    supersededBy: next?.id ?? null,
  };
  return [fact, ...endedBy(before, said.at, fact.id), ...back];
}

/** Attributes of which a second value is no change: one of the two was wrong. */
export const UNCHANGING: ReadonlySet<string> = new Set(['birthday', 'origin']);

/** Tells whether what an attribute says of somebody can't change. */
export function isUnchanging(attribute: string | null): boolean {
  return attribute !== null && UNCHANGING.has(attribute);
}

/** Keeps contrary values side by side, until one of them is said again: then the others end. */
function reconcileUnchanging(
  ofIt: readonly Fact[],
  said: Said & { value: string },
  newId: () => string,
): Fact[] {
  const holding = ofIt.filter((fact) => isHolding(fact, said.at));
  const same = holding.find(({ value }) => isSame(value, said.value));
  if (!same) return holding.length > 0 && !said.isSure ? [] : [newFact(said, newId())];
  const told = strengthened(same, said);
  const isTwice = told.evidence > same.evidence;
  const others = holding.filter(({ id, saidAt }) => isTwice && id !== same.id && saidAt <= said.at);
  return [told, ...others.flatMap((other) => endedBy(other, said.at, same.id))];
}

function newFact(said: Said & { value: string }, id: string): Fact {
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
    // Said again, a plan or a mood lasts on.
    validTo: fact.supersededBy === null && said.until ? said.until : fact.validTo,
    holdsUntil: said.until ?? fact.holdsUntil,
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
