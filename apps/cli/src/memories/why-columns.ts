import type { RecalledMemory } from '@kith/contracts';
import type { Column } from '../terminal/table.js';

/** Columns that say why a memory was recalled: the parts of its score. */
export const WHY_COLUMNS: Column<RecalledMemory>[] = [
  { header: 'score', value: ({ why }) => why.score.toFixed(2), align: 'right' },
  { header: 'dense', value: ({ why }) => rank(why.denseRank), align: 'right' },
  { header: 'alike', value: ({ why }) => why.similarity?.toFixed(2) ?? '–', align: 'right' },
  { header: 'words', value: ({ why }) => rank(why.lexicalRank), align: 'right' },
  { header: 'fit', value: ({ why }) => `${why.fit < 0 ? '' : '+'}${why.fit.toFixed(2)}`, align: 'right' },
  { header: 'recency', value: ({ why }) => `+${why.recency.toFixed(2)}`, align: 'right' },
  { header: 'weight', value: ({ why }) => `+${why.importance.toFixed(2)}`, align: 'right' },
  { header: 'mood', value: ({ why }) => `+${why.mood.toFixed(2)}`, align: 'right' },
  { header: 'proof', value: ({ why }) => `+${why.proof.toFixed(2)}`, align: 'right' },
  { header: 'said', value: ({ saidAt }) => saidAt.slice(0, 10) },
  { header: 'memory', value: ({ text }) => text, flexible: true },
];

function rank(place: number | null): string {
  return place === null ? '–' : `#${place}`;
}
