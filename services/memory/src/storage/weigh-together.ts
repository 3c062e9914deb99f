import { poolTerms, sparseVector } from './bm25.js';
import { neighboursOf } from './neighbours.js';
import type { IndexPoint } from './vector-index.js';

/** A point as far as others near it need it. */
export type ContextPoint = Pick<
  IndexPoint,
  'id' | 'personId' | 'companionId' | 'audience' | 'conversation' | 'saidAt' | 'terms'
>;

/** The sparse vector of each of these points, by id, each with the terms of its neighbours that are heard wherever it is. */
export function weighTogether(points: readonly ContextPoint[]): Map<string, ReturnType<typeof sparseVector>> {
  const scopes = Map.groupBy(
    points,
    ({ personId, companionId, audience }) => `${personId} ${companionId} ${audience}`,
  );
  const weights = new Map<string, ReturnType<typeof sparseVector>>();
  for (const own of scopes.values()) {
    const near = neighboursOf(own);
    for (const { id, terms } of own) {
      const lent = (near.get(id) ?? []).map(({ of, share }) => ({ terms: of.terms, share }));
      weights.set(id, sparseVector(poolTerms(terms, lent), terms.length));
    }
  }
  return weights;
}
