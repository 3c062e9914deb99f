import { wordSet } from '@kith/reading';

const GREETINGS = wordSet('hi hello hey hiya hallo greetings morning evening afternoon');
/** Words within which a greeting comes to the name: "Hi there Mira, nice to meet you, I'm …". */
const WITHIN = 10;
/** Words that may follow a name; "I'm Happy to …" goes on otherwise. */
const GOES_ON = wordSet('and but from here nice by your the');
/** Words that are written with a capital, and are no name. */
const NO_NAMES =
  wordSet(`american arab asian african australian austrian belgian brazilian british buddhist bulgarian canadian catholic
    chinese croatian czech danish dutch egyptian english estonian european filipino finnish french german greek
    hindu hungarian indian irish israeli italian japanese jewish korean mexican muslim norwegian polish portuguese
    romanian russian scottish spanish swedish swiss thai turkish ukrainian vietnamese welsh
    back bored fine glad good great happy here hungry lonely lost new not ok okay ready sad sick so sorry tired very`);
/** Characters of a line in which a greeting stands: who says their name does so first. */
const MAX_CHARACTERS = 200;

/**
 * Finds the name that somebody gives with a greeting: "Hi, I'm Ada"; null where there is none. Without a greeting, a
 * word after "I'm" may be anything. Pure.
 */
export function readIntroduction(text: string): string | null {
  const words = text.slice(0, MAX_CHARACTERS).replaceAll('’', "'").split(/\s+/u).filter(Boolean);
  const bare = words.map((word) => word.replaceAll(/[^\p{L}'-]/gu, '').toLowerCase());
  const greets = GREETINGS.has(bare[0] ?? '') || (bare[0] === 'good' && GREETINGS.has(bare[1] ?? ''));
  if (!greets) return null;
  const at = bare
    .slice(0, WITHIN)
    .findIndex((word, n) => word === "i'm" || (word === 'i' && bare[n + 1] === 'am'));
  if (at === -1) return null;
  const first = at + (bare[at] === "i'm" ? 1 : 2);
  const [name, end] = readName(words[first]);
  if (name === null || NO_NAMES.has(name.toLowerCase())) return null;
  if (end !== '') return name;
  const [surname, endOfAll] = readName(words[first + 1]);
  const whole = surname === null ? name : `${name} ${surname}`;
  const next = bare[first + (surname === null ? 1 : 2)];
  return (surname !== null && endOfAll !== '') || next === undefined || GOES_ON.has(next) ? whole : null;
}

/** Reads a word as a name, and the mark after it; null for a word that is not written as one. */
function readName(word: string | undefined): [name: string | null, end: string] {
  const [, name, end] = /^(\p{Lu}[\p{L}'-]{1,30})([^\p{L}]{0,4})$/u.exec(word ?? '') ?? [];
  return [name ?? null, end ?? ''];
}
