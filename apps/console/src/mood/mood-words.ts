import { moodInWords, type AffectEventView, type MoodView, type NeedView, type Pad } from '@kith/contracts';
import { describeDate } from '../page/describe-date.js';

const OCTANTS: Readonly<Record<string, string>> = {
  exuberant: 'glad, lively and sure of itself',
  dependent: 'glad and lively, and glad of company',
  relaxed: 'content, calm and sure of itself',
  docile: 'content, calm and ready to follow',
  bored: 'low, slow and without much will',
  disdainful: 'displeased, cool and sure of itself',
  anxious: 'uneasy, stirred up and unsure',
  sombre: 'low, calm, and sure of itself',
  hostile: 'displeased, stirred up and unyielding',
  tense: 'uneasy and stirred up, and sure of itself',
  balanced: 'neither glad nor low, neither stirred nor slow',
};

/** Explains an octant's name. Empty for a name that this page does not know. */
export function describeOctant(label: string): string {
  return OCTANTS[label] ?? '';
}

/** A mood in two words, such as "slightly relaxed"; in one where it is fully so. */
export function nameMood(mood: Pick<MoodView, 'strength' | 'label'>): string {
  return moodInWords(mood).replace(/^fully /, '');
}

export const MOOD_AXES = [
  { axis: 'p', name: 'Pleasure', high: 'pleased', low: 'displeased' },
  { axis: 'a', name: 'Arousal', high: 'stirred', low: 'calm' },
  { axis: 'd', name: 'Dominance', high: 'sure', low: 'unsure' },
] as const satisfies { axis: keyof Pad; name: string; high: string; low: string }[];

// Less than this on an axis is not worth a word: the plot would not show it either.
const NOTICEABLE = 0.015;

/** Names the way a step moved the mood, such as "more pleased, calmer"; "hardly a change" for very little. */
export function describeMove(before: Pad, after: Pad): string {
  const moves = MOOD_AXES.flatMap(({ axis, high, low }) => {
    const change = after[axis] - before[axis];
    if (Math.abs(change) < NOTICEABLE) return [];
    const word = change > 0 ? high : low;
    return [word === 'calm' ? 'calmer' : `more ${word}`];
  });
  return moves.length === 0 ? 'hardly a change' : moves.join(', ');
}

const EMOTION_WORDS: Readonly<Record<string, string>> = {
  'happy-for': 'gladness for you',
  'fears-confirmed': 'fear come true',
};

/** An emotion with its strength, from an intensity in [0, 1], such as "clear gratitude". */
export function describeEmotion(name: string, intensity: number | null): string {
  const words = EMOTION_WORDS[name] ?? name;
  if (intensity === null) return words;
  if (intensity < 0.34) return `faint ${words}`;
  return intensity < 0.67 ? `clear ${words}` : `strong ${words}`;
}

/** Share of a need's urgency from which it is on the companion's mind. */
const PRESSES = 0.12;

/** Puts the urgency of a need into a word or two. */
export function describeNeed({ level, urgency }: NeedView): string {
  if (urgency >= PRESSES) return 'on its mind';
  if (level < 0.15) return 'met';
  return level < 0.4 ? 'well' : 'could do with some';
}

/** For each moment that was the outcome of what this person hoped or feared, words for it, by its time. */
export function outcomeWords(
  events: readonly Pick<AffectEventView, 'at' | 'settles'>[],
  now: Date,
): ReadonlyMap<number, string> {
  const words = new Map<number, string>();
  for (const { at, settles } of events) {
    if (!settles || settles.about === null) continue;
    const told = describeDate(settles.since, now);
    words.set(Date.parse(at), `what you ${settles.kind} when you told it ${told}: “${settles.about}”`);
  }
  return words;
}
