import { HOUR_MS, firstOf } from '@kith/contracts';

/** The full hour that a time lies in. */
export function hourOf(time: number): number {
  return Math.floor(time / HOUR_MS) * HOUR_MS;
}

/**
 * Says when the viewer sees each state: their own at once, another person's at the end of its hour. The mood is shared,
 * but the minute in which somebody else moved it is theirs. A state that a later one replaces before it would be seen is
 * left out. Takes and returns states in order of time, each after a turn, which may be the viewer's own.
 */
export function seenBy<State extends { at: number; isOwn: boolean }>(states: readonly State[]) {
  const seen: (State & { seenAt: number })[] = [];
  for (const state of states) {
    const seenAt = state.isOwn ? state.at : hourOf(state.at) + HOUR_MS;
    for (let last = seen.at(-1); last && !last.isOwn && last.seenAt >= seenAt; last = seen.at(-1)) seen.pop();
    seen.push({ ...state, seenAt });
  }
  return seen;
}

/** The most rows that are read of a period, the latest first. */
export const MAX_ROWS_READ = 2_000;

/**
 * Finds the part of a period of which every row was read. With more rows than are read it begins when everybody can see
 * the earliest of them, which shows how the part began: at a full hour, as the minute may be another person's.
 * @param times those of the rows that were read, the earliest first
 * @returns its begin, and the time such that the rows before it show how it began
 */
export function partRead(from: number, times: readonly number[]) {
  if (times.length < MAX_ROWS_READ) return { from, before: hourOf(from) };
  const earliest = firstOf(times);
  // It is seen at the end of its hour, and a course begins with what was seen before.
  return { from: Math.max(from, hourOf(earliest) + 2 * HOUR_MS), before: earliest };
}
