import { DAY_MS, HOUR_MS, type Pad } from '@kith/contracts';
import type { MoodStep } from './mood-curve.js';

/** Spans that a plot can show, shortest first. */
export const PLOT_SPANS = [
  { id: 'minutes', ms: 10 * 60_000, label: '10 min', words: '10 minutes', start: '10 min ago' },
  { id: 'hour', ms: HOUR_MS, label: 'hour', words: 'hour', start: 'an hour ago' },
  { id: 'day', ms: DAY_MS, label: 'day', words: 'day', start: 'a day ago' },
  { id: 'week', ms: 7 * DAY_MS, label: 'week', words: 'week', start: 'a week ago' },
] as const;
export type PlotSpan = (typeof PLOT_SPANS)[number];

const [, , DAY, WEEK] = PLOT_SPANS;

/** The shortest span that shows all that moved the mood, so that a first conversation is not one pixel wide. */
export function chooseSpan(series: readonly MoodStep[], nowMs: number): PlotSpan {
  const first = series.find(({ emotion }) => emotion !== null);
  if (first === undefined) return DAY;
  const ageMs = nowMs - Date.parse(first.at);
  return PLOT_SPANS.find(({ ms }) => ageMs < ms) ?? WEEK;
}

// Turns move a mood by .15 at most: a strip of this half-height shows one turn clearly and jitter not at all.
const MIN_REACH = 0.25;

/**
 * Reach of an axis' strip to either side of the baseline: as far as the farthest sample, at least
 * `MIN_REACH`. One reach for all strips keeps them comparable.
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
    MIN_REACH,
  );
}
