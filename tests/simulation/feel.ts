import type { Pad } from '@kith/contracts';
import { appraiseByRules } from '../../services/personality/dist/appraisal/appraise-by-rules.js';
import { baselineOf } from '../../services/personality/dist/mood/baseline.js';
import { feelingsOf } from '../../services/personality/dist/mood/feelings.js';
import {
  feelTurn,
  feltMood,
  moodsAt,
  type MoodState,
  type Temperament,
} from '../../services/personality/dist/mood/mood-dynamics.js';
import type { Persona } from '../../services/personality/dist/persona/persona-file.js';

/** A companion's mood among several people, by the personality service's own functions, read by its rules. */
export class Feelings {
  readonly #temperament: Temperament;
  readonly #name: string;
  readonly #offsets = new Map<string, MoodState>();
  #shared: MoodState;

  constructor({ name, traits, moodHalfLifeHours }: Persona, at: Date) {
    this.#name = name;
    this.#temperament = { baseline: baselineOf(traits), halfLifeMs: moodHalfLifeHours * 3_600_000 };
    this.#shared = { pad: this.#temperament.baseline, at: at.getTime() };
  }

  /** Somebody said this to it. */
  hear(person: string, text: string, at: Date): void {
    const emotions = feelingsOf(appraiseByRules([text], this.#name));
    const after = feelTurn(this.#at(person, at), emotions).at(-1);
    if (!after) return;
    this.#shared = { pad: after.shared, at: at.getTime() };
    this.#offsets.set(person, { pad: after.offset, at: at.getTime() });
  }

  /** Its mood towards somebody. */
  towards(person: string, at: Date): Pad {
    return feltMood(this.#at(person, at));
  }

  #at(person: string, at: Date) {
    const offset = this.#offsets.get(person) ?? { pad: { p: 0, a: 0, d: 0 }, at: at.getTime() };
    return moodsAt(this.#shared, offset, this.#temperament, at.getTime());
  }
}
