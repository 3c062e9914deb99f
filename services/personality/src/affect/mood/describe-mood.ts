import type { MoodView, Pad } from '@kith/contracts';
import { dot } from './pad.js';

/** The octants by the signs of pleasure, arousal and dominance (Mehrabian). An axis at zero counts as positive. */
const OCTANTS: Readonly<Record<string, string>> = {
  '+++': 'exuberant',
  '++-': 'dependent',
  '+-+': 'relaxed',
  '+--': 'docile',
  '---': 'bored',
  '--+': 'disdainful',
  '-+-': 'anxious',
  '-++': 'hostile',
};

/** Distance from the middle of the space within which a mood has no direction that anybody would notice. */
const BALANCED = 0.1;

/** A third of the cube's half diagonal, √3: strengths are thirds of it (Gebhard 2005). */
const STRENGTH_STEP = Math.sqrt(3) / 3;

/** Names a mood by its octant and by its distance from the middle of the space, where it is none of the eight. */
export function describeMood(pad: Pad): MoodView {
  const length = Math.sqrt(dot(pad, pad));
  if (length < BALANCED) return { pad, label: 'balanced', strength: 'evenly' };
  const key = [pad.p, pad.a, pad.d].map((value) => (value < 0 ? '-' : '+')).join('');
  return { pad, label: OCTANTS[key] ?? 'relaxed', strength: strengthOf(length) };
}

/**
 * Words a mood for a sentence: "slightly relaxed". Mehrabian's "bored" is also the octant of pity and distress, and
 * nobody who told of a loss is to read that it bored the companion.
 */
export function moodInWords(pad: Pad): string {
  const { label, strength } = describeMood(pad);
  return `${strength} ${label === 'bored' ? 'subdued' : label}`;
}

function strengthOf(length: number): string {
  if (length <= STRENGTH_STEP) return 'slightly';
  return length <= 2 * STRENGTH_STEP ? 'moderately' : 'fully';
}
