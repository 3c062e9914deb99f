import type { MoodPoint } from '@kith/contracts';

/** A point of a drawing. */
export interface Point {
  x: number;
  y: number;
}

/** Maps a range onto another in proportion: a time onto the width of a plot, a value onto its height. */
export function scale([first, last]: readonly [number, number], [start, end]: readonly [number, number]) {
  return (value: number) => start + ((value - first) / (last - first)) * (end - start);
}

/** Writes the points of a polyline or a polygon. */
export function pointList(places: readonly Point[]): string {
  return places.map(({ x, y }) => `${short(x)},${short(y)}`).join(' ');
}

/** Rounds to two decimals: a fiftieth of a pixel at twice the size. */
export function short(value: number): number {
  return Math.round(value * 100) / 100;
}

export interface RadarCorner extends Point {
  /** The side of the corner's name that stands at the corner. */
  anchor: 'start' | 'middle' | 'end';
}

/**
 * Places values in [0, 1] on a radar, the first one at the top and the others clockwise.
 * @param radius of the value 1
 */
export function radarCorners(values: readonly number[], centre: Point, radius: number): RadarCorner[] {
  return values.map((value, index) => {
    const angle = (2 * Math.PI * index) / values.length;
    const across = Math.sin(angle);
    return {
      x: short(centre.x + radius * value * across),
      y: short(centre.y - radius * value * Math.cos(angle)),
      // Within six degrees of the vertical a name stands above or below its corner.
      anchor: Math.abs(across) < 0.1 ? 'middle' : across > 0 ? 'start' : 'end',
    };
  });
}

/** A moment that moved a mood: what was felt in one turn belongs together. */
export interface Moment {
  /** Milliseconds since the epoch. */
  at: number;
  /** The point just before it. */
  before: MoodPoint;
  /** One point for each emotion, in order; the last of them is the mood after it. */
  felt: [MoodPoint, ...MoodPoint[]];
  pad: MoodPoint['pad'];
}

/** Finds the moments of a series, oldest first. Points without an emotion, which only time made, are left out. */
export function momentsOf(series: readonly MoodPoint[]): Moment[] {
  const moments = new Map<number, Moment>();
  series.forEach((point, place) => {
    if (point.emotion === null) return;
    const at = Date.parse(point.at);
    const known = moments.get(at);
    const felt: Moment['felt'] = known ? [...known.felt, point] : [point];
    moments.set(at, { at, before: known?.before ?? series[place - 1] ?? point, felt, pad: point.pad });
  });
  return [...moments.values()];
}
