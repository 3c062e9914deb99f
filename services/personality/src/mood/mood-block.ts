import type { Pad } from '@kith/contracts';
import type { Persona } from '../persona/persona-file.js';
import type { Bond } from '../relationship/bond.js';
import type { Stage } from '../relationship/stage.js';
import { describeMood } from './describe-mood.js';
import { NOTICEABLE, styleKnobs } from './style-knobs.js';

/** What the mood block is written from. */
interface MoodBlockInput {
  felt: Pad;
  baseline: Pad;
  /** As it is now (`bondAt`). */
  bond: Bond;
  persona: Persona;
  /** The companion's note on a day just past; null without one. */
  selfNote: string | null;
}

/**
 * The prompt's mood part, between a line `<mood>` and a line `</mood>` which readers of the prompt look for:
 * a first-person note, then style knobs. It says how to write and not what to feel, so that a mood shows in
 * the voice rather than being announced.
 */
export function moodBlock({ felt, baseline, bond, persona, selfNote }: MoodBlockInput): string {
  const { label, strength } = describeMood(felt);
  const knobs = styleKnobs(felt, baseline, bond, persona);
  return [
    '<mood>',
    `I'm ${strength} ${label} right now, ${comparedToUsual(felt, baseline)}.`,
    bondLine(bond),
    ...(selfNote === null ? [] : [`My note on the day before: ${selfNote}`]),
    `Style: length ${knobs.length}; warmth ${knobs.warmth}; playfulness ${knobs.playfulness}; initiative ${knobs.initiative}; address ${knobs.address}; emoji ${knobs.emoji}.`,
    "It shows in how I write; I don't bring it up unless I'm asked, and I never make it the other one's task.",
    '</mood>',
  ].join('\n');
}

function comparedToUsual(felt: Pad, baseline: Pad): string {
  const differences = [
    wordFor(felt.p - baseline.p, 'brighter', 'lower'),
    wordFor(felt.a - baseline.a, 'livelier', 'calmer'),
    wordFor(felt.d - baseline.d, 'surer of myself', 'less sure of myself'),
  ].filter((word) => word !== null);
  if (differences.length === 0) return 'as I usually am';
  const last = differences.at(-1) ?? '';
  const list = differences.length === 1 ? last : `${differences.slice(0, -1).join(', ')} and ${last}`;
  return `${list} than usual`;
}

function wordFor(difference: number, more: string, less: string): string | null {
  if (Math.abs(difference) < NOTICEABLE) return null;
  return difference > 0 ? more : less;
}

const STAGE_LINES: Readonly<Record<Stage, string>> = {
  stranger: 'We have only just met',
  acquaintance: 'We are getting to know each other',
  friend: "We're friends by now",
  'close-friend': "We're close friends, with a lot of talk behind us",
};

function bondLine({ interactions, stage, strained, affection, trust }: Bond): string {
  if (interactions === 0) return "We haven't talked before.";
  if (strained) return "There's tension between us. I stay civil, don't tease, and don't dig it up again.";
  const fond = leaning(affection, "and I'm fond of them", 'and it has been prickly between us');
  const trusting = leaning(trust, 'They trust me with things', "I'm a little on my guard");
  return `${[STAGE_LINES[stage], fond].filter(Boolean).join(', ')}.${trusting ? ` ${trusting}.` : ''}`;
}

/** Words for the ends of a scale in [0, 1] whose middle says nothing. */
function leaning(value: number, high: string, low: string): string {
  if (value >= 0.6) return high;
  return value <= 0.4 ? low : '';
}
