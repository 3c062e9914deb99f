import { isNegation, readAsEnglish, readWords, trimEndOf } from '@kith/reading';

/** Beginning of the attributes of preferences: what the person would rather have when something is to be chosen. */
export const PREFERENCE = 'prefers:';

/** Words at the end of a value that say when or how much, and nothing of what. */
const TRAILING =
  /[ ,](?:now|currently|again|anymore|too|lately|today|yesterday|recently|officially|full[- ]time|part[- ]time|last (?:week|month|year|summer|spring|winter|fall|autumn|\w{1,6}day)|this (?:week|month|year|morning)|next \w{1,12}|\w{1,12} (?:days|weeks|months|years) ago|so much|a lot|very much|these days|though|actually|instead)$/iu;
/** Characters of a value: a few words. Words are taken off its end one by one, so what runs on is cut first. */
export const MAX_VALUE = 120;

/** Strips words for when and how much from a value, and marks at its end. */
export function tidy(value: string): string {
  let tidied = value.trim().slice(0, MAX_VALUE);
  for (let at = tidied.search(TRAILING); at !== -1; at = tidied.search(TRAILING))
    tidied = tidied.slice(0, at);
  return trimEndOf(tidied, ".,!;:'’").trim();
}

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);
const DAY_FIRST = /^(\d{1,2})(?:st|nd|rd|th)?(?: of)? (\p{L}{3,9})\b/iu;
const MONTH_FIRST = /^(\p{L}{3,9})\.? (?:the )?(\d{1,2})(?:st|nd|rd|th)?\b/iu;

/** Gives a day of the year in one form, `3 may`, however it is said; null for anything else. */
export function dayOfYear(said: string): string | null {
  const text = said.trim().replace(/^the /iu, '');
  const [, day, named] = DAY_FIRST.exec(text) ?? swapped(MONTH_FIRST.exec(text));
  const month = MONTHS.find((each) => named !== undefined && each.startsWith(named.toLowerCase()));
  const isDay = Number(day) >= 1 && Number(day) <= 31;
  return month !== undefined && isDay ? `${Number(day)} ${month}` : null;
}

function swapped(found: RegExpExecArray | null): (string | undefined)[] {
  return found === null ? [] : [found[0], found[2], found[1]];
}

/** Tells whether a value denies something, as the sentence of a corrected fact may: "Ann does not smoke". */
export function denies(value: string): boolean {
  return readWords(readAsEnglish(value).text).some(isNegation);
}

/** Gives the name of a thing in an attribute: in lower case, without article or activity. */
export function keyOf(thing: string): string {
  return tidy(thing)
    .toLowerCase()
    .replace(/^(?:the|a|an|my|some|any|eating|drinking|playing|watching|to) /u, '');
}

/** Writes a name with its capital, as in chat many do not. */
export function titled(name: string): string {
  return name.replaceAll(/(?<![\p{L}'’])\p{L}/gu, (letter) => letter.toUpperCase());
}
