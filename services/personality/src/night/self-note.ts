import { moodInWords, type Pad } from '@kith/contracts';
import type { AffectEventModel } from '@kith/database';
import { describeMood, withoutGrudge } from '../affect/mood/describe-mood.js';
import { NOTICEABLE } from '../persona/style-knobs.js';

/** An affect event as note and diary use it: without anybody's words or name. */
export type DayEvent = Pick<AffectEventModel, 'turnId' | 'emotion' | 'intensity' | 'personId'> & {
  /** The shared mood after it. */
  shared: Pad;
};

/**
 * Writes the companion's note on a day, in first person, for the next day's prompts. It goes into everybody's, so it
 * holds what everybody may know: how many people there were and what the day did to the shared mood. Feelings towards
 * one person are left out: of two people, one would read in it how the other is doing. It claims nothing of how the day
 * began and ended: before its first event and after its last the mood went its way. Depends on the events only, so
 * a day that is summed up again says the same.
 */
export function selfNote(events: readonly Pick<DayEvent, 'personId' | 'shared'>[]): string {
  const first = events[0];
  const last = events.at(-1);
  if (!first || !last) return 'A quiet day; nothing moved me much.';
  const people = new Set(events.map(({ personId }) => personId)).size;
  return [
    `I talked with ${people === 1 ? 'one person' : `${people} people`}.`,
    `What came last left me ${moodInWords(withoutGrudge(describeMood(last.shared)))}${drift(first.shared, last.shared)}.`,
  ].join(' ');
}

function drift(first: Pad, last: Pad): string {
  const change = last.p - first.p;
  if (Math.abs(change) < NOTICEABLE) return '';
  return change > 0 ? ', lighter than what came first' : ', heavier than what came first';
}
