import { lentShare } from '../../words/bm25.js';
import { neighboursOf, type SpokenMemory } from '../../words/neighbours.js';
import { ASSUMED_UNLIKE, type FoundMemory } from '../vector-index.js';
import { bestFirst } from './qdrant-queries.js';

/** Line that the dense arm found, with its cosine. */
interface LikeLine extends SpokenMemory {
  terms: readonly string[];
  cosine: number;
}

/**
 * Mixes each cosine with those of the lines around it, and takes off the mean. `ExactIndex` does so with all lines; here
 * only those that were found are known, and the mean of a sample.
 * @param sample cosines of lines picked at random
 */
export function mixLikeness(lines: readonly LikeLine[], sample: readonly number[]): FoundMemory[] {
  const mean = sample.reduce((sum, cosine) => sum + cosine, 0) / (sample.length + ASSUMED_UNLIKE);
  const near = neighboursOf(lines);
  const mixed = lines.map(({ id, cosine, terms }) => {
    const part = lentShare(terms.length);
    let [sum, shares] = [cosine, 1];
    for (const { of, share } of near.get(id) ?? []) {
      sum += part * share * of.cosine;
      shares += part * share;
    }
    return { id, score: sum / shares - mean };
  });
  return bestFirst(mixed);
}
