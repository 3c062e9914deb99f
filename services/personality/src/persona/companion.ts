import { HOUR_MS, type CompanionView } from '@kith/contracts';
import { baselineOf } from '../affect/mood/baseline-of.js';
import { USUAL_RULES } from './quirk.js';
import { personaBlock } from './persona-block.js';
import type { Persona } from '@kith/characters';
import { needSettings } from '../affect/needs/needs.js';

/** Works out what follows from a version of a persona. `suiteZone` is where companions live whose persona names no zone. */
export function toCompanion(persona: Persona, version: number, suiteZone: string) {
  const { id, name, tagline, about, traits, heartbeat } = persona;
  const view: CompanionView = {
    id,
    name,
    tagline,
    description: about ?? '',
    traits,
    version,
    timeZone: persona.timeZone ?? suiteZone,
    ...(heartbeat && { heartbeatsPerNight: heartbeat.peoplePerNight }),
  };
  return {
    persona,
    view,
    temperament: { baseline: baselineOf(traits), halfLifeMs: persona.moodHalfLifeHours * HOUR_MS },
    needs: needSettings(persona.needs),
    quirkRules: persona.quirks ?? USUAL_RULES,
    personaBlock: personaBlock(persona),
  };
}

/** A companion as it is in force, with what follows from its persona worked out once. */
export type Companion = ReturnType<typeof toCompanion>;
