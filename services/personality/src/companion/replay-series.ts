import type { MoodPoint } from '@kith/contracts';
import { moodSeries } from '../affect/mood/mood-series.js';
import { needPulls } from '../affect/needs/need-pull.js';
import type { Companion } from '../persona/companion.js';
import type { ReplayedDays } from '../affect/replay-days.js';
import type { LogStart, LoggedTurn } from '../affect/replay.js';
import type { Period } from './period-of.js';

/** Lists the turns of the log as they were felt then. */
export function recordedDays(turns: readonly LoggedTurn[]): ReplayedDays['turns'] {
  return turns.flatMap(({ at, left }) =>
    left.needs ? [{ at, shared: left.shared, needs: left.needs }] : [],
  );
}

/** Builds the mood's course from replayed turns, without the emotions. */
export function replaySeries(
  turns: ReplayedDays['turns'],
  start: LogStart,
  { temperament, needs }: Companion,
  { from, to }: Period,
): MoodPoint[] {
  const moved = turns.flatMap(({ at, shared }) => (shared ? [{ at, pad: shared }] : []));
  const states = [...(start.shared ? [start.shared] : []), ...moved];
  const events = states.map(({ at, pad }) => ({
    at,
    seenAt: at,
    shared: pad,
    offset: null,
    felt: { emotion: 'felt', intensity: 1 },
  }));
  const needStates = [start.needs, ...turns.map((turn) => turn.needs)]
    .filter((state) => state !== null)
    .map((state) => ({ ...state, seenAt: state.at }));
  return moodSeries({
    ...{ from: from.getTime(), to: to.getTime(), temperament, events },
    pullAt: needPulls(needStates, needs),
  }).map((point) => ({ ...point, emotion: null, intensity: null }));
}
