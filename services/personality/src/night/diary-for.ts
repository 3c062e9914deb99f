import { HABIT, LINE_END, mentionOf } from './diary-words.js';
import type { ReflectedQuirk } from './reflect-on-quirks.js';

const CITATION = /\[(\d{1,3})\]/g;

/**
 * Reduces an entry to what a viewer may read: a line that cites turns is for the people of those turns; a line that
 * cites none is the companion's own. Older entries are one line: a viewer who lacks a source sees only the day.
 */
export function diaryFor(text: string, known: readonly number[]): string {
  const lines = text.split(LINE_END);
  if (lines.length === 1 && !citationsIn(text).every((number) => known.includes(number))) return dayOf(text);
  return lines
    .filter((line) => {
      const cited = citationsIn(line);
      return cited.length === 0 || cited.some((number) => known.includes(number));
    })
    .join(' ');
}

/** Removes the mention of a forgotten habit from an entry. Of an older, one-line entry only the day is left. */
export function diaryWithout(text: string, habit: Pick<ReflectedQuirk, 'kind' | 'text'>): string {
  const lines = text.split(LINE_END);
  if (lines.length === 1) return text.includes(habit.text) ? dayOf(text) : text;
  return lines.filter((line) => !line.includes(`${mentionOf(habit)} [`)).join(LINE_END);
}

/**
 * Removes mentions of habits that cite one of these numbers, unless the habit still exists: once it has
 * faded, nobody can tell who else it came from.
 */
export function diaryWithoutFaded(
  text: string,
  numbers: readonly number[],
  habits: readonly Pick<ReflectedQuirk, 'kind' | 'text'>[],
): string {
  const isFaded = (line: string) =>
    HABIT.test(line) &&
    !habits.some((habit) => line.includes(`${mentionOf(habit)} [`)) &&
    citationsIn(line).some((number) => numbers.includes(number));
  const lines = text.split(LINE_END);
  if (lines.length === 1) return isFaded(text) ? dayOf(text) : text;
  return lines.filter((line) => !isFaded(line)).join(LINE_END);
}

function citationsIn(line: string): number[] {
  return line.includes('[') ? Array.from(line.matchAll(CITATION), ([, number]) => Number(number)) : [];
}

function dayOf(text: string): string {
  return text.slice(0, text.indexOf('.') + 1);
}
