import { poolTerms, sparseVector } from './bm25.js';
import { neighboursOf } from './neighbours.js';
import type { IndexPoint } from './vector-index.js';

/** A point as far as others near it need it. */
export type ContextPoint = Pick<
  IndexPoint,
  'id' | 'personId' | 'companionId' | 'audience' | 'conversation' | 'saidAt' | 'terms'
>;

/** The other points that any of the lenders stands beside: what they weigh changes as a lender comes or goes. */
export function borrowersOf(points: readonly ContextPoint[], lenders: ReadonlySet<string>): Set<string> {
  const borrowers = new Set<string>();
  for (const own of scopesOf(points)) {
    for (const [id, near] of neighboursOf(own)) {
      if (!lenders.has(id) && near.some(({ of }) => lenders.has(of.id))) borrowers.add(id);
    }
  }
  return borrowers;
}

/**
 * The sparse vectors of the wanted ones of these points, by id, each with the terms of its neighbours that are heard
 * wherever it is.
 */
export function weighTogether(
  points: readonly ContextPoint[],
  wanted: ReadonlySet<string>,
): Map<string, ReturnType<typeof sparseVector>> {
  const weights = new Map<string, ReturnType<typeof sparseVector>>();
  for (const own of scopesOf(points)) {
    const near = neighboursOf(own);
    for (const { id, terms } of own) {
      if (!wanted.has(id)) continue;
      const lent = (near.get(id) ?? []).map(({ of, share }) => ({ terms: of.terms, share }));
      weights.set(id, sparseVector(poolTerms(terms, lent), terms.length));
    }
  }
  return weights;
}

/** Nobody lends words across people, companions or audiences. */
function scopesOf(points: readonly ContextPoint[]): Iterable<ContextPoint[]> {
  return Map.groupBy(
    points,
    ({ personId, companionId, audience }) => `${personId} ${companionId} ${audience}`,
  ).values();
}
