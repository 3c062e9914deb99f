import type { Reader } from '@kith/database';
import type { SnapshotRow } from './snapshot-of.js';

/** Reads mood, needs, bond, quirks and the note of `noteDay` in one statement, in the scope of this person. */
export async function readSnapshot(
  reader: Reader,
  companionId: string,
  personId: string,
  noteDay: string | null,
): Promise<SnapshotRow> {
  const [row] = await reader.$queryRaw<[SnapshotRow]>`
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
  return row;
}
