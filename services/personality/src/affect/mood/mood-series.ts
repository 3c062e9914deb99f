import type { MoodPoint, Pad } from '@kith/contracts';
import { atRest, feltMood, moodsAt, type MoodState, NO_OFFSET, type Temperament } from './mood-decay.js';

/** A period with what is known of it. Events before `from` only say how it began. */
interface SeriesRequest extends SeenMood {
  from: number;
  to: number;
}

/** Events shown. Each takes two points, so that a jump is drawn as a jump: just before it, and after. */
const MAX_EVENTS = 70;

/** Samples of what time alone did, evenly over the period. */
const SAMPLES = 58;

/** The most points of a series: more than a small plot can show, and a bound on the answer. */
export const MAX_POINTS = 2 * MAX_EVENTS + SAMPLES + 2;

/**
 * The mood's course over a period, as its viewer may know it: the state after each event, and decayed states between
 * them. The viewer's own events stand in it with their emotions; of somebody else's only the mood is seen. With more
 * events than can be shown, the strongest of each stretch stand for it; all are walked through.
 */
export function moodSeries({ from, to, temperament, events, pullAt }: SeriesRequest): MoodPoint[] {
  if (to <= from) return [];
  const inside = events.filter(({ felt, at }) => felt !== null && at >= from && at <= to);
  const shown = new Set(thinEvents(inside, from, to));
  const course = new MoodCourse(temperament, pullAt);
  const points: MoodPoint[] = [];
  let next = 0;
  const passUntil = (until: number) => {
    for (let event = events[next]; event && event.seenAt <= until; event = events[next]) {
      if (shown.has(event)) points.push(point(event.at, course.at(event.at), null));
      course.pass(event);
      if (shown.has(event)) points.push(point(event.at, course.at(event.at), event));
      next += 1;
    }
  };
  for (let n = 0; n <= SAMPLES + 1; n += 1) {
    const at = from + ((to - from) * n) / (SAMPLES + 1);
    passUntil(n === 0 ? from - 1 : at);
    points.push(point(at, course.at(at), null));
  }
  return points;
}

/** Chooses the strongest event of each of `MAX_EVENTS` stretches, when there are more than that. */
function thinEvents(events: readonly MoodEvent[], from: number, to: number): MoodEvent[] {
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

function point(at: number, pad: Pad, event: MoodEvent | null): MoodPoint {
  return {
    at: new Date(at).toISOString(),
    pad,
    emotion: event?.felt?.emotion ?? null,
    intensity: event?.felt?.intensity ?? null,
  };
}

/** A recorded event, as the viewer of the plot may know of it. */
export interface MoodEvent {
  at: number;
  /** The time at which the viewer sees it (`seenBy`); the mood fades from `at` on all the same. */
  seenAt: number;
  shared: Pad;
  /** The offset towards the viewer after it; null for an event of somebody else. */
  offset: Pad | null;
  /** The emotion of the viewer's own turn; null for somebody else's, which is not theirs to know. */
  felt: { emotion: string; intensity: number } | null;
}

/** The material of a mood's course, as a viewer may know it. */
interface SeenMood {
  temperament: Temperament;
  /** In order of `seenAt`, ties in the order they were felt. */
  events: readonly MoodEvent[];
  /** Returns the pull of the needs on the mood at a time. */
  pullAt: (time: number) => Pad;
}

/** The mood at a time, as the same viewer may know it. */
export function moodSeenAt(time: number, { temperament, events, pullAt }: SeenMood): Pad {
  const course = new MoodCourse(temperament, pullAt);
  for (const event of events) if (event.seenAt <= time) course.pass(event);
  return course.at(time);
}

/** Walks through events, and computes the mood at any time after the last one passed. */
class MoodCourse {
  private shared: MoodState;
  private offset = NO_OFFSET;

  constructor(
    private readonly temperament: Temperament,
    private readonly pullAt: (time: number) => Pad,
  ) {
    this.shared = atRest(temperament);
  }

  pass({ at, shared, offset }: MoodEvent): void {
    this.shared = { pad: shared, at };
    if (offset) this.offset = { pad: offset, at };
  }

  at(time: number): Pad {
    return feltMood(moodsAt(this.shared, this.offset, this.temperament, time), this.pullAt(time));
  }
}
