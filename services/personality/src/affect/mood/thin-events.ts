import type { MoodEvent } from './mood-course.js';

/** Events shown. Each takes two points, so that a jump is drawn as a jump: just before it, and after. */
export const MAX_EVENTS = 70;

/** The strongest event of each of `MAX_EVENTS` stretches, when there are more than that. */
export function thinEvents(events: readonly MoodEvent[], from: number, to: number): MoodEvent[] {
  if (events.length <= MAX_EVENTS) return [...events];
  const strongest = new Map<number, MoodEvent>();
  for (const event of events) {
    const stretch = Math.min(MAX_EVENTS - 1, Math.floor(((event.at - from) / (to - from)) * MAX_EVENTS));
    const best = strongest.get(stretch);
    if (!best || strengthOf(event) > strengthOf(best)) strongest.set(stretch, event);
  }
  return [...strongest.values()];
}

function strengthOf({ felt }: MoodEvent): number {
  return felt?.intensity ?? 0;
}
