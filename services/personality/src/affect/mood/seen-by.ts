import { HOUR_MS } from '@kith/contracts';

/** Time of a state of the companion, after somebody's turn. */
interface TurnTime {
  at: number;
  /** The turn is the viewer's own. */
  isOwn: boolean;
}

/** The full hour that a time lies in. */
export function hourOf(time: number): number {
  return Math.floor(time / HOUR_MS) * HOUR_MS;
}

/**
 * Says when the viewer sees each state: their own at once, another person's at the end of its hour. The mood is shared,
 * but the minute in which somebody else moved it is theirs. A state that a later one replaces before it would be seen is
 * left out. Takes and returns states in order of time.
 */
export function seenBy<State extends TurnTime>(states: readonly State[]): (State & { seenAt: number })[] {
  const seen: (State & { seenAt: number })[] = [];
  for (const state of states) {
    const seenAt = state.isOwn ? state.at : hourOf(state.at) + HOUR_MS;
    for (let last = seen.at(-1); last && !last.isOwn && last.seenAt >= seenAt; last = seen.at(-1)) seen.pop();
    seen.push({ ...state, seenAt });
  }
  return seen;
}
