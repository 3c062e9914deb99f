import { type Clause, isNegated } from '@kith/reading';
import type { Hit } from './endings.js';
import type { Party, Roles } from './read-roles.js';
import { type CueKind, LAUGHTER } from './rules-lexicon.js';
import { valenceOf } from './valence-of.js';
import { classesAt } from './word-classes.js';

/** Most words of a kind cry that names nobody: "oh brilliant". */
const MAX_CRY = 2;
/** Parties that such a cry mocks; what the speaker tells of themselves they cry out at in earnest. */
const MOCKED: ReadonlySet<Party> = new Set(['companion', 'thing', 'unknown', 'nobody']);
const GOOD: ReadonlySet<CueKind> = new Set([
  'praise',
  'thanks',
  'good-deed',
  'right-deed',
  'good-news',
  'relief',
]);
/** Bad luck, over which nobody cries out in earnest: "nice, my flight got cancelled". */
const BAD: ReadonlySet<CueKind> = new Set(['bad-news', 'let-down', 'cancelled']);
/** Words that tell of a bad thing's end, or praise by a bad word: "great, the pain is gone", "wow, this is insane". */
const NO_FAULT =
  /^(?:insane|insanely|sick|crazy|wicked|unreal|gone|over|fixed|solved|finally|longer|anymore|stopped|less|than|but)$/u;

/**
 * Turns round a kind cry before what went wrong in the same sentence: "Oh brilliant, you deleted the wrong file",
 * "Great, the build is broken again".
 */
export function turnMockery(
  found: readonly Hit[][],
  clauses: readonly Clause[],
  roles: readonly Roles[],
): Hit[][] {
  return found.map((hits, n) => {
    const next = clauses[n + 1];
    const after = found[n + 1] ?? [];
    if (!isCry(clauses[n], hits) || !next || next.sentence !== clauses[n]?.sentence) return [...hits];
    if (after.some(({ kind }) => BAD.has(kind))) return [];
    const subject = roles[n + 1]?.subject ?? 'nobody';
    const isPraised = after.some(({ kind }) => GOOD.has(kind));
    if (!MOCKED.has(subject) || isPraised || !wentWrong(next.words)) return [...hits];
    const meant = subject === 'companion' ? 'failed-deed' : 'dislikes-thing';
    return hits.map(({ strength }) => ({ kind: meant, strength }));
  });
}

function isCry(clause: Clause | undefined, hits: readonly Hit[]): boolean {
  const words = clause?.words ?? [];
  const isShort = words.length <= MAX_CRY && !words.some((word) => LAUGHTER.test(word));
  return isShort && hits.some(({ kind }) => kind === 'praise');
}

function wentWrong(words: readonly string[]): boolean {
  const isBad = (word: string, at: number) =>
    valenceOf(word) < 0 || classesAt(words, at).some(({ wordClass }) => wordClass === 'harm');
  return (
    words.some((word, at) => isBad(word, at) && !isNegated(words, at)) &&
    !words.some((word) => NO_FAULT.test(word))
  );
}
