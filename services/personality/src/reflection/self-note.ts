import type { Pad } from '@kith/contracts';
import { describeMood } from '../mood/describe-mood.js';
import { NOTICEABLE } from '../mood/style-knobs.js';

/** What of a day's affect events note and diary are made of: no words of anyone, and nobody by name. */
export interface DayEvent {
  turnId: string;
  emotion: string;
  intensity: number;
  personId: string;
  /** The shared mood after it. */
  shared: Pad;
}

/**
 * How the note speaks of an emotion. Impersonal on purpose: it goes into prompts for other people, who must
 * not learn from it how someone they know is doing.
 */
export const SAID_OF: Readonly<Record<string, string>> = {
  gratitude: 'there was kindness',
  admiration: 'there was something to admire',
  gratification: 'something I did was of use',
  pride: 'I was content with something I did',
  love: 'there was affection',
  liking: 'I heard of things worth liking',
  joy: 'there was simple good company',
  'happy-for': 'there was good news to be happy about',
  pity: 'there was sorrow, and it stayed with me',
  hope: 'there was something to hope for',
  fear: 'there was something to be anxious about',
  relief: 'a worry turned out to be nothing',
  satisfaction: 'something hoped for came true',
  disappointment: 'something hoped for fell through',
  'fears-confirmed': 'something feared came true',
  anger: 'there were harsh words',
  reproach: 'there was something I minded',
  hate: 'I met with something I cannot abide',
  distress: 'something weighed on me',
  remorse: 'I got something wrong and was sorry for it',
  shame: 'I was not at my best',
  disliking: 'I heard of things I do not care for',
};

/** A note is a few lines in a prompt. */
const MENTIONED = 3;

/**
 * The companion's own note on a day, in first person, from its affect alone. Depends on the events only, so a
 * day that is summed up again says the same.
 */
export function selfNote(events: readonly DayEvent[]): string {
  const first = events[0];
  const last = events.at(-1);
  if (!first || !last) return 'A quiet day; nothing moved me much.';
  const people = new Set(events.map(({ personId }) => personId)).size;
  const { label, strength } = describeMood(last.shared);
  const moments = strongestKinds(events).map((emotion) => SAID_OF[emotion] ?? emotion);
  return [
    `I talked with ${people === 1 ? 'one person' : `${people} people`}.`,
    `What stayed: ${moments.join('; ')}.`,
    `I ended the day ${strength} ${label}${drift(first.shared, last.shared)}.`,
  ].join(' ');
}

/** The kinds of emotion that weighed most over the day; equal ones by name, so that the order is fixed. */
function strongestKinds(events: readonly DayEvent[]): string[] {
  const weights = new Map<string, number>();
  for (const { emotion, intensity } of events) weights.set(emotion, (weights.get(emotion) ?? 0) + intensity);
  return [...weights]
    .sort(([one, weight], [other, otherWeight]) => otherWeight - weight || one.localeCompare(other))
    .slice(0, MENTIONED)
    .map(([emotion]) => emotion);
}

function drift(first: Pad, last: Pad): string {
  const change = last.p - first.p;
  if (Math.abs(change) < NOTICEABLE) return '';
  return change > 0 ? ', lighter than I began it' : ', heavier than I began it';
}
