import type { Pad } from '@kith/contracts';
import type { Feeling } from '../mood/feelings.js';
import { feelTurn, feltMood, type Moods, moodsAt, type MoodState } from '../mood/mood-dynamics.js';
import { placeInTime } from '../mood/place-in-time.js';
import { needPull, needsAfterTurn, needsAt, type NeedState } from '../needs/needs.js';
import type { Companion } from '../persona/in-force.js';
import { afterTurn, type Bond } from '../relationship/bond.js';

/** Whose turn it is, when it was said, and what it made the companion feel. */
export interface TurnToFeel {
  turnId: string;
  companionId: string;
  personId: string;
  /** When the person had said it all, in milliseconds since the epoch. */
  endedAt: number;
  feelings: readonly Feeling[];
}

/** A companion's own mood and needs. */
export interface Own {
  shared: MoodState;
  needs: NeedState;
}

/** What there is between a companion and a person. */
export interface Between {
  offset: MoodState;
  bond: Bond;
}

/** What feeling a turn came to. */
export type FeltTurn<T extends TurnToFeel = TurnToFeel> = {
  turn: T;
  companion: Companion;
  /** The mood towards the person after it. */
  felt: Pad;
} & (
  | {
      /** `history` is from before the mood last moved, and left it alone. */
      kind: 'recorded' | 'history';
      /** As the turn left them; `history` leaves the needs alone. */
      bond: Bond;
      needs: NeedState | null;
      /** When it counts as said. */
      at: number;
      /** The moods before it, and after each of its feelings. */
      before: Moods;
      steps: readonly Moods[];
    }
  /** It was recorded before. */
  | { kind: 'repeat' }
);

/** What turns are felt on top of; it moves along with them. */
export interface Feelers {
  /** By companion. */
  own: Map<string, Own>;
  /** By `pairOf`. */
  between: Map<string, Between>;
}

export function pairOf({ companionId, personId }: { companionId: string; personId: string }): string {
  return `${companionId} ${personId}`;
}

/**
 * Lets turns be felt in their order, each on top of the one before it, and moves `feelers` along: whoever keeps those
 * and what is returned has recorded the turns one after the other. Touches nothing else.
 */
export function feelTurns<T extends TurnToFeel>(
  turns: readonly T[],
  companionOf: (companionId: string) => Companion,
  isNew: (turnId: string) => boolean,
  feelers: Feelers,
  now: number,
): FeltTurn<T>[] {
  return turns.map((turn): FeltTurn<T> => {
    const { companionId, feelings } = turn;
    const companion = companionOf(companionId);
    const { temperament } = companion;
    const { shared, needs: needsBefore } = feelers.own.get(companionId)!;
    const { offset, bond: bondBefore } = feelers.between.get(pairOf(turn))!;
    const feltWith = (moods: Moods, { levels }: NeedState) =>
      feltMood(moods, needPull(levels, companion.needs));
    if (!isNew(turn.turnId)) {
      const moods = moodsAt(shared, offset, temperament, shared.at);
      return { kind: 'repeat', turn, companion, felt: feltWith(moods, needsBefore) };
    }
    const place = placeInTime(turn.endedAt, shared.at, now);
    const at = place.kind === 'present' ? place.at : Math.min(turn.endedAt, now);
    const bond = afterTurn(bondBefore, feelings, at);
    const before = moodsAt(shared, offset, temperament, at);
    if (place.kind === 'history') {
      feelers.between.set(pairOf(turn), { offset, bond });
      const felt = feltWith(before, needsBefore);
      return { kind: 'history', turn, companion, felt, bond, needs: null, at, before, steps: [] };
    }
    const needs = laterNeeds(needsBefore, feelings, companion, at);
    const steps = feelTurn(before, feelings);
    const after = steps.at(-1);
    feelers.own.set(companionId, { needs, shared: after ? { pad: after.shared, at } : shared });
    feelers.between.set(pairOf(turn), { bond, offset: after ? { pad: after.offset, at } : offset });
    const felt = feltWith(after ?? before, needs);
    return { kind: 'recorded', turn, companion, felt, bond, needs, at, before, steps };
  });
}

/** The needs after a turn. One that comes out of order meets them as they are by now: they never go back in time. */
function laterNeeds(
  before: NeedState,
  feelings: readonly Feeling[],
  { needs }: Companion,
  turnAt: number,
): NeedState {
  const at = Math.max(before.at, turnAt);
  return { levels: needsAfterTurn(needsAt(before, needs, at), feelings), at };
}
