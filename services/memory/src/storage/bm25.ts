import { TUNED } from '../recall/tuned.js';

// BM25 as in Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009). Memories are a line or two, so
// k1 and b lie below the usual 1.2 and 0.75 (see tuned.ts).
// Both indexes and the stand-in search weigh terms with these functions, so that they rank alike.

/**
 * Terms of an average memory: a chat message of two sentences, without stop words. A constant, because Qdrant
 * keeps the weights it was given and a moving average would need every point written again.
 */
const AVERAGE_TERMS = 16;

/** How often each term occurs. */
export function countTerms(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

/** A term's weight in a text of `length` terms of its own, before it is multiplied by how rare the term is. */
export function termWeight(count: number, length: number): number {
  return weightBeside(count, lengthNorm(length));
}

/** What a text's length adds to the count below the line: the same for all of its terms. */
export function lengthNorm(length: number): number {
  const { k1, b } = TUNED;
  return k1 * (1 - b + (b * length) / AVERAGE_TERMS);
}

/** `termWeight` with the norm at hand. */
export function weightBeside(count: number, norm: number): number {
  return (count * (TUNED.k1 + 1)) / (count + norm);
}

/** How rare a term is: that of `holders` texts among `total`. As Qdrant's `idf` modifier computes it. */
export function inverseDocumentFrequency(total: number, holders: number): number {
  return Math.log(1 + (total - holders + 0.5) / (holders + 0.5));
}

/** A term as an index of a sparse vector: FNV-1a over UTF-8, 32 bits. */
export function termId(term: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(term, 'utf8')) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

/** A text's own terms with those its neighbours lend it, each counted by its share (see `neighbours.ts`). */
export function poolTerms(
  own: readonly string[],
  neighbours: readonly { terms: readonly string[]; share: number }[],
): Map<string, number> {
  const counts = countTerms(own);
  for (const { terms, share } of neighbours) {
    for (const [term, count] of countTerms(terms)) counts.set(term, (counts.get(term) ?? 0) + share * count);
  }
  return counts;
}

/**
 * Counted terms of a text of `length` terms as a sparse vector; terms that share an id (one pair in 4 billion) share
 * its weight.
 */
export function sparseVector(
  counts: ReadonlyMap<string, number>,
  length: number,
): { indices: number[]; values: number[] } {
  const weights = new Map<number, number>();
  for (const [term, count] of counts) {
    const id = termId(term);
    weights.set(id, (weights.get(id) ?? 0) + termWeight(count, length));
  }
  return { indices: [...weights.keys()], values: [...weights.values()] };
}

/** A query as a sparse vector: each term once, whatever its length. */
export function sparseQuery(terms: readonly string[]): { indices: number[]; values: number[] } {
  const indices = [...new Set(terms.map(termId))];
  return { indices, values: indices.map(() => 1) };
}
