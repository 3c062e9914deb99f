import type { Emotion, EmotionName } from './mood/emotions.js';
import { Appraisal } from './appraisal.js';

/** Degree from which liking is love and disliking is hate: OCC sees one branch, and only degree tells them apart. */
const LOVE_FROM = 0.75;

/** A hope or fear on someone's behalf is felt less than one's own. */
const ON_BEHALF = 0.7;

/** A weaker feeling is noise: it would move the mood by less than a plot can show. */
const FAINTEST = 0.05;

/** An outcome and a deed felt as one: OCC's four compounds. */
const COMPOUNDS: readonly [outcome: EmotionName, deed: EmotionName, compound: EmotionName][] = [
  ['joy', 'pride', 'gratification'],
  ['distress', 'shame', 'remorse'],
  ['joy', 'admiration', 'gratitude'],
  ['distress', 'reproach', 'anger'],
];

/**
 * The emotions an appraised event calls up, by OCC's three branches. At most two: an outcome and a deed that
 * belong together come out as their compound, as strong as the two on average.
 */
export function emotionsOf(appraisal: Appraisal): Emotion[] {
  if (appraisal.target === 'object') return [aspectOf(appraisal)].filter(isFelt);
  const outcome = [outcomeOf(appraisal)].find(isFelt);
  const deed = [deedOf(appraisal)].find(isFelt);
  for (const [outcomeName, deedName, name] of COMPOUNDS) {
    if (outcome?.name === outcomeName && deed?.name === deedName) {
      return [{ name, intensity: (outcome.intensity + deed.intensity) / 2 }];
    }
  }
  return [outcome, deed].filter((emotion) => emotion !== undefined);
}

function isFelt(emotion: Emotion | undefined): emotion is Emotion {
  return emotion !== undefined && emotion.intensity >= FAINTEST;
}

function aspectOf({ appealingness }: Appraisal): Emotion {
  const intensity = Math.abs(appealingness);
  if (appealingness < 0) return { name: intensity >= LOVE_FROM ? 'hate' : 'disliking', intensity };
  return { name: intensity >= LOVE_FROM ? 'love' : 'liking', intensity };
}

function deedOf({ praiseworthiness, causedBy }: Appraisal): Emotion | undefined {
  if (causedBy === 'circumstances') return undefined;
  const intensity = Math.abs(praiseworthiness);
  if (causedBy === 'self') return { name: praiseworthiness < 0 ? 'shame' : 'pride', intensity };
  return { name: praiseworthiness < 0 ? 'reproach' : 'admiration', intensity };
}

function outcomeOf(appraisal: Appraisal): Emotion {
  const { desirability, prospect, target, appealingness } = appraisal;
  const strength = Math.abs(desirability);
  if (prospect !== 'none') {
    const share = target === 'self' ? 1 : ON_BEHALF;
    return { name: prospectEmotion(appraisal), intensity: strength * share * certaintyOf(appraisal) };
  }
  if (target === 'self') return { name: desirability < 0 ? 'distress' : 'joy', intensity: strength };
  const wishesWell = appealingness >= 0;
  if (desirability < 0) return { name: wishesWell ? 'pity' : 'gloating', intensity: strength };
  return { name: wishesWell ? 'happy-for' : 'resentment', intensity: strength };
}

/** A prospect ahead counts by its chance; one that is settled counts in full. */
function certaintyOf({ prospect, likelihood }: Appraisal): number {
  return prospect === 'hoped' || prospect === 'feared' ? (1 + likelihood) / 2 : 1;
}

function prospectEmotion({ prospect, desirability }: Appraisal): EmotionName {
  if (prospect === 'hoped') return 'hope';
  if (prospect === 'feared') return 'fear';
  if (prospect === 'confirmed') return desirability < 0 ? 'fears-confirmed' : 'satisfaction';
  return desirability < 0 ? 'relief' : 'disappointment';
}

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
