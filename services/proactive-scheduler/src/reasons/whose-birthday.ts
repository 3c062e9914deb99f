import { readSentences } from './read-sentences.js';

// "for my birthday on Friday" tells when it is kept, and "my birthday party is on Friday" of a party.
const BIRTHDAY_IS = /\b(my(?: [\w'-]+){0,3}?) birthday(?: is|'s| was| falls)\b/i;
const NO_OWNER = / (?:own|next|last|\d{1,3}(?:st|nd|rd|th))\b/gi;

/** Finds whose birthday these words say the day of: "my", "my mum's". Null where they do not, or only mention it. */
export function whoseBirthday(words: string): string | null {
  const [owner] = readSentences(words).flatMap(({ english }) => BIRTHDAY_IS.exec(english)?.[1] ?? []);
  return owner?.toLowerCase().replaceAll(NO_OWNER, '') ?? null;
}
