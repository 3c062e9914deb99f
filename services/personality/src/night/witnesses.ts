import type { Audience } from '@kith/contracts';
import { EVERYWHERE } from '../persona/quirk.js';

/** Somebody who said it, and where. */
export interface SpokenWhere {
  personId: string;
  audience: Audience;
}

/**
 * A habit of this many people, each in a place of their own, tells none of them who the others are. It does not hold
 * against somebody with two accounts who guesses a word: a habit of it tells them that a third person spoke of it, though
 * not who. No number would hold, as accounts cost nothing; a higher one would only make habits rarer.
 */
const MIN_WITNESSES = 3;

/**
 * Maps people to the place they count for, where enough came up with the same, each in a place of their own; null where
 * they did not. Of all who talk in one channel one person counts: the others may have it from there.
 */
export function witnessesOf(heard: readonly SpokenWhere[]): ReadonlyMap<string, string> | null {
  const witnesses = new Map<string, string>();
  const taken = new Set<string>();
  for (const one of heard) {
    const place = placeOf(one);
    if (witnesses.has(one.personId) || taken.has(place)) continue;
    witnesses.set(one.personId, place);
    taken.add(place);
  }
  return witnesses.size >= MIN_WITNESSES ? witnesses : null;
}

/** Names the place where it was said: each person's direct talk is one of its own. */
export function placeOf({ audience, personId }: SpokenWhere): string {
  return audience === 'direct' ? `direct ${personId}` : audience;
}

/** Tells whether a habit's remaining sources still support it where it shows. */
export function isBorne(audience: string, left: readonly SpokenWhere[]): boolean {
  return audience === EVERYWHERE ? witnessesOf(left) !== null : left.length > 0;
}
