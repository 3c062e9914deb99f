import { TUNED } from './tuned.js';

// BM25 as in Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009). Memories are a line or two, so
// k1 and b lie below the usual 1.2 and 0.75 (see tuned.ts).
// Both indexes and `rank-by-words.ts` weigh terms with these functions, so that they rank alike.

/**
 * Terms of an average memory: a chat message of two sentences, without stop words. A constant, because Qdrant keeps the
 * weights that it is given: if the average moved, every point would have to be written again.
 */
const AVERAGE_TERMS = 16;

/** Counts how often each term occurs. */
export function countTerms(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

/** Weighs a term in a text of `length` terms of its own, before it is multiplied by how rare the term is. */
export function termWeight(count: number, length: number): number {
  return weightBeside(count, lengthNorm(length, length));
}

/**
 * Computes what BM25 adds to a term's count in its denominator for the length of the text: the same for all its terms.
 * @param message the number of terms of the whole message that the text is a piece of
 */
export function lengthNorm(length: number, message: number): number {
  const { k1, b, messageShare } = TUNED;
  return k1 * (1 - b + (b * (length + messageShare * (message - length))) / AVERAGE_TERMS);
}

/** Computes the share of its terms that a text of `length` terms lends: less, the longer it is. */
export function lentShare(length: number): number {
  return length <= TUNED.lentTerms ? 1 : TUNED.lentTerms / length;
}

/** Gives the bound of a term's weight, however often it is said. */
export function maxWeight(): number {
  return TUNED.k1 + 1;
}

/** Weighs a term as `termWeight` does, with the norm at hand. */
export function weightBeside(count: number, norm: number): number {
  return (count * maxWeight()) / (count + norm);
}

/** Computes how rare a term is that `holders` of `total` texts have, as Qdrant's `idf` modifier does. */
export function inverseDocumentFrequency(total: number, holders: number): number {
  return Math.log(1 + (total - holders + 0.5) / (holders + 0.5));
}

/** Hashes a term to an index of a sparse vector: FNV-1a over UTF-8, 32 bits. */
export function termId(term: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(term, 'utf8')) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

/** Adds the terms that neighbours lend a text to its own, each counted by its share (see `neighbours.ts`). */
export function poolTerms(
  own: readonly string[],
  neighbours: readonly { terms: readonly string[]; share: number }[],
): Map<string, number> {
  const counts = countTerms(own);
  for (const { terms, share } of neighbours) {
    const lent = share * lentShare(terms.length);
    for (const [term, count] of countTerms(terms)) counts.set(term, (counts.get(term) ?? 0) + lent * count);
  }
  return counts;
}

/**
 * Makes counted terms of a text a sparse vector; terms that share an id (one pair in 4 billion) share its weight.
 * @param norm what its length adds (`lengthNorm`)
 */
export function sparseVector(
  counts: ReadonlyMap<string, number>,
  norm: number,
): { indices: number[]; values: number[] } {
  const weights = new Map<number, number>();
  for (const [term, count] of counts) {
    const id = termId(term);
    weights.set(id, (weights.get(id) ?? 0) + weightBeside(count, norm));
  }
  return { indices: [...weights.keys()], values: [...weights.values()] };
}

/** Makes a query a sparse vector: each term once, whatever its length. */
export function sparseQuery(terms: readonly string[]): { indices: number[]; values: number[] } {
  const indices = [...new Set(terms.map(termId))];
  return { indices, values: indices.map(() => 1) };
}
