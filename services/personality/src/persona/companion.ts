import { HOUR_MS, type CompanionView } from '@kith/contracts';
import { baselineOf } from '../affect/mood/baseline-of.js';
import type { Temperament } from '../affect/mood/mood-decay.js';
import { type QuirkRules, USUAL_RULES } from './quirk.js';
import { personaBlock } from './persona-block.js';
import type { Persona } from '@kith/characters';
import { type NeedSettings, needSettings } from '../affect/needs/needs.js';

/** A companion as it is in force, with what follows from its persona worked out once. */
export interface Companion {
  persona: Persona;
  view: CompanionView;
  temperament: Temperament;
  needs: NeedSettings;
  quirkRules: QuirkRules;
  personaBlock: string;
}

/** Works out what follows from a version of a persona. `suiteZone` is where companions live whose persona names no zone. */
export function toCompanion(persona: Persona, version: number, suiteZone: string): Companion {
  const { id, name, tagline, about, traits, heartbeat } = persona;
  return {
    persona,
    view: {
      ...{ id, name, tagline, description: about ?? '', traits, version },
      timeZone: persona.timeZone ?? suiteZone,
      ...(heartbeat && { heartbeatsPerNight: heartbeat.peoplePerNight }),
    },
    temperament: { baseline: baselineOf(traits), halfLifeMs: persona.moodHalfLifeHours * HOUR_MS },
    needs: needSettings(persona.needs),
    quirkRules: persona.quirks ?? USUAL_RULES,
    personaBlock: personaBlock(persona),
  };
}
