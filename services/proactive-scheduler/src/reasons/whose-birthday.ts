import { readSentences } from './read-sentences.js';
import { MONTH_NAME } from './spoken-days.js';
import type { ReasonKind } from '@kith/contracts';

const OWNER = String.raw`(my(?: [\w'-]+){0,3}?)`;
/** A day's or month's whole name, or its usual short one: "my birthday month" names no Monday. */
const DAY = `(?:(?:${MONTH_NAME}|mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?|today|tomorrow|yesterday)(?![a-z]))`;
const ON_DAY = String.raw`(?: (?:actually|really|on|the|this|next|last)){0,3} (?:\d|${DAY})`;

// "for my birthday on Friday" tells when it is kept, "my birthday party is on Friday" of a party, and "my birthday was great,
// work starts on Monday" of neither: the day follows at once, or stands before at once.
const BIRTHDAY_IS = [
  // "my birthday is on 3 May"
  new RegExp(String.raw`\b${OWNER} birthday(?: is|'s| was| falls)${ON_DAY}`, 'i'),
  // "it's my birthday on 3 May"
  new RegExp(String.raw`\b(?:is|was|s) ${OWNER} birthday${ON_DAY}`, 'i'),
  // "today is my birthday", "3 May is my birthday"; another word after it begins the name of something else, as a party
  new RegExp(
    String.raw`\b(?:${DAY}|\d{1,2}(?:st|nd|rd|th)?)(?: it| c)?(?:'s|'is| is| was| will be) ${OWNER} birthday\b(?! (?!and|but|so|too)[a-z])`,
    'i',
  ),
];
const NO_OWNER = / (?:own|next|last|\d{1,3}(?:st|nd|rd|th))\b/gi;

/** Finds whose birthday these words say the day of: "my", "my mum's". Null where they do not, or only mention it. */
export function whoseBirthday(words: string): string | null {
  const [owner] = readSentences(words).flatMap(({ english }) =>
    BIRTHDAY_IS.flatMap((form) => form.exec(english)?.[1] ?? []),
  );
  return owner?.toLowerCase().replaceAll(NO_OWNER, '') ?? null;
}

/** Tells whether a reason gives another day for an open birthday: nobody has two. */
export function isCorrected(
  open: { kind: ReasonKind; about: string },
  { kind, about }: { kind: ReasonKind; about: string },
): boolean {
  if (kind !== 'date' || open.kind !== 'date') return false;
  const whose = whoseBirthday(about);
  return whose !== null && whose === whoseBirthday(open.about);
}
