import { present } from '@kith/contracts';
import MiniSearch from 'minisearch';
import { analyseText } from '../../services/memory/dist/words/analyse-text.js';
import type { Conversation } from '../locomo.ts';

/** Finds lines of one conversation: ids of turns, the best first. */
export type Ranker = (question: string, limit: number) => string[];

/**
 * BM25 as a library ships it, each message one document with its speaker's name, over the words that recall goes by:
 * without stop words and stemmed, which is worth 2 to 10 points of hit@10 over the library's own.
 */
export function bm25({ turns }: Conversation): Ranker {
  const index = new MiniSearch({
    fields: ['text'],
    tokenize: (text) => [...analyseText(text)],
    processTerm: (term) => term,
  });
  index.addAll(turns.map(({ id, text }) => ({ id, text })));
  return (question, limit) =>
    index
      .search(question)
      .slice(0, limit)
      .map(({ id }) => String(id));
}

const NGRAM_SIZES = [3, 4, 5];

/** Cosine of TF-IDF over character n-grams within words (1 + ln tf, smoothed idf), as text libraries offer it. */
export function ngramTfIdf({ turns }: Conversation): Ranker {
  const counted = turns.map(({ text }) => countNgrams(text));
  const holders = new Map<string, number>();
  for (const counts of counted)
    for (const ngram of counts.keys()) holders.set(ngram, (holders.get(ngram) ?? 0) + 1);
  const weigh = (counts: ReadonlyMap<string, number>) =>
    [...counts].flatMap(([ngram, count]): [string, number][] => {
      const held = holders.get(ngram);
      return held === undefined
        ? []
        : [[ngram, (1 + Math.log(count)) * (1 + Math.log((1 + turns.length) / (1 + held)))]];
    });
  const postings = new Map<string, { at: number; weight: number }[]>();
  counted.forEach((counts, at) => {
    const weights = weigh(counts);
    const length = Math.sqrt(weights.reduce((sum, [, weight]) => sum + weight ** 2, 0));
    for (const [ngram, weight] of weights) {
      const list = postings.get(ngram) ?? [];
      list.push({ at, weight: weight / length });
      postings.set(ngram, list);
    }
  });
  return (question, limit) => {
    const scores = new Map<number, number>();
    for (const [ngram, asked] of weigh(countNgrams(question)))
      for (const { at, weight } of postings.get(ngram) ?? [])
        scores.set(at, (scores.get(at) ?? 0) + asked * weight);
    return [...scores]
      .sort(([a, one], [b, other]) => other - one || a - b)
      .slice(0, limit)
      .map(([at]) => present(turns[at]).id);
  };
}

function countNgrams(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
    const padded = ` ${word} `;
    for (const size of NGRAM_SIZES)
      for (let from = 0; from + size <= padded.length; from += 1) {
        const ngram = padded.slice(from, from + size);
        counts.set(ngram, (counts.get(ngram) ?? 0) + 1);
      }
  }
  return counts;
}
