import { countTerms, inverseDocumentFrequency, termWeight } from '../words/bm25.js';
import { byScore, type FoundMemory } from '../index/vector-index.js';
import { analyseText } from '../words/analyse-text.js';

/**
 * Texts of the corpus that a handful of texts is weighed as a part of. Among themselves every word would look common, and
 * their scores could not be compared with those of the index.
 */
const ASSUMED_CORPUS = 100;

/** Scores texts at hand by BM25, best first, without those that share no word with the query. */
export function rankByWords(terms: readonly string[], texts: { id: string; text: string }[]): FoundMemory[] {
  const counted = texts.map(({ id, text }) => {
    const found = analyseText(text);
    return { id, counts: countTerms(found), length: found.length };
  });
  const total = Math.max(ASSUMED_CORPUS, counted.length);
  const rarity = new Map(
    [...new Set(terms)].map((term) => {
      const holders = counted.filter(({ counts }) => counts.has(term)).length;
      return [term, inverseDocumentFrequency(total, holders)] as const;
    }),
  );
  return counted
    .map(({ id, counts, length }) => {
      let score = 0;
      for (const [term, idf] of rarity) score += idf * termWeight(counts.get(term) ?? 0, length);
      return { id, score };
    })
    .filter(({ score }) => score > 0)
    .sort(byScore);
}
