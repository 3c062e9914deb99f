import { trimEndOf } from '@kith/reading';
import { sentenceOf } from './fact-sentence.js';
import type { Fact } from './reconcile-fact.js';

/** Writes a day in words: `3 May 2026`. */
export const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** Tells a fact as a line that stands alone: `Ann lives in Tokyo (since 3 May 2026)`. */
export function describeFact(fact: Fact, name: string): string {
  const { isSure, wording } = fact;
  const told = wording === null ? sentenceOf(fact, name) : trimEndOf(wording, '.!');
  return `${isSure ? '' : 'Perhaps '}${told} (${timesOf(fact)})`;
}

/** Placeholder for the name, when a sentence is searched for it: no text of people contains it. */
const ANY_NAME = '\u0000';

/** Finds the name in a sentence of `describeFact`; null for a sentence in other words. */
export function nameIn(text: string, fact: Fact): string | null {
  const [before = '', after] = describeFact(fact, ANY_NAME).split(ANY_NAME);
  const isOurs = after !== undefined && text.startsWith(before) && text.endsWith(after);
  return isOurs ? text.slice(before.length, text.length - after.length) : null;
}

/** Attribute whose value passes by itself, of the person or of somebody of theirs: nobody is 33 until they say otherwise. */
const AGE = /(?:^|:)age$/u;

/** Writes the times of a fact. Those of a plan are true both before its day and after it; an age is told as of its day. */
function timesOf({ attribute, validFrom, validTo, holdsUntil }: Fact): string {
  const since = DAY.format(validFrom);
  if (validTo !== null && validTo.getTime() === holdsUntil?.getTime())
    return `said on ${since}, until ${DAY.format(validTo)}`;
  if (AGE.test(attribute)) return `said on ${since}${validTo === null ? '' : ', no longer'}`;
  return validTo === null ? `since ${since}` : `from ${since} until ${DAY.format(validTo)}, no longer`;
}
