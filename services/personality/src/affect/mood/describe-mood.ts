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

/** Labels that tell of a grudge, and what they are called where there is none. */
const WITHOUT_GRUDGE: Readonly<Record<string, string>> = { disdainful: 'sombre', hostile: 'tense' };

/**
 * Names a mood without telling of a grudge. The sorrow and worry that somebody shares bring a self-assured companion to
 * the places of contempt and anger, too.
 */
export function withoutGrudge({ label, ...mood }: MoodView): MoodView {
  return { ...mood, label: WITHOUT_GRUDGE[label] ?? label };
}

/** Tension between two from which a mood may be one of a grudge: less of it nobody notices. */
const GRUDGE = 0.1;

/**
 * Names a mood as somebody meets it. It tells of a grudge where there is tension between the two, or that is the
 * companion's nature.
 * @param tension that of their bond, 0 to 1; none where nobody meets it
 */
export function describeMet(felt: Pad, { baseline, tension }: { baseline: Pad; tension: number }): MoodView {
  const mood = describeMood(felt);
  return tension >= GRUDGE || baseline.p < 0 ? mood : withoutGrudge(mood);
}

function strengthOf(length: number): string {
  if (length <= STRENGTH_STEP) return 'slightly';
  return length <= 2 * STRENGTH_STEP ? 'moderately' : 'fully';
}
