import type { Bond } from '../affect/bond/bond.js';
import type { Stage } from '../affect/bond/stage.js';

const STAGE_LINES: Readonly<Record<Stage, string>> = {
  stranger: 'We have only just met',
  acquaintance: 'We are getting to know each other',
  friend: "We're friends by now",
  'close-friend': "We're close friends, with a lot of talk behind us",
};

/** Says in a line where the two stand. */
export function bondLine({ interactions, stage, strained, affection, trust }: Bond): string {
  if (interactions === 0) return "We haven't talked before.";
  if (strained) return "There's tension between us. I stay civil, don't tease, and don't dig it up again.";
  const fond = leaning(affection, "and I'm fond of them", 'and it has been prickly between us');
  const trusting = leaning(trust, 'They trust me with things', "I'm a little on my guard");
  return `${[STAGE_LINES[stage], fond].filter(Boolean).join(', ')}.${trusting ? ` ${trusting}.` : ''}`;
}

/** Chooses words for the ends of a scale in [0, 1]; its middle says nothing. */
function leaning(value: number, high: string, low: string): string {
  if (value >= 0.6) return high;
  return value <= 0.4 ? low : '';
}
