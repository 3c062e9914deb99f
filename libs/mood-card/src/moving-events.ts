import { lastOf, type MoodPoint } from '@kith/contracts';
import { type Moment, momentsOf } from './geometry.js';

/** An event of a mood's course, and how far it moved the mood. */
export interface MovingEvent {
  /** Milliseconds since the epoch. */
  at: number;
  /** The strongest of what was felt then, in words. Nothing here tells whose doing it was. */
  emotion: string;
  /** Length of the move in the space of pleasure, arousal and dominance. */
  moved: number;
  /** The mood after it. */
  point: MoodPoint;
}

/**
 * The events that moved a mood most, in order of time. A series holds each event twice, just before and just
 * after; emotions of one moment are one event. Those within `apartMs` of a greater one give way to it, so that
 * three labels tell of three occasions.
 */
export function movingEvents(series: readonly MoodPoint[], most: number, apartMs: number): MovingEvent[] {
  const chosen: MovingEvent[] = [];
  for (const event of momentsOf(series)
    .map(eventOf)
    .sort((one, other) => other.moved - one.moved)) {
    if (chosen.length === most) break;
    if (chosen.every(({ at }) => Math.abs(at - event.at) >= apartMs)) chosen.push(event);
  }
  return chosen.sort((one, other) => one.at - other.at);
}

function eventOf({ at, before, felt }: Moment): MovingEvent {
  const strongest = felt.reduce((one, other) =>
    (other.intensity ?? 0) > (one.intensity ?? 0) ? other : one,
  );
  const point = lastOf(felt);
  return {
    at,
    moved: distance(before, point),
    point,
    emotion: (strongest.emotion ?? '').replaceAll('-', ' '),
  };
}

function distance({ pad: one }: MoodPoint, { pad: other }: MoodPoint): number {
  return Math.hypot(one.p - other.p, one.a - other.a, one.d - other.d);
}
