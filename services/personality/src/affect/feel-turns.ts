import { present } from '@kith/contracts';
import { type Character, feel, type FeltMoods, moodMetAt, type OwnAffect, type PairAffect } from './feel.js';
import { tensionAt } from './bond/bond.js';
import type { Feeling } from './emotions-of.js';

/** A companion and a person. */
export interface Pair {
  companionId: string;
  personId: string;
}

/** A turn with the feelings it called up, on its way to be felt. */
export interface TurnToFeel extends Pair {
  turnId: string;
  /** The time of the person's last words in it, in milliseconds since the epoch. */
  endedAt: number;
  feelings: readonly Feeling[];
  character: Character;
}

/** A turn as it was felt; `repeat`: it was recorded before, and nothing is felt again. */
export type FeltTurn<T extends TurnToFeel = TurnToFeel> = { turn: T } & (
  | FeltMoods
  | ({ kind: 'repeat' } & Pick<FeltMoods, 'met' | 'tension'>)
);

/** The state of all companions, by id, and pairs, by `pairKey`, that some turns concern. */
export interface AffectStates {
  own: ReadonlyMap<string, OwnAffect>;
  pairs: ReadonlyMap<string, PairAffect>;
}

/** Names a pair in a map. */
export function pairKey({ companionId, personId }: Pair): string {
  return `${companionId} ${personId}`;
}

/** Feels turns in their order, each on top of the one before it. Returns them with the states they leave. */
export function feelTurns<T extends TurnToFeel>(
  turns: readonly T[],
  isNew: (turnId: string) => boolean,
  states: AffectStates,
  now: number,
): { felt: FeltTurn<T>[]; after: AffectStates } {
  const own = new Map(states.own);
  const pairs = new Map(states.pairs);
  const felt = turns.map((turn): FeltTurn<T> => {
    const { companionId, character, endedAt, feelings } = turn;
    const snapshot = { ...present(own.get(companionId)), ...present(pairs.get(pairKey(turn))) };
    if (!isNew(turn.turnId)) {
      const { at } = snapshot.shared;
      const tension = tensionAt(snapshot.bond, at);
      return { kind: 'repeat', turn, met: moodMetAt(snapshot, character, at), tension };
    }
    const one = feel(snapshot, { endedAt, emotions: feelings }, character, now);
    const { shared, needs, offset, bond } = one.after;
    own.set(companionId, { shared, needs });
    pairs.set(pairKey(turn), { offset, bond });
    return { ...one, turn };
  });
  return { felt, after: { own, pairs } };
}
