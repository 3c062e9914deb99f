import type { Pad } from '@kith/contracts';
import type { Persona } from '@kith/characters';
import type { Bond, Stage } from '../affect/bond/bond.js';

const ADDRESS: Readonly<Record<Stage, string>> = {
  stranger: 'polite',
  acquaintance: 'easy',
  friend: 'familiar',
  'close-friend': 'like an old friend',
};

/** A mood nearer to its baseline than this is the usual one: nobody notices less. */
export const NOTICEABLE = 0.1;

/**
 * Turns a felt mood into style. Each knob is a blend of mood and bond as they are now, cut in three. The cuts are set so
 * that an agreeable character in its baseline mood is friendly with strangers and warm with friends, and that the shipped
 * ones differ with a stranger: Odo jokes little and follows, Mira jokes some and shares the lead, Pip jokes a lot and leads.
 * Tension takes warmth and play away from a friend as well.
 */
export function styleKnobs(felt: Pad, baseline: Pad, bond: Bond, persona: Persona) {
  const { emoji } = persona.style;
  const closeness = bond.familiarity * (bond.affection - 0.5) * 2;
  const energy = felt.a - baseline.a;
  // A mood below the baseline is shared sorrow or worry, which takes nothing from the liking; a quarrel shows as
  // tension.
  const liking = Math.max(Math.min(0, baseline.p), felt.p);
  // Mood and bond weigh alike: one alone makes it warm only past two thirds of its range (0.4 / 0.6). Tension at its height
  // takes back all that the upper cut asks for.
  const warmth = liking * 0.6 + closeness * 0.6 - bond.tension * 0.4;
  // Pleasure first: who is excited and displeased jokes little. Strangers are teased as well, so familiarity only adds, and a
  // joke in a quarrel offends, so tension takes more here than from warmth.
  const play = felt.p * 0.7 + felt.a * 0.3 + bond.familiarity * 0.3 - bond.tension * 0.5;
  return {
    length: cut(energy, -NOTICEABLE, NOTICEABLE, [
      'shorter than usual',
      'as usual',
      'a little longer than usual',
    ]),
    warmth: cut(warmth, -0.05, 0.4, ['cool', 'friendly', 'warm']),
    playfulness: cut(play, 0.05, 0.4, ['little', 'some', 'a lot']),
    // Dominance decides; who is livelier than usual takes the lead half as much for that.
    initiative: cut(felt.d + energy * 0.5, -0.1, 0.45, ['follow', 'share the lead', 'lead']),
    address: bond.strained ? 'civil and plain' : ADDRESS[bond.stage],
    // A low mood drops the emoji of a companion that uses them; no mood gives them to one that does not.
    emoji: felt.p < 0 || emoji === 'never' ? 'none' : emoji,
  };
}

function cut(value: number, low: number, high: number, words: readonly [string, string, string]): string {
  if (value < low) return words[0];
  return words[value <= high ? 1 : 2];
}
