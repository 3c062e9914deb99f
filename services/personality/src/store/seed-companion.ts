import { toJsonb, uuid7, type Writer } from '@kith/database';
import { Persona } from '@kith/characters';
import { SETTLED } from '../affect/needs/needs.js';

/** Gives a companion its needs, which begin to grow when it comes to be, and the quirks its persona names. */
export async function seedCompanion(tx: Writer, { id: companionId, quirks }: Persona): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO needs (companion_id, levels, at) VALUES (${companionId}, ${SETTLED}::jsonb, now())
    ON CONFLICT (companion_id) DO NOTHING`;
  const seeds = quirks?.seeds ?? [];
  await tx.$executeRaw`
    DELETE FROM quirks WHERE companion_id = ${companionId} AND origin = 'persona' AND (kind, text) NOT IN (
      SELECT kind, text FROM jsonb_to_recordset(${toJsonb(seeds)}::jsonb) AS seed (kind text, text text))`;
  const rows = seeds.map(({ kind, text, strength }) => ({ id: uuid7(), kind, text, strength }));
  await tx.$executeRaw`
    INSERT INTO quirks (id, companion_id, kind, text, strength, origin, day)
    SELECT id, ${companionId}, kind, text, strength, 'persona', (now() AT TIME ZONE 'UTC')::date
    FROM jsonb_to_recordset(${toJsonb(rows)}::jsonb) AS seed (id uuid, kind text, text text, strength float8)
    ON CONFLICT DO NOTHING`;
}
