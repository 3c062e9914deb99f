import type { Pad } from '@kith/contracts';
import { isDeepStrictEqual } from 'node:util';
import type { Character } from './feel.js';
import { atRest } from './mood/mood-decay.js';
import type { NeedState } from './needs/needs.js';
import { type LoggedTurn, type LogStart, Replay } from './replay.js';

/** A turn felt again. */
interface ReplayedTurn {
  at: number;
  shared: Pad | null;
  needs: NeedState | null;
}

interface Difference {
  turnId: string;
  at: number;
  what: 'mood' | 'offset' | 'needs' | 'bond';
}

export interface ReplayedDays {
  turns: ReplayedTurn[];
  /** Turns whose replayed state differs from the log, in order. */
  differences: Difference[];
}

/**
 * Feels logged turns again, in the order they were felt: moods, needs and bonds. Nothing may differ from the log when
 * each turn is felt with the character of its own version; with another, the differences are what that would have changed.
 * @param characterOf returns the character that a turn is felt with
 */
export function replayDays(
  turns: readonly LoggedTurn[],
  start: LogStart,
  characterOf: (turn: LoggedTurn) => Character,
): ReplayedDays {
  const first = turns.find(({ left }) => left.needs !== null);
  if (!first) return { turns: [], differences: [] };
  const replay = new Replay(start, atRest(characterOf(first).temperament));
  const replayed: ReplayedTurn[] = [];
  const differences: Difference[] = [];
  for (const turn of turns) {
    const { turnId, at, left } = turn;
    const state = replay.feel(turn, characterOf(turn));
    if (left.needs === null) continue;
    replayed.push({ at, shared: state.shared, needs: state.needs });
    for (const [what, part] of PARTS) {
      if (!isDeepStrictEqual(asLogged(state[part]), left[part])) differences.push({ turnId, at, what });
    }
  }
  return { turns: replayed, differences };
}

/** The parts of a state, by the name that a difference is told under. */
const PARTS = [
  ['mood', 'shared'],
  ['offset', 'offset'],
  ['needs', 'needs'],
  ['bond', 'bond'],
] as const;

/** A value as it comes back from the table: without the sign of a zero. */
function asLogged(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
