import type { Clause } from '@kith/reading';
import type { Reading } from './endings.js';
import type { ReadingKind } from './rules-lexicon.js';

/** Something that the companion advised, made or showed. */
const BY_COMPANION =
  /\b(?:you|your) (?:\w+ ){0,2}?(?:suggest|advi[cs]e|tip\b|tips\b|trick|idea|recipe|told me|showed|recommend|explain|taught|plan\b|method)|\b(?:tried|used|followed|took|thanks to|because of) (?:\w+ )?(?:you|your)\b/u;

/** Readings of an outcome that the companion caused: they count as its deed. */
const CAUSED: Partial<Record<ReadingKind, ReadingKind>> = {
  'good-news': 'good-deed',
  'likes-thing': 'good-deed',
  fulfilled: 'good-deed',
  'bad-news': 'failed-deed',
  'dislikes-thing': 'failed-deed',
  'let-down': 'failed-deed',
};

/** Readings of an outcome that the person knew would come. */
const FORESEEN: Partial<Record<ReadingKind, ReadingKind>> = {
  'good-news': 'fulfilled',
  'bad-news': 'come-true',
  'let-down': 'come-true',
};

/**
 * Corrects readings of a turn by the whole of it: who caused an outcome, whether it was foreseen, and which words are
 * mockery.
 */
export function adjustReadings(
  told: readonly Reading[],
  clauses: readonly Clause[],
  said: string,
): Reading[] {
  return marked(withoutIrony(foreseen(caused(told, clauses), clauses), clauses), clauses, said);
}

/** Marks of irony: rolling eyes, a face on its head, "/s", and a "not" after all. */
const IRONIC = /🙄|🙃|(?:^| )\/s\b|[.!…,] ?not[.!]*$/iu;
/** "Sure, because you were so helpful." */
const MOCKS_FIRST = /^(?:oh,? |yeah,? |ah,? )?(?:sure|right|yeah),? (?:be)?cause /iu;

/** Readings of what is meant where kind words are marked as ironic. */
const MEANT: Partial<Record<ReadingKind, ReadingKind>> = {
  praise: 'insult',
  thanks: 'insult',
  'good-deed': 'failed-deed',
  'right-deed': 'wrong-deed',
  'good-news': 'bad-news',
  fulfilled: 'let-down',
  'likes-thing': 'dislikes-thing',
};

/** A mark at the end that leaves no doubt. 🙃 may be a tease, and 🙄 before other words may be meant for somebody else. */
const SURELY = /(?:🙄|\/s|[.!…,] ?not)[\s.!]*$/iu;
/** Readings of what is said of the companion: where it is in doubt whether they are meant, they are dropped. */
const OF_COMPANION: ReadonlySet<ReadingKind> = new Set(['praise', 'thanks', 'good-deed', 'right-deed']);

/** Turns round what a mark says is ironic. In a turn of several sentences it may be any of them: kind words are dropped. */
function marked(hits: readonly Reading[], clauses: readonly Clause[], said: string): Reading[] {
  const mocksFirst = MOCKS_FIRST.test(said);
  if (!mocksFirst && !IRONIC.test(said)) return [...hits];
  const sentences = new Set(
    clauses.filter(({ text }) => !/^not$/iu.test(text)).map(({ sentence }) => sentence),
  );
  return hits.flatMap(({ kind, strength }) => {
    const meant = MEANT[kind];
    if (meant === undefined) return [{ kind, strength }];
    const isDoubtful = sentences.size > 1 || (OF_COMPANION.has(kind) && !mocksFirst && !SURELY.test(said));
    return isDoubtful ? [] : [{ kind: meant, strength }];
  });
}

/** A clause that says it and no more: neither "I never knew it" nor "they knew it". */
const KNEW_IT =
  /^(?:(?:and|but|so|well|oh|ah|ugh|yes|see|haha) )?(?:i )?(?:(?:just|always|really|so) )?knew it$/u;

/** Turns outcomes beside "I knew it" into what was hoped or feared. */
function foreseen(hits: readonly Reading[], clauses: readonly Clause[]): Reading[] {
  if (!clauses.some(({ words }) => KNEW_IT.test(words.join(' ')))) return [...hits];
  return hits.map((hit) => ({ ...hit, kind: FORESEEN[hit.kind] ?? hit.kind }));
}

/** Turns outcomes that the companion caused into its deeds: "I tried your recipe and it came out great". */
function caused(hits: readonly Reading[], clauses: readonly Clause[]): Reading[] {
  if (!BY_COMPANION.test(clauses.map(({ words }) => words.join(' ')).join(' '))) return [...hits];
  return hits.map((hit) => ({ ...hit, kind: CAUSED[hit.kind] ?? hit.kind }));
}

/** Drops kind words beside a failure, which they mock ("Great job, you broke it again"), unless a "but" parts them. */
function withoutIrony(hits: readonly Reading[], clauses: readonly Clause[]): Reading[] {
  const isParted = clauses.some(({ words }) => words[0] === 'but' || words[0] === 'however');
  const isIronic = !isParted && hits.some(({ kind }) => kind === 'failed-deed');
  return isIronic ? hits.filter(({ kind }) => !OF_COMPANION.has(kind)) : [...hits];
}
