import type { DayEvent } from './self-note.js';

/** An entry is a paragraph: more moments than this would be a log. */
const MENTIONED_EVENTS = 6;

/** Picks the strongest moment of each kind of feeling, in order of time. */
export function strongestMoments(events: readonly DayEvent[]): DayEvent[] {
  const strongest = new Map<string, DayEvent>();
  for (const event of events) {
    const known = strongest.get(event.emotion);
    if (!known || event.intensity > known.intensity) strongest.set(event.emotion, event);
  }
  const chosen = new Set(
    [...strongest.values()]
      .sort((one, other) => other.intensity - one.intensity || one.emotion.localeCompare(other.emotion))
      .slice(0, MENTIONED_EVENTS),
  );
  return events.filter((event) => chosen.has(event));
}
