import { canHear, type Audience } from '@kith/contracts';

/** Returns the audience that may hear of something that two audiences heard a part of. */
export function commonAudience(one: Audience, other: Audience): Audience {
  return canHear(one, other) && canHear(other, one) ? one : 'direct';
}
