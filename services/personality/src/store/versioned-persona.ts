import { Persona } from '@kith/characters';

/** The origin of a persona's version. */
export type Origin = 'file' | 'edit' | 'rollback' | 'created';

/** A persona with the version that it is. */
export interface VersionedPersona {
  persona: Persona;
  version: number;
}
