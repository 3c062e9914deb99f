import type { Pad } from '@kith/contracts';
import { isDeepStrictEqual } from 'node:util';
import type { Emotion } from '../mood/emotions.js';
import type { MoodState } from '../mood/mood-dynamics.js';
import { replayMood } from '../mood/replay-mood.js';
import { type NeedLevels, type NeedState, needsAfterTurn, needsAt } from '../needs/needs.js';
import type { Companion } from '../persona/in-force.js';
import { afterTurn, type Bond, STRANGERS } from '../relationship/bond.js';

/** What of a companion feeling depends on. */
export type Character = Pick<Companion, 'temperament' | 'needs'>;

/** A turn as it stands in the log. */
export interface RecordedTurn {
  turnId: string;
  personId: string;
  at: number;
  /** Of the persona that it was felt with. */
  version: number;
  emotions: readonly Emotion[];
  /** What it left: no moods where nothing was felt, no needs for history. */
  left: {
    shared: Pad | null;
    offset: Pad | null;
    needs: NeedState | null;
    bond: Bond | null;
  };
}

/** What there was before the first of the turns; null and missing where the log does not reach. */
export interface LogStart {
  shared: MoodState | null;
  offsets: ReadonlyMap<string, MoodState>;
  needs: NeedState | null;
  bonds: ReadonlyMap<string, Bond>;
}

/** A turn felt again. */
interface ReplayedTurn {
  at: number;
  shared: Pad | null;
  needs: NeedState | null;
}

export interface Difference {
  turnId: string;
  at: number;
  what: 'mood' | 'offset' | 'needs' | 'bond';
}

export interface ReplayedDays {
  turns: ReplayedTurn[];
  /** Turns whose state was not what the log says, in order. */
  differences: Difference[];
}

/**
 * Feels logged turns again, in the order they were felt: moods, needs and bonds. `characterOf` says with what
 * character. With the one of the turn's own version nothing may differ from the log; with another the differences
 * are what it would have changed.
 */
export function replayDays(
  turns: readonly RecordedTurn[],
  start: LogStart,
  characterOf: (turn: RecordedTurn) => Character,
): ReplayedDays {
  const present = turns.filter(({ left }) => left.needs !== null);
  const first = present[0];
  if (!first) return { turns: [], differences: [] };
  const rest = { pad: characterOf(first).temperament.baseline, at: 0 };
  const temperaments = present.map((turn) => characterOf(turn).temperament);
  const moods = replayMood(
    present,
    { shared: start.shared ?? rest, offsets: start.offsets },
    (n) => temperaments[n] ?? temperaments[0]!,
  );
  const needs = replayNeeds(present, start.needs, characterOf);
  const bonds = replayBonds(turns, start.bonds);
  const differences = present.flatMap((turn, n) => {
    const replayed = {
      mood: moods[n]?.shared ?? null,
      offset: moods[n]?.offset ?? null,
      needs: needs[n] ?? null,
      bond: bonds.get(turn.turnId) ?? null,
    };
    const { shared: mood, ...left } = turn.left;
    const logged = { ...left, mood };
    return (['mood', 'offset', 'needs', 'bond'] as const)
      .filter((what) => !isDeepStrictEqual(asLogged(replayed[what]), logged[what]))
      .map((what) => ({ turnId: turn.turnId, at: turn.at, what }));
  });
  return {
    turns: present.map(({ at }, n) => ({ at, shared: moods[n]?.shared ?? null, needs: needs[n] ?? null })),
    differences,
  };
}

/** As it comes back from the table: without the sign of a zero. */
function asLogged(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** Where the log begins with these turns, the first one's needs are taken as they stand. */
function replayNeeds(
  turns: readonly RecordedTurn[],
  start: NeedState | null,
  characterOf: (turn: RecordedTurn) => Character,
): (NeedState | null)[] {
  let before = start;
  return turns.map((turn) => {
    before = before ? needsAfter(before, turn, characterOf(turn)) : turn.left.needs;
    return before;
  });
}

function needsAfter(before: NeedState, { at, emotions }: RecordedTurn, { needs }: Character): NeedState {
  const later = Math.max(before.at, at);
  const grown: NeedLevels = needsAt(before, needs, later);
  return { levels: needsAfterTurn(grown, emotions), at: later };
}

/**
 * Bonds do not depend on the persona. What history called up is not in the log, so the bond that it left is taken
 * as it stands; so is a bond that began before the log did.
 */
function replayBonds(turns: readonly RecordedTurn[], start: ReadonlyMap<string, Bond>): Map<string, Bond> {
  const latest = new Map(start);
  const after = new Map<string, Bond>();
  for (const { turnId, personId, at, emotions, left } of turns) {
    const before = latest.get(personId) ?? (left.bond?.interactions === 1 ? STRANGERS : null);
    const bond = before && left.needs ? afterTurn(before, emotions, at) : left.bond;
    if (!bond) continue;
    latest.set(personId, bond);
    after.set(turnId, bond);
  }
  return after;
}
