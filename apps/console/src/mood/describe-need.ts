import type { NeedView } from '@kith/contracts';

/** Share of a need's urgency from which it is on the companion's mind. */
const PRESSES = 0.12;

/** Puts the urgency of a need into a word or two. */
export function describeNeed({ level, urgency }: NeedView): string {
  if (urgency >= PRESSES) return 'on its mind';
  if (level < 0.15) return 'met';
  return level < 0.4 ? 'well' : 'could do with some';
}
