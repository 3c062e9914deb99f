import { readSentences } from './read-sentences.js';

// "for my birthday on Friday" tells when it is kept, "my birthday party is on Friday" of a party, and "my birthday was great,
// work starts on Monday" of neither: the day follows at once.
const BIRTHDAY_IS =
  /\b(my(?: [\w'-]+){0,3}?) birthday(?: is|'s| was| falls)(?: (?:actually|really|on|the|this|next|last)){0,3} (?:\d|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|today|tomorrow))/i;
const NO_OWNER = / (?:own|next|last|\d{1,3}(?:st|nd|rd|th))\b/gi;

/** Finds whose birthday these words say the day of: "my", "my mum's". Null where they do not, or only mention it. */
export function whoseBirthday(words: string): string | null {
  const [owner] = readSentences(words).flatMap(({ english }) => BIRTHDAY_IS.exec(english)?.[1] ?? []);
  return owner?.toLowerCase().replaceAll(NO_OWNER, '') ?? null;
}
