import { trimEndOf } from '@kith/reading';

/** Words at the end of a value that say when or how much, and nothing of what. */
const TRAILING =
  /[ ,](?:now|currently|again|anymore|too|lately|today|yesterday|recently|officially|full[- ]time|part[- ]time|last (?:week|month|year|summer|spring|winter|fall|autumn|\w{1,6}day)|this (?:week|month|year|morning)|next \w{1,12}|\w{1,12} (?:days|weeks|months|years) ago|so much|a lot|very much|these days|though|actually|instead)$/iu;
/** Characters of a value: a few words. Words are taken off its end one by one, so what runs on is cut first. */
export const MAX_VALUE = 120;

/** Gives a value without what says when or how much, and without marks at its end. */
export function tidy(value: string): string {
  let tidied = value.trim().slice(0, MAX_VALUE);
  for (let at = tidied.search(TRAILING); at !== -1; at = tidied.search(TRAILING))
    tidied = tidied.slice(0, at);
  return trimEndOf(tidied, ".,!;:'’").trim();
}

/** Gives the name of a thing in an attribute: in lower case, without article or activity. */
export function keyOf(thing: string): string {
  return tidy(thing)
    .toLowerCase()
    .replace(/^(?:the|a|an|my|some|any|eating|drinking|playing|watching|to) /u, '');
}
