import type { NeedView } from '@kith/contracts';

/** How much of a need's urgency is worth another word. */
const PRESSES = 0.12;

/** How a need stands, in a word or two. */
export function describeNeed({ level, urgency }: NeedView): string {
  if (urgency >= PRESSES) return 'on its mind';
  if (level < 0.15) return 'met';
  return level < 0.4 ? 'well' : 'could do with some';
}
