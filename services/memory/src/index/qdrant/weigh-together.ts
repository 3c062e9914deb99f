import { present } from '@kith/contracts';
import { lengthNorm, poolTerms, sparseVector } from '../../words/bm25.js';
import { neighboursOf } from '../../words/neighbours.js';
import type { IndexPoint } from '../vector-index.js';

/** A point as far as others near it need it. */
export type ContextPoint = Pick<
  IndexPoint,
  'id' | 'personId' | 'companionId' | 'audience' | 'conversation' | 'saidAt' | 'terms'
>;

/** Finds the points beside the lenders, whose weights change as a lender comes or goes. */
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
 * Weighs the wanted ones of these points, as sparse vectors by id. Each is lent terms only by neighbours of its own scope,
 * which are heard wherever it is heard.
 */
export function weighTogether(
  points: readonly ContextPoint[],
  wanted: ReadonlySet<string>,
): Map<string, ReturnType<typeof sparseVector>> {
  const weights = new Map<string, ReturnType<typeof sparseVector>>();
  for (const own of scopesOf(points)) {
    const near = neighboursOf(own);
    const messages = Map.groupBy(own, messageOf);
    for (const point of own) {
      const { id, terms, conversation } = point;
      if (!wanted.has(id)) continue;
      const lent = (near.get(id) ?? []).map(({ of, share }) => ({ terms: of.terms, share }));
      const pieces = conversation === null ? [point] : present(messages.get(messageOf(point)));
      const message = pieces.reduce((sum, piece) => sum + piece.terms.length, 0);
      weights.set(id, sparseVector(poolTerms(terms, lent), lengthNorm(terms.length, message)));
    }
  }
  return weights;
}

/** Groups points by scope: nobody lends words across people, companions or audiences. */
function scopesOf(points: readonly ContextPoint[]): Iterable<ContextPoint[]> {
  return Map.groupBy(
    points,
    ({ personId, companionId, audience }) => `${personId} ${companionId} ${audience}`,
  ).values();
}

/** Makes a key of a message: its pieces were said at one moment. */
function messageOf({ conversation, saidAt }: ContextPoint): string {
  return `${saidAt.getTime()} ${conversation}`;
}
