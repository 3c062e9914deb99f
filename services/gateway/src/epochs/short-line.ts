import { oneLine, shorten } from '@kith/contracts';
import { rateLine, READ_CHARACTERS } from './rate-line.js';

/** Characters that a snapshot tells of one line: two sentences of a chat. */
const MAX_CHARACTERS = 180;
const GAP = ' … ';

/**
 * Shortens a line to what a snapshot tells of it: the sentences that say most, in their order and their own words.
 * Pure.
 */
export function shortLine(text: string): string {
  const whole = oneLine(text.slice(0, READ_CHARACTERS));
  if (whole.length <= MAX_CHARACTERS) return whole;
  const sentences = whole
    .split(/(?<=[.!?…。！？]) /u)
    .map((sentence, at) => ({
      at,
      sentence: shorten(sentence, MAX_CHARACTERS),
      rate: rateLine({ role: 'person', text: sentence }),
    }));
  const kept: typeof sentences = [];
  let length = 0;
  for (const one of sentences.toSorted((a, b) => b.rate - a.rate || a.at - b.at)) {
    if (kept.length > 0 && length + GAP.length + one.sentence.length > MAX_CHARACTERS) continue;
    kept.push(one);
    length += one.sentence.length + GAP.length;
  }
  return kept
    .sort((a, b) => a.at - b.at)
    .map(({ sentence, at }, place) =>
      place > 0 && kept[place - 1]?.at !== at - 1 ? `… ${sentence}` : sentence,
    )
    .join(' ');
}
