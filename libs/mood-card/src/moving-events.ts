import type { MoodPoint } from '@kith/contracts';

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
  for (const event of eventsOf(series).sort((one, other) => other.moved - one.moved)) {
    if (chosen.length === most) break;
    if (chosen.every(({ at }) => Math.abs(at - event.at) >= apartMs)) chosen.push(event);
  }
  return chosen.sort((one, other) => one.at - other.at);
}

function eventsOf(series: readonly MoodPoint[]): MovingEvent[] {
  const moments = new Map<number, { before: MoodPoint; felt: MoodPoint[] }>();
  series.forEach((point, place) => {
    if (point.emotion === null) return;
    const at = Date.parse(point.at);
    const moment = moments.get(at) ?? { before: series[place - 1] ?? point, felt: [] };
    moment.felt.push(point);
    moments.set(at, moment);
  });
  return [...moments].map(([at, { before, felt }]) => {
    const strongest = felt.reduce((one, other) =>
      (other.intensity ?? 0) > (one.intensity ?? 0) ? other : one,
    );
    const after = felt.at(-1) ?? strongest;
    return {
      at,
      emotion: (strongest.emotion ?? '').replaceAll('-', ' '),
      moved: distance(before, after),
      point: after,
    };
  });
}

function distance({ pad: one }: MoodPoint, { pad: other }: MoodPoint): number {
  return Math.hypot(one.p - other.p, one.a - other.a, one.d - other.d);
}
