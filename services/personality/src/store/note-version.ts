import type { Writer } from '@kith/database';
import type { Origin, VersionedPersona } from './versioned-persona.js';

/** Keeps a version of a persona, once. */
export async function noteVersion(
  tx: Writer,
  { persona, version }: VersionedPersona,
  origin: Origin,
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO persona_versions (companion_id, version, persona, origin)
    VALUES (${persona.id}, ${version}, ${JSON.stringify(persona)}::jsonb, ${origin})
    ON CONFLICT (companion_id, version) DO NOTHING`;
}
