import type { Pad, SharedJoke } from '@kith/contracts';
import { sql, type Reader } from '@kith/database';
import { type Bond, STRANGERS } from '../affect/bond/bond.js';
import type { PairAffect } from '../affect/feel.js';
import { atRest, type MoodState, NO_OFFSET, type Temperament } from '../affect/mood/mood-decay.js';
import { padOf } from '../affect/mood/pad.js';
import { type NeedLevels, type NeedState, INITIAL_LEVELS } from '../affect/needs/needs.js';
import type { Quirk } from '../persona/quirk.js';

/** Needs that rest and do not grow: no time is after them. */
const NOT_BEGUN: NeedState = { levels: INITIAL_LEVELS, at: Number.MAX_SAFE_INTEGER };

type MoodColumns = Pad & { at: Date };

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

type SnapshotRow = OrNull<MoodColumns> &
  OrNull<PairColumns> & {
    need_levels: NeedLevels | null;
    need_at: Date | null;
    quirks: Quirk[] | null;
    jokes: SharedJoke[] | null;
    note: string | null;
  };

const PAIR_COLUMNS = sql`r.familiarity, r.affection, r.trust, r.interactions, r.tension, r.sentiment, r.stage, r.strained,
  r.milestones, r.offset_p, r.offset_a, r.offset_d, r.offset_at, r.first_met_at, r.last_spoke_at`;

/** Reads mood, needs, bond, quirks and the note of `noteDay` in one statement, in the scope of this person. */
export async function readSnapshot(
  reader: Reader,
  companionId: string,
  personId: string,
  noteDay: string | null,
): Promise<SnapshotRow> {
  const [row] = await reader.$queryRaw<[SnapshotRow]>`
    SELECT m.p, m.a, m.d, m.at, ${PAIR_COLUMNS},
      w.levels AS need_levels, w.at AS need_at, n.text AS note,
      (SELECT jsonb_agg(to_jsonb(q) - ARRAY['id', 'companion_id', 'created_at']) FROM quirks q
        WHERE q.companion_id = c.companion_id) AS quirks,
      (SELECT jsonb_agg(jsonb_build_object('phrase', j.phrase, 'audience', j.audience, 'turnIds', j.turn_ids,
          'day', to_char(j.laughed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')) ORDER BY j.returned_at DESC)
        FROM shared_jokes j WHERE j.companion_id = c.companion_id AND j.person_id = ${personId}::uuid
          AND j.phrase IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM personality_left_places AS gone WHERE gone.audience = j.audience)) AS jokes
    FROM (SELECT ${companionId}::text AS companion_id) c
    LEFT JOIN moods m USING (companion_id)
    LEFT JOIN needs w USING (companion_id)
    LEFT JOIN relationships r ON r.companion_id = c.companion_id AND r.person_id = ${personId}::uuid
    LEFT JOIN self_notes n ON n.companion_id = c.companion_id AND n.day = ${noteDay}::date`;
  return row;
}

/** Reads what there is between companion and person, in the scope of this person. */
export async function readPairAffect(
  reader: Reader,
  companionId: string,
  personId: string,
): Promise<PairAffect> {
  const [row] = await reader.$queryRaw<PairColumns[]>`
    SELECT ${PAIR_COLUMNS} FROM relationships AS r
    WHERE companion_id = ${companionId} AND person_id = ${personId}::uuid`;
  return pairAffectOf(row);
}

/**
 * Builds mood, needs, bond and quirks, each as of its own time. Empty columns give a companion at rest, among strangers. The
 * joke that came back last is first, whoever may hear of it.
 */
export function snapshotOf(row: SnapshotRow, temperament: Temperament) {
  return {
    ...pairAffectOf(row),
    shared: row.at === null ? atRest(temperament) : moodOf(row),
    needs: needStateOf(row.need_levels, row.need_at),
    quirks: row.quirks ?? [],
    jokes: row.jokes ?? [],
    selfNote: row.note,
  };
}

function pairAffectOf(row: OrNull<PairColumns> | undefined): PairAffect {
  if (row === undefined || row.stage === null) return { offset: NO_OFFSET, bond: STRANGERS };
  const { familiarity, affection, trust, interactions, tension, sentiment } = row;
  const { stage, strained, milestones } = row;
  return {
    offset: { pad: { p: row.offset_p, a: row.offset_a, d: row.offset_d }, at: row.offset_at.getTime() },
    bond: {
      familiarity,
      affection,
      trust,
      interactions,
      tension,
      sentiment,
      stage,
      strained,
      milestones,
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
