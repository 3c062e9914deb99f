import { decayedPad, type Pad } from '@kith/contracts';
import { clamped, ORIGIN, plus } from './pad.js';

/** A mood as it was at a time. */
export interface MoodState {
  pad: Pad;
  /** Milliseconds since the epoch. */
  at: number;
}

/** The part of a persona that the mood obeys. */
export interface Temperament {
  baseline: Pad;
  halfLifeMs: number;
}

/** The companion's own mood and what is added to it towards one person, at one time. */
export interface Moods {
  shared: Pad;
  offset: Pad;
}

/** The offset towards somebody of whom nothing was felt yet: none, since the epoch. */
export const NO_OFFSET: MoodState = { pad: ORIGIN, at: 0 };

/** The mood of a companion that nothing has happened to: its baseline, since the epoch, so that anything comes later. */
export function atRest({ baseline }: Temperament): MoodState {
  return { pad: baseline, at: 0 };
}

/** Lets a mood decay towards its rest. */
export function decayed(state: MoodState, rest: Pad, halfLifeMs: number, now: number): Pad {
  return decayedPad(state.pad, rest, halfLifeMs, now - state.at);
}

/** Returns the mood that a person meets: the shared mood with their offset and the pull of needs, within the space. */
export function feltMood({ shared, offset }: Moods, pull: Pad = ORIGIN): Pad {
  return clamped(plus(plus(shared, offset), pull));
}

/** Lets both moods decay to a later time: the shared one towards the baseline, the offset towards nothing. */
export function moodsAt(
  shared: MoodState,
  offset: MoodState,
  { baseline, halfLifeMs }: Temperament,
  now: number,
): Moods {
  return {
    shared: decayed(shared, baseline, halfLifeMs, now),
    offset: decayed(offset, ORIGIN, halfLifeMs, now),
  };
}
