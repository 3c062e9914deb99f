import type { Emotion } from './emotions.js';
import { feelTurn, type Moods, moodsAt, type MoodState, type Temperament } from './mood-dynamics.js';
import { ORIGIN } from './pad.js';

/** A turn of the log, as it was felt. */
export interface LoggedTurn {
  personId: string;
  /** Milliseconds since the epoch; never before the turn that was felt before it. */
  at: number;
  /** In the order they were felt. */
  emotions: readonly Emotion[];
}

/** Where a replay begins: the shared mood, and the offset towards each person whom there is one towards. */
export interface ReplayStart {
  shared: MoodState;
  offsets: ReadonlyMap<string, MoodState>;
}

/**
 * Feels logged turns again, one after the other: the moods that each left, and none for a turn without an
 * emotion. With the temperament and the start of the first time it gives what was recorded then, bit for bit,
 * since each step is the same function of the same numbers. With another temperament it gives the days as they
 * would have been.
 */
export function replayMood(
  turns: readonly LoggedTurn[],
  start: ReplayStart,
  temperamentOf: (turn: number) => Temperament,
): (Moods | null)[] {
  let { shared } = start;
  const offsets = new Map(start.offsets);
  return turns.map(({ personId, at, emotions }, n) => {
    const offset = offsets.get(personId) ?? { pad: ORIGIN, at: 0 };
    const after = feelTurn(moodsAt(shared, offset, temperamentOf(n), at), emotions).at(-1);
    if (!after) return null;
    shared = { pad: after.shared, at };
    offsets.set(personId, { pad: after.offset, at });
    return after;
  });
}
