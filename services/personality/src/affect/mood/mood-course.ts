import type { Pad } from '@kith/contracts';
import { atRest, feltMood, moodsAt, type MoodState, NO_OFFSET, type Temperament } from './mood-decay.js';

/** A recorded event, as the viewer of the plot may know of it. */
export interface MoodEvent {
  at: number;
  /** The time at which the viewer sees it (`seenBy`); the mood fades from `at` on all the same. */
  seenAt: number;
  /** The shared mood after it. */
  shared: Pad;
  /** The offset towards the viewer after it; null for an event of somebody else. */
  offset: Pad | null;
  /** The emotion of the viewer's own turn; null for somebody else's, which is not theirs to know. */
  felt: { emotion: string; intensity: number } | null;
}

/** The material of a mood's course, as a viewer may know it. */
export interface SeenMood {
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
export class MoodCourse {
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
