import type { Pad, SharedJoke } from '@kith/contracts';
import { type Bond, STRANGERS } from '../affect/bond/bond.js';
import type { AffectSnapshot, PairAffect } from '../affect/feel.js';
import { atRest, type MoodState, NO_OFFSET, type Temperament } from '../affect/mood/mood-decay.js';
import { padOf } from '../affect/mood/pad.js';
import { type NeedLevels, type NeedState, SETTLED } from '../affect/needs/needs.js';
import type { Quirk } from '../persona/quirk.js';

/** Mood, needs, bond and quirks as stored, each as of its own time. */
export interface StoredSnapshot extends AffectSnapshot {
  quirks: readonly Quirk[];
  /** The jokes of the two, whoever may hear of them; the one that came back last first. */
  jokes: readonly SharedJoke[];
  selfNote: string | null;
}

/** Needs that rest and do not grow: no time is after them. */
const NOT_BEGUN: NeedState = { levels: SETTLED, at: Number.MAX_SAFE_INTEGER };

interface MoodColumns extends Pad {
  at: Date;
}

interface PairColumns extends Omit<Bond, 'firstMetAt' | 'lastSpokeAt'> {
  offset_p: number;
  offset_a: number;
  offset_d: number;
  offset_at: Date;
  first_met_at: Date;
  last_spoke_at: Date;
}

/** A row of outer joins: the columns of one table are all there, or none is. */
type OrNull<Columns> = Columns | { [Column in keyof Columns]: null };

/** A row as `readSnapshot` reads it. */
export type SnapshotRow = OrNull<MoodColumns> &
  OrNull<PairColumns> & {
    need_levels: NeedLevels | null;
    need_at: Date | null;
    quirks: Quirk[] | null;
    jokes: SharedJoke[] | null;
    note: string | null;
  };

/** Builds the snapshot of a row. Where the row is silent: a companion at rest, among strangers. */
export function snapshotOf(row: SnapshotRow, temperament: Temperament): StoredSnapshot {
  return {
    ...pairAffectOf(row),
    shared: row.at === null ? atRest(temperament) : moodOf(row),
    needs: needStateOf(row.need_levels, row.need_at),
    quirks: row.quirks ?? [],
    jokes: row.jokes ?? [],
    selfNote: row.note,
  };
}

/** Builds what there is between companion and person. */
export function pairAffectOf(row: SnapshotRow): PairAffect {
  if (row.stage === null) return { offset: NO_OFFSET, bond: STRANGERS };
  return {
    offset: { pad: { p: row.offset_p, a: row.offset_a, d: row.offset_d }, at: row.offset_at.getTime() },
    bond: {
      familiarity: row.familiarity,
      affection: row.affection,
      trust: row.trust,
      interactions: row.interactions,
      tension: row.tension,
      sentiment: row.sentiment,
      stage: row.stage,
      strained: row.strained,
      milestones: row.milestones,
      firstMetAt: row.first_met_at.getTime(),
      lastSpokeAt: row.last_spoke_at.getTime(),
    },
  };
}

/** Builds a mood of a row's columns. */
export function moodOf(row: MoodColumns): MoodState {
  return { pad: padOf(row), at: row.at.getTime() };
}

/** Builds the state of needs. A companion's needs are there from when it was registered; until then none grows. */
export function needStateOf(levels: NeedLevels | null, at: Date | null): NeedState {
  return levels && at ? { levels, at: at.getTime() } : NOT_BEGUN;
}
