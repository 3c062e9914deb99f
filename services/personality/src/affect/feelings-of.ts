import type { Appraisal } from './appraisal.js';
import { emotionsOf } from './emotions-of.js';
import type { Emotion, EmotionName } from './mood/emotions.js';

/** An emotion with the reading it came from. */
export interface Feeling extends Emotion {
  appraisal: Appraisal;
}

/**
 * Turns a turn's readings into feelings, strongest first and equally strong ones by name, so that the order of the
 * readings does not matter. Each emotion counts once, at its strongest: saying a thing twice does not double it.
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
