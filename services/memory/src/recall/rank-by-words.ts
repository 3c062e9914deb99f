import { countTerms, inverseDocumentFrequency, termWeight } from '../words/bm25.js';
import type { Found } from '../index/vector-index.js';
import { analyseText } from '../words/analyse-text.js';

/**
 * In a handful of texts every word looks common; weighing them as if they came from a corpus of some size
 * keeps their scores comparable with the index's own.
 */
const ASSUMED_CORPUS = 100;

/** BM25 over texts at hand, best first, without those that share no word with the query. */
export function rankByWords(terms: readonly string[], texts: { id: string; text: string }[]): Found[] {
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
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}
