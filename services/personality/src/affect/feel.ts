import type { Pad } from '@kith/contracts';
import type { Bond } from './bond/bond.js';
import { afterTurn } from './bond/after-turn.js';
import type { Emotion } from './mood/emotions.js';
import { feltMood, type Moods, moodsAt, type MoodState, type Temperament } from './mood/mood-decay.js';
import { moveMood } from './mood/move-mood.js';
import { needsAfterTurn, needsAt, type NeedState, type NeedSettings } from './needs/needs.js';
import { needPull } from './needs/need-pull.js';

/** The part of a companion's persona that feeling depends on. */
export interface Character {
  temperament: Temperament;
  needs: NeedSettings;
}

/** A companion's own mood and needs, which everybody meets. */
export interface OwnAffect {
  shared: MoodState;
  needs: NeedState;
}

/** A companion's feelings towards one person: the offset of its mood, and the bond. */
export interface PairAffect {
  offset: MoodState;
  bond: Bond;
}

/** Everything a turn of one person is felt on top of; each part as of the time it last changed. */
export type AffectSnapshot = OwnAffect & PairAffect;

/** A snapshot after one more turn. */
export interface FeltMoods {
  /** `history` is from before the mood last moved: it builds the bond, and leaves mood and needs alone. */
  kind: 'present' | 'history';
  /** The time at which the turn counts as said, in milliseconds since the epoch. */
  at: number;
  /** The moods before it, and after each of its emotions. */
  before: Moods;
  steps: readonly Moods[];
  after: AffectSnapshot;
  /** The mood that the person meets after it, and the tension between the two. */
  met: Pad;
  tension: number;
}

/**
 * Feels one turn: moves mood, needs and bond by its emotions. Live turns and the replay of logged ones go through here,
 * so that a replay gives what was recorded, bit for bit.
 */
export function feel(
  stored: AffectSnapshot,
  { endedAt, emotions }: { endedAt: number; emotions: readonly Emotion[] },
  character: Character,
  now: number,
): FeltMoods {
  const spokenAt = Math.min(endedAt, now);
  // No part of a companion's state is later than its needs.
  const snapshot = notAfter(stored, Math.max(spokenAt, Math.min(stored.needs.at, now)));
  const place = placeInTime(endedAt, snapshot.shared.at, now);
  const at = place.kind === 'present' ? place.at : spokenAt;
  const before = moodsAt(snapshot.shared, snapshot.offset, character.temperament, at);
  const bond = afterTurn(snapshot.bond, emotions, at);
  const { tension } = bond;
  if (place.kind === 'history') {
    const met = moodMet(before, snapshot.needs, character);
    return { kind: 'history', at, before, steps: [], after: { ...stored, bond }, met, tension };
  }
  const steps = moveMood(before, emotions);
  const last = steps.at(-1);
  const after = {
    bond,
    // Unchanged where nothing was felt: the log of moods has no other time for them.
    shared: last ? { pad: last.shared, at } : stored.shared,
    offset: last ? { pad: last.offset, at } : stored.offset,
    needs: laterNeeds(snapshot.needs, emotions, character, at),
  };
  const met = moodMet(last ?? before, after.needs, character);
  return { kind: 'present', at, before, steps, after, met, tension };
}

/** Bounds the times of a snapshot: a clock that was ahead may have left future ones, which hold up turns. */
function notAfter({ shared, offset, needs, bond }: AffectSnapshot, latest: number): AffectSnapshot {
  const lastSpokeAt = bond.lastSpokeAt === null ? null : Math.min(bond.lastSpokeAt, latest);
  return {
    shared: { ...shared, at: Math.min(shared.at, latest) },
    offset: { ...offset, at: Math.min(offset.at, latest) },
    needs: { ...needs, at: Math.min(needs.at, latest) },
    bond: { ...bond, lastSpokeAt },
  };
}

/** Computes the mood that a returning person meets, with nothing new to feel. */
export function moodMetAt({ shared, offset, needs }: AffectSnapshot, character: Character, time: number) {
  const moods = moodsAt(shared, offset, character.temperament, time);
  return moodMet(moods, { levels: needsAt(needs, character.needs, time), at: time }, character);
}

function moodMet(moods: Moods, { levels }: NeedState, { needs }: Character): Pad {
  return feltMood(moods, needPull(levels, needs));
}

/**
 * Computes the needs after a turn. One a little out of order changes the present levels: needs never go back in time.
 * An older turn, such as one of imported talk, leaves them alone.
 */
function laterNeeds(before: NeedState, emotions: readonly Emotion[], { needs }: Character, turnAt: number) {
  if (before.at - turnAt > OUT_OF_ORDER_MS) return before;
  const at = Math.max(before.at, turnAt);
  return { levels: needsAfterTurn(needsAt(before, needs, at), emotions), at };
}

/** The place of a turn in the mood's own time. */
type TurnPlace = { kind: 'present'; at: number } | { kind: 'history' };

/**
 * Turns are appraised side by side, so one may be done before another that was spoken a little earlier. Within
 * this the later comer still counts, as if spoken when the mood last moved: over ten minutes even the quickest
 * mood loses under three percent.
 */
const OUT_OF_ORDER_MS = 10 * 60_000;

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
