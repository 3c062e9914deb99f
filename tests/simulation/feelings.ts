import { HOUR_MS, type Pad } from '@kith/contracts';
import { appraiseByRules } from '../../services/personality/dist/reading/english/appraise-by-rules.js';
import { baselineOf } from '../../services/personality/dist/affect/mood/baseline-of.js';
import { feelingsOf } from '../../services/personality/dist/affect/emotions-of.js';
import { moveMood } from '../../services/personality/dist/affect/mood/move-mood.js';
import {
  feltMood,
  moodsAt,
  type MoodState,
  type Temperament,
} from '../../services/personality/dist/affect/mood/mood-decay.js';
import type { Persona } from '@kith/characters';

/** A companion's mood among several people, by the personality service's own functions, read by its rules. */
export class Feelings {
  private readonly temperament: Temperament;
  private readonly name: string;
  private readonly offsets = new Map<string, MoodState>();
  private shared: MoodState;

  constructor({ name, traits, moodHalfLifeHours }: Persona, at: Date) {
    this.name = name;
    this.temperament = { baseline: baselineOf(traits), halfLifeMs: moodHalfLifeHours * HOUR_MS };
    this.shared = { pad: this.temperament.baseline, at: at.getTime() };
  }

  /** Somebody said this to it. */
  hear(person: string, text: string, at: Date): void {
    const emotions = feelingsOf(appraiseByRules([text], this.name));
    const after = moveMood(this.at(person, at), emotions).at(-1);
    if (!after) return;
    this.shared = { pad: after.shared, at: at.getTime() };
    this.offsets.set(person, { pad: after.offset, at: at.getTime() });
  }

  /** Its mood towards somebody. */
  towards(person: string, at: Date): Pad {
    return feltMood(this.at(person, at));
  }

  private at(person: string, at: Date) {
    const offset = this.offsets.get(person) ?? { pad: { p: 0, a: 0, d: 0 }, at: at.getTime() };
    return moodsAt(this.shared, offset, this.temperament, at.getTime());
  }
}
