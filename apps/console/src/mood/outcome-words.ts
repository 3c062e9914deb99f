import type { AffectEventView } from '@kith/contracts';
import { describeDate } from '../page/describe-date.js';

/** For each moment that was the outcome of what this person hoped or feared, words for it, by its time. */
export function outcomeWords(
  events: readonly Pick<AffectEventView, 'at' | 'settles'>[],
  now: Date,
): ReadonlyMap<number, string> {
  const words = new Map<number, string>();
  for (const { at, settles } of events) {
    if (!settles || settles.about === null) continue;
    const told = describeDate(settles.since, now);
    words.set(Date.parse(at), `what you ${settles.kind} when you told it ${told}: “${settles.about}”`);
  }
  return words;
}
