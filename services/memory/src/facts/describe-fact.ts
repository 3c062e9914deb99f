import { trimEndOf } from '@kith/reading';
import type { Fact } from './reconcile-facts.js';

/** Writes a day in words: `3 May 2026`. */
export const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** Tells a fact as a line that stands alone: `Ann lives in Tokyo (since 3 May 2026)`. */
export function describeFact(fact: Fact, name: string): string {
  const { isSure, wording } = fact;
  const told = wording === null ? sentence(fact, name) : trimEndOf(wording, '.!');
  return `${isSure ? '' : 'Perhaps '}${told} (${timesOf(fact)})`;
}

/** Placeholder for a name that is looked for: no text of people holds it. */
const ANY_NAME = '\u0000';

/** The name that a line of `describeFact` was told with; null for a line in other words. */
export function nameIn(text: string, fact: Fact): string | null {
  const [before = '', after] = describeFact(fact, ANY_NAME).split(ANY_NAME);
  const isOurs = after !== undefined && text.startsWith(before) && text.endsWith(after);
  return isOurs ? text.slice(before.length, text.length - after.length) : null;
}

/** Words a fact's times. Those of a plan are true both before its day and after it. */
function timesOf({ validFrom, validTo, holdsUntil }: Fact): string {
  const since = DAY.format(validFrom);
  if (validTo === null) return `since ${since}`;
  return validTo.getTime() === holdsUntil?.getTime()
    ? `said on ${since}, until ${DAY.format(validTo)}`
    : `from ${since} until ${DAY.format(validTo)}, no longer`;
}

function sentence({ attribute, value }: Fact, name: string): string {
  const [topic, thing] = attribute.split(':') as [string, string | undefined];
  switch (topic) {
    case 'name':
      return value === name ? `This person is called ${value}` : `${name} is called ${value}`;
    case 'home':
      return `${name} lives in ${value}`;
    case 'origin':
      return `${name} is from ${value}`;
    case 'job':
      return value === 'retired' ? `${name} is retired` : `${name} works as ${value}`;
    case 'employer':
      return `${name} works at ${value}`;
    case 'studies':
      return `${name} studies ${value}`;
    case 'diet':
      return value === 'eats meat' ? `${name} eats meat` : `${name} is ${value}`;
    case 'relationship':
      return `${name} is ${value}`;
    case 'partner':
      return `${name}’s partner is called ${value}`;
    case 'age':
      return `${name} is ${value} years old`;
    case 'birthday':
      return `${name}’s birthday is on ${value}`;
    case 'pet':
      return `${name}’s ${thing} is called ${value}`;
    case 'favourite':
      return `${name}’s favourite ${thing} is ${value}`;
    case 'allergy':
      return `${name} is allergic to ${thing}`;
    case 'likes':
      return `${name} ${value} ${thing}`;
    case 'prefers':
      return `${name} prefers ${value}`;
    case 'wish':
      return `${name} asked: “${value}”`;
    case 'habit':
      return `${name} goes in for ${thing}`;
    default:
      return `${name}: ${attribute} is ${value}`;
  }
}
