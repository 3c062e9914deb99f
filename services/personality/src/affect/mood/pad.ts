import type { Pad } from '@kith/contracts';

/** The middle of the space: an offset that offsets nothing. */
export const ORIGIN: Pad = { p: 0, a: 0, d: 0 };

/** Picks the three axes of something that has more. */
export function padOf({ p, a, d }: Pad): Pad {
  return { p, a, d };
}

/** Applies a function to each of the three axes. */
export function mapAxes(pad: Pad, change: (value: number, axis: keyof Pad) => number): Pad {
  return { p: change(pad.p, 'p'), a: change(pad.a, 'a'), d: change(pad.d, 'd') };
}

export function plus(one: Pad, other: Pad): Pad {
  return mapAxes(one, (value, axis) => value + other[axis]);
}

export function minus(one: Pad, other: Pad): Pad {
  return mapAxes(one, (value, axis) => value - other[axis]);
}

export function scaled(pad: Pad, factor: number): Pad {
  return mapAxes(pad, (value) => value * factor);
}

/** Keeps each axis within `limit` of zero; without a limit, within the space. */
export function clamped(pad: Pad, limit = 1): Pad {
  return mapAxes(pad, (value) => Math.min(limit, Math.max(-limit, value)));
}

export function dot(one: Pad, other: Pad): number {
  return one.p * other.p + one.a * other.a + one.d * other.d;
}
