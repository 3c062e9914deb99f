import type { SharedJoke } from '@kith/contracts';
import type { Reader } from '@kith/database';
import type { MoodState, Temperament } from '../mood/mood-dynamics.js';
import { ORIGIN } from '../mood/pad.js';
import { type NeedLevels, type NeedState, SETTLED } from '../needs/needs.js';
import type { Quirk } from '../quirks/quirk.js';
import { type Bond, STRANGERS } from '../relationship/bond.js';

/** Mood, needs, bond and quirks as stored, each with its own time. */
export interface Standing {
  quirks: readonly Quirk[];
  needs: NeedState;
  shared: MoodState;
  offset: MoodState;
  bond: Bond;
  /** Of the two, whoever may hear of them; the one that came back last first. */
  jokes: readonly SharedJoke[];
}

/** At rest and not growing: no time is after it. */
const NOT_BEGUN: NeedState = { levels: SETTLED, at: Number.MAX_SAFE_INTEGER };

interface StandingRow {
  p: number | null;
  a: number | null;
  d: number | null;
  at: Date | null;
  familiarity: number | null;
  affection: number | null;
  trust: number | null;
  interactions: number | null;
  tension: number | null;
  sentiment: number | null;
  stage: Bond['stage'] | null;
  strained: boolean | null;
  milestones: Bond['milestones'] | null;
  offset_p: number | null;
  offset_a: number | null;
  offset_d: number | null;
  offset_at: Date | null;
  first_met_at: Date | null;
  last_spoke_at: Date | null;
  need_levels: NeedLevels | null;
  need_at: Date | null;
  quirks: Quirk[] | null;
  jokes: SharedJoke[] | null;
  note: string | null;
}

/** Reads mood, needs, bond, quirks and the note of `noteDay` at once. Within `asPerson` of this person. */
export function readStanding(
  reader: Reader,
  companionId: string,
  personId: string,
  noteDay: string | null,
): Promise<StandingRow[]> {
  return reader.$queryRaw<StandingRow[]>`
    SELECT m.p, m.a, m.d, m.at, r.familiarity, r.affection, r.trust, r.interactions,
      r.tension, r.sentiment, r.stage, r.strained, r.milestones,
      r.offset_p, r.offset_a, r.offset_d, r.offset_at, r.first_met_at, r.last_spoke_at,
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
}

/** What the row says; where it is silent, the companion at rest, among strangers. */
export function standingOf(row: StandingRow | undefined, temperament: Temperament): Standing {
  const rest = atRest(temperament);
  if (!row) {
    return {
      shared: rest,
      offset: { pad: ORIGIN, at: rest.at },
      needs: NOT_BEGUN,
      bond: STRANGERS,
      quirks: [],
      jokes: [],
    };
  }
  return {
    quirks: row.quirks ?? [],
    jokes: row.jokes ?? [],
    needs: needStateOf(row.need_levels, row.need_at),
    shared: row.at ? { pad: { p: row.p ?? 0, a: row.a ?? 0, d: row.d ?? 0 }, at: row.at.getTime() } : rest,
    offset: {
      pad: { p: row.offset_p ?? 0, a: row.offset_a ?? 0, d: row.offset_d ?? 0 },
      at: row.offset_at?.getTime() ?? rest.at,
    },
    bond: {
      familiarity: row.familiarity ?? STRANGERS.familiarity,
      affection: row.affection ?? STRANGERS.affection,
      trust: row.trust ?? STRANGERS.trust,
      interactions: row.interactions ?? STRANGERS.interactions,
      tension: row.tension ?? STRANGERS.tension,
      sentiment: row.sentiment ?? STRANGERS.sentiment,
      stage: row.stage ?? STRANGERS.stage,
      strained: row.strained ?? STRANGERS.strained,
      milestones: row.milestones ?? STRANGERS.milestones,
      firstMetAt: row.first_met_at?.getTime() ?? null,
      lastSpokeAt: row.last_spoke_at?.getTime() ?? null,
    },
  };
}

/** A companion's needs are there from when it was registered; until then none grows. */
export function needStateOf(levels: NeedLevels | null, at: Date | null): NeedState {
  return levels && at ? { levels, at: at.getTime() } : NOT_BEGUN;
}

/** A companion that nothing has happened to: at its baseline, since the epoch, so that anything comes later. */
export function atRest({ baseline }: Temperament): MoodState {
  return { pad: baseline, at: 0 };
}
