import type { Persona } from '@kith/characters';
import { toJsonb, uuid7, type Writer } from '@kith/database';
import { INITIAL_LEVELS } from '../affect/needs/needs.js';

export type Origin = 'file' | 'edit' | 'rollback' | 'created';

export interface VersionedPersona {
  persona: Persona;
  version: number;
}

/**
 * Keeps a version of a persona, once. Gives a new companion its needs, which grow from then on, and adds the quirks
 * that the persona names. Quirks that it has already keep their strength, with two exceptions: habits that it picked
 * up, and quirks whose strength this version changes.
 */
export async function noteVersion(tx: Writer, { persona, version }: VersionedPersona, origin: Origin) {
  const { id: companionId, quirks } = persona;
  const kept = await tx.$executeRaw`
    INSERT INTO persona_versions (companion_id, version, persona, origin)
    VALUES (${companionId}, ${version}, ${JSON.stringify(persona)}::jsonb, ${origin})
    ON CONFLICT (companion_id, version) DO NOTHING`;
  await tx.$executeRaw`
    INSERT INTO needs (companion_id, levels, at) VALUES (${companionId}, ${INITIAL_LEVELS}::jsonb, now())
    ON CONFLICT (companion_id) DO NOTHING`;
  const seeds = quirks?.seeds ?? [];
  await tx.$executeRaw`
    DELETE FROM quirks WHERE companion_id = ${companionId} AND origin = 'persona' AND (kind, text) NOT IN (
      SELECT kind, text FROM jsonb_to_recordset(${toJsonb(seeds)}::jsonb) AS seed (kind text, text text))`;
  // A persona may name one twice, as "Maps" and "maps": the first counts, as for its strength from day to day.
  const rows = seeds
    .filter((seed, n) => n === seeds.findIndex(({ kind, text }) => kind === seed.kind && text === seed.text))
    .map(({ kind, text, strength }) => ({ id: uuid7(), kind, text, strength }));
  await tx.$executeRaw`
    INSERT INTO quirks (id, companion_id, kind, text, strength, origin, day)
    SELECT id, ${companionId}, kind, text, strength, 'persona', (now() AT TIME ZONE 'UTC')::date
    FROM jsonb_to_recordset(${toJsonb(rows)}::jsonb) AS seed (id uuid, kind text, text text, strength float8)
    ON CONFLICT (companion_id, kind, text, audience) DO UPDATE
      SET (origin, strength, day) = (excluded.origin, excluded.strength, excluded.day)
      WHERE quirks.origin = 'reflection' OR (${kept === 1} AND NOT EXISTS (
        SELECT FROM persona_versions AS former,
          jsonb_to_recordset(former.persona -> 'quirks' -> 'seeds') AS seed (kind text, text text, strength float8)
        WHERE former.companion_id = excluded.companion_id AND former.version = ${version - 1}
          AND (seed.kind, seed.text, seed.strength) = (excluded.kind, excluded.text, excluded.strength)))`;
}
