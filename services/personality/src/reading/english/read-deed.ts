import type { Roles } from './read-roles.js';
import type { CueKind } from './rules-lexicon.js';
import { objectOf } from './object-of.js';
import { readFortune } from './read-fortune.js';

const PASSIVE = new Set('am is are was were be been being get gets got getting'.split(' '));

/** Reads a deed: one of the companion's or the speaker's, or the luck of those it is done to. */
export function readDeed(
  wordClass: 'favour' | 'virtue' | 'harm' | 'vice',
  denied: boolean,
  words: readonly string[],
  at: number,
  length: number,
  roles: Roles,
): CueKind | null {
  const isGood = wordClass === 'favour' || wordClass === 'virtue';
  const isMoral = wordClass === 'virtue' || wordClass === 'vice';
  const { subject } = roles;
  const object = objectOf(words, at + length, subject);
  if (
    at > 0 &&
    words.slice(Math.max(0, at - 2), at).some((word) => PASSIVE.has(word)) &&
    isPastForm(words[at])
  ) {
    return subject === 'companion' ? null : readFortune(isGood, denied, roles, subject);
  }
  if (subject === 'companion') {
    if (roles.ahead) return null;
    return isGood === denied ? 'failed-deed' : 'good-deed';
  }
  if (subject === 'enemy') return null;
  if (subject === 'speaker') {
    if (object === 'speaker') return readFortune(isGood, denied, roles, 'speaker');
    if (denied || roles.ahead || object === 'companion') return null;
    if (!isPastForm(words[at]) || (!isMoral && object !== 'somebody')) return null;
    return isGood ? 'kind-act' : 'unkind-act';
  }
  return object === 'speaker' ? readFortune(isGood, denied, roles, 'speaker') : null;
}

function isPastForm(word = ''): boolean {
  return (
    !word.endsWith('ing') && !/(?:[^s]s)$/u.test(word) && (word.endsWith('ed') || IRREGULAR_PAST.test(word))
  );
}

const IRREGULAR_PAST =
  /^(?:hurt|hit|stole|stolen|beat|beaten|lent|taught|chosen|chose|forgave|forgiven|understood|broke|broken|made|laid|let|fed|threw|thrown|gave|given|stood|got|forgot|forgotten|misled|left|shut|cut)$/u;
