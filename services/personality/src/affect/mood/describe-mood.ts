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

/** A third of the cube's half diagonal, √3: strengths are thirds of it (Gebhard 2005). */
const STRENGTH_STEP = Math.sqrt(3) / 3;

/** Names a mood by its octant and by its distance from the middle of the space. */
export function describeMood(pad: Pad): MoodView {
  const key = [pad.p, pad.a, pad.d].map((value) => (value < 0 ? '-' : '+')).join('');
  return { pad, label: OCTANTS[key] ?? 'relaxed', strength: strengthOf(Math.sqrt(dot(pad, pad))) };
}

function strengthOf(length: number): string {
  if (length <= STRENGTH_STEP) return 'slightly';
  return length <= 2 * STRENGTH_STEP ? 'moderately' : 'fully';
}
