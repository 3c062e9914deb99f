import type { Emotion } from '../mood/emotions.js';
import { reachedBy } from './milestones.js';
import { meaningOf } from './meaning-of.js';
import { isStrained } from './stage.js';
import { type Bond, bondAt, tensionAt, remaining } from './bond.js';

/** Each turn closes this part of what is still unfamiliar: half after some 35 turns, most after a hundred. */
const FAMILIARITY_STEP = 0.02;

/** A turn's full affection or its opposite closes this part of the way to the end of the scale. */
const AFFECTION_STEP = 0.05;

/** Trust is built slowly and lost three times as fast. */
const TRUST_GAIN = 0.02;
const TRUST_LOSS = 0.06;

/** A turn's full harshness, or its opposite, closes this part of the way to the end of the scale. */
const TENSION_STEP = 0.5;

/** Each turn's part in the moving average: the last twenty or so are what counts. */
const SENTIMENT_STEP = 0.1;

/** Moves a bond by one more turn that was spoken at `at` and called up these emotions. */
export function afterTurn(bond: Bond, emotions: readonly Emotion[], at: number): Bond {
  const affection = meaningOf(emotions, 'affection');
  const trust = meaningOf(emotions, 'trust');
  const lastSpokeAt = Math.max(bond.lastSpokeAt ?? at, at);
  const tension = tensionAt(bond, lastSpokeAt);
  const changed = {
    ...bond,
    // Once time has eased a strain, a new quarrel counts as a new strain.
    strained: isStrained(bond.strained, tension),
    familiarity: toward(bond.familiarity, FAMILIARITY_STEP),
    affection: toward(bond.affection, affection * AFFECTION_STEP),
    trust: toward(bond.trust, trust * (trust < 0 ? TRUST_LOSS : TRUST_GAIN)),
    sentiment: bond.sentiment + (affection - bond.sentiment) * SENTIMENT_STEP,
    interactions: bond.interactions + 1,
    // Harsh words that come in late have already faded by the time that has passed since.
    tension: toward(tension, -affection * TENSION_STEP * remaining(lastSpokeAt - at)),
    firstMetAt: Math.min(bond.firstMetAt ?? at, at),
    lastSpokeAt,
  };
  return {
    ...bondAt(changed, lastSpokeAt),
    milestones: [...bond.milestones, ...reachedBy(bond, changed, at)],
  };
}

/** Moves a value in [0, 1] by a part of what is left in that direction: it nears the ends and never passes. */
function toward(value: number, step: number): number {
  return value + step * (step < 0 ? value : 1 - value);
}
