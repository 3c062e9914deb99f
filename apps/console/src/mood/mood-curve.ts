import { decayedPad, type MoodResponse, type Pad } from '@kith/contracts';
import type { z } from 'zod';

export type MoodCourse = z.infer<typeof MoodResponse>;
export type MoodStep = MoodCourse['series'][number];

interface MoodSample {
  atMs: number;
  pad: Pad;
}

/**
 * The mood at a time between steps, from which it decays towards the baseline. Before the first step it is the baseline.
 */
export function moodAt(course: MoodCourse, atMs: number): Pad {
  const last = course.series.findLast((step) => Date.parse(step.at) <= atMs);
  return last === undefined ? course.baseline : decayed(course, last, atMs);
}

/**
 * The mood's course for a line: evenly spaced samples, with each step's jump as two samples at its time.
 * `series` must be in order of time.
 */
export function sampleCourse(course: MoodCourse, fromMs: number, toMs: number, count: number): MoodSample[] {
  const even = Array.from({ length: count }, (_, index) => {
    const atMs = fromMs + ((toMs - fromMs) * index) / (count - 1);
    return { atMs, pad: moodAt(course, atMs) };
  });
  const jumps = course.series.flatMap((step, index) => {
    const atMs = Date.parse(step.at);
    if (atMs < fromMs || atMs > toMs) return [];
    const before = course.series[index - 1];
    return [
      { atMs, pad: before === undefined ? course.baseline : decayed(course, before, atMs) },
      { atMs, pad: step.pad },
    ];
  });
  // A stable sort keeps each jump's "before" ahead of its "after".
  return [...jumps, ...even.filter(({ atMs }) => !jumps.some((jump) => jump.atMs === atMs))].sort(
    (one, other) => one.atMs - other.atMs,
  );
}

/** A course with a mood that was heard of since it was read, as the newest step. */
export function withLiveMood(course: MoodCourse, now: MoodCourse['now'], at: Date): MoodCourse {
  const step: MoodStep = { at: at.toISOString(), pad: now.pad, emotion: null, intensity: null };
  return { ...course, now, series: [...course.series, step] };
}

function decayed({ baseline, halfLifeMs }: MoodCourse, step: MoodStep, atMs: number): Pad {
  return decayedPad(step.pad, baseline, halfLifeMs, atMs - Date.parse(step.at));
}
