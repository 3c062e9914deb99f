import type { Pad } from '@kith/contracts';
import { type Bond, STRANGERS } from './bond/bond.js';
import { type Character, feel } from './feel.js';
import type { Emotion } from './mood/emotions.js';
import { type MoodState, NO_OFFSET, atRest } from './mood/mood-decay.js';
import type { NeedState } from './needs/needs.js';
import { isDeepStrictEqual } from 'node:util';

/** A turn as it stands in the log. */
export interface LoggedTurn {
  turnId: string;
  personId: string;
  /** Milliseconds since the epoch. A late turn has an earlier time than the one felt before it. */
  at: number;
  /** The persona version it was felt with. */
  version: number;
  /** In the order they were felt. */
  emotions: readonly Emotion[];
  /** The state it left: no moods where nothing was felt, no needs for history. */
  left: TurnState;
}

interface TurnState {
  shared: Pad | null;
  offset: Pad | null;
  needs: NeedState | null;
  bond: Bond | null;
}

/** The state before the first of the turns; null and missing where the log does not reach. */
export interface LogStart {
  shared: MoodState | null;
  offsets: ReadonlyMap<string, MoodState>;
  needs: NeedState | null;
  bonds: ReadonlyMap<string, Bond>;
}

/** The state of a companion and its people while logged turns are felt again. */
class Replay {
  private shared: MoodState;
  private needs: NeedState | null;
  private readonly offsets: Map<string, MoodState>;
  private readonly bonds: Map<string, Bond>;

  constructor(start: LogStart, rest: MoodState) {
    this.shared = start.shared ?? rest;
    this.needs = start.needs;
    this.offsets = new Map(start.offsets);
    this.bonds = new Map(start.bonds);
  }

  feel({ personId, at, emotions, left }: LoggedTurn, character: Character): TurnState {
    // The log does not hold the emotions of history, so the bond that it left is taken as it is.
    if (left.needs === null) {
      if (left.bond) this.bonds.set(personId, left.bond);
      return left;
    }
    // A bond that began before the log did is taken as it is, too, and so are the first turn's needs.
    const bond = this.bonds.get(personId) ?? (left.bond?.interactions === 1 ? STRANGERS : null);
    const snapshot = {
      shared: this.shared,
      needs: this.needs ?? left.needs,
      offset: this.offsets.get(personId) ?? NO_OFFSET,
      bond: bond ?? STRANGERS,
    };
    // The needs that a turn left are as of the latest time that was known when it was felt.
    const { steps, after } = feel(snapshot, { endedAt: at, emotions }, character, left.needs.at);
    const bondAfter = bond ? after.bond : left.bond;
    this.shared = after.shared;
    this.offsets.set(personId, after.offset);
    this.needs = this.needs ? after.needs : left.needs;
    if (bondAfter) this.bonds.set(personId, bondAfter);
    const last = steps.at(-1);
    return { shared: last?.shared ?? null, offset: last?.offset ?? null, needs: this.needs, bond: bondAfter };
  }
}

/** A turn felt again. */
type ReplayedTurn = Pick<LoggedTurn, 'at'> & Pick<TurnState, 'shared' | 'needs'>;

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
