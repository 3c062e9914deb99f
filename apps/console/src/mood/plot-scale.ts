import type { Pad } from '@kith/contracts';
import type { MoodStep } from './mood-curve.js';

/** How far back a plot looks. */
export type PlotSpan = 'hour' | 'day' | 'week';

export const SPAN_MS: Readonly<Record<PlotSpan, number>> = {
  hour: 3_600_000,
  day: 86_400_000,
  week: 7 * 86_400_000,
};

/** The shortest span that shows all that moved the mood, so that a first conversation is not one pixel wide. */
export function chooseSpan(series: readonly MoodStep[], nowMs: number): PlotSpan {
  const first = series.find(({ emotion }) => emotion !== null);
  if (first === undefined) return 'day';
  const ageMs = nowMs - Date.parse(first.at);
  if (ageMs < SPAN_MS.hour) return 'hour';
  return ageMs < SPAN_MS.day ? 'day' : 'week';
}

// Turns move a mood by .15 at most: a strip of this half-height shows one turn clearly and jitter not at all.
const LEAST_REACH = 0.25;

/**
 * How far an axis' strip reaches to either side of the baseline: as far as the farthest sample, at least
 * `LEAST_REACH`. One reach for all strips keeps them comparable.
 */
export function plotReach(baseline: Pad, samples: readonly { pad: Pad }[]): number {
  return samples.reduce(
    (reach, { pad }) =>
      Math.max(
        reach,
        Math.abs(pad.p - baseline.p),
        Math.abs(pad.a - baseline.a),
        Math.abs(pad.d - baseline.d),
      ),
    LEAST_REACH,
  );
}

/** One moment that moved the mood: the emotions of one turn belong together. */
export interface Moment {
  atMs: number;
  pad: Pad;
  emotions: { name: string; intensity: number | null }[];
}

/** The moments within a period, oldest first. Steps without an emotion, which only time made, are left out. */
export function momentsIn(series: readonly MoodStep[], fromMs: number, toMs: number): Moment[] {
  const moments = new Map<number, Moment>();
  for (const { at, pad, emotion, intensity } of series) {
    const atMs = Date.parse(at);
    if (emotion === null || atMs < fromMs || atMs > toMs) continue;
    const known = moments.get(atMs);
    moments.set(atMs, { atMs, pad, emotions: [...(known?.emotions ?? []), { name: emotion, intensity }] });
  }
  return [...moments.values()];
}
