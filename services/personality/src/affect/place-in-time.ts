/** The place of a turn in the mood's own time. */
type TurnPlace = { kind: 'present'; at: number } | { kind: 'history' };

/**
 * Turns are appraised side by side, so one may be done before another that was spoken a little earlier. Within
 * this the later comer still counts, as if spoken when the mood last moved: over ten minutes even the quickest
 * mood loses under three percent.
 */
export const OUT_OF_ORDER_MS = 10 * 60_000;

/**
 * Decides when a turn moves the mood, all in milliseconds since the epoch. A mood never goes back in time: a
 * turn from before its last move is history, such as an imported conversation, which builds the bond and
 * leaves the mood of today alone. History in its own order, on a companion that felt nothing since, moves the
 * mood along as it did then. A turn dated in the future counts as now, or no later one would move the mood.
 */
export function placeInTime(turnEndedAt: number, moodMovedAt: number, now: number): TurnPlace {
  const at = Math.min(turnEndedAt, now);
  if (at >= moodMovedAt) return { kind: 'present', at };
  return moodMovedAt - at <= OUT_OF_ORDER_MS ? { kind: 'present', at: moodMovedAt } : { kind: 'history' };
}
