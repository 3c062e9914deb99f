import { toJsonb, type Writer } from '@kith/database';
import type { PairAffect } from '../affect/feel.js';
import type { Pair } from '../affect/feel-turns.js';

/** Saves the bond and the offset of a pair. */
export async function savePair(
  tx: Writer,
  { companionId, personId }: Pair,
  { bond, offset }: PairAffect,
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO relationships (companion_id, person_id, familiarity, affection, trust, interactions, tension, sentiment,
      stage, strained, milestones, first_met_at, last_spoke_at, offset_p, offset_a, offset_d, offset_at)
    VALUES (${companionId}, ${personId}::uuid, ${bond.familiarity}, ${bond.affection}, ${bond.trust},
      ${bond.interactions}, ${bond.tension}, ${bond.sentiment}, ${bond.stage}, ${bond.strained},
      ${toJsonb(bond.milestones)}::jsonb, ${new Date(bond.firstMetAt ?? 0)}, ${new Date(bond.lastSpokeAt ?? 0)},
      ${offset.pad.p}, ${offset.pad.a}, ${offset.pad.d}, ${new Date(offset.at)})
    ON CONFLICT (companion_id, person_id) DO UPDATE SET
      (familiarity, affection, trust, interactions, tension, sentiment, stage, strained, milestones, first_met_at,
        last_spoke_at, offset_p, offset_a, offset_d, offset_at) =
      (excluded.familiarity, excluded.affection, excluded.trust, excluded.interactions, excluded.tension,
        excluded.sentiment, excluded.stage, excluded.strained, excluded.milestones, excluded.first_met_at,
        excluded.last_spoke_at, excluded.offset_p, excluded.offset_a, excluded.offset_d, excluded.offset_at)`;
}
