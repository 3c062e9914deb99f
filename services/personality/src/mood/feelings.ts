import { type Appraisal, emotionsOf } from '../appraisal/appraisal.js';
import type { Emotion, EmotionName } from './emotions.js';

/** An emotion with the reading it came from. */
export interface Feeling extends Emotion {
  appraisal: Appraisal;
}

/**
 * What a turn's readings make the companion feel, strongest first and equally strong ones by name, so that the
 * order of the readings is of no weight. Each emotion once, at its strongest: saying a thing twice in a breath
 * does not double it.
 */
export function feelingsOf(appraisals: readonly Appraisal[]): Feeling[] {
  const strongest = new Map<EmotionName, Feeling>();
  for (const appraisal of appraisals) {
    for (const emotion of emotionsOf(appraisal)) {
      const known = strongest.get(emotion.name);
      if (!known || emotion.intensity > known.intensity)
        strongest.set(emotion.name, { ...emotion, appraisal });
    }
  }
  return [...strongest.values()].sort(
    (one, other) => other.intensity - one.intensity || (one.name < other.name ? -1 : 1),
  );
}
