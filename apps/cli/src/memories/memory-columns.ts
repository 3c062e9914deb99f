import type { Audience, MemoryView, RecalledMemory } from '@kith/contracts';
import type { Column } from '../terminal/table-lines.js';
import { shortId } from './memory-pages.js';

/** Words for the place where something was said. */
export function heardIn(audience: Audience): string {
  return audience === 'direct' ? 'alone' : 'channel';
}

export const MEMORY_ID: Column<MemoryView> = { header: 'id', value: ({ id }) => shortId(id) };

export const MEMORY_COLUMNS: Column<MemoryView>[] = [
  MEMORY_ID,
  { header: 'said', value: ({ saidAt }) => saidAt.slice(0, 10) },
  { header: 'kind', value: ({ kind }) => kind },
  { header: 'heard', value: ({ audience }) => heardIn(audience) },
  { header: 'shelf', value: ({ shelf, pinned }) => (pinned ? 'pinned' : shelf) },
  { header: 'weight', value: ({ importance }) => importance.toFixed(0), align: 'right' },
  { header: 'memory', value: ({ text }) => text, flexible: true },
];

/** Columns that say why a memory was recalled: the parts of its score. */
export const WHY_COLUMNS: Column<RecalledMemory>[] = [
  { header: 'score', value: ({ why }) => why.score.toFixed(2), align: 'right' },
  { header: 'dense', value: ({ why }) => rank(why.denseRank), align: 'right' },
  { header: 'alike', value: ({ why }) => why.similarity?.toFixed(2) ?? '–', align: 'right' },
  { header: 'words', value: ({ why }) => rank(why.lexicalRank), align: 'right' },
  { header: 'fit', value: ({ why }) => boost(why.fit), align: 'right' },
  { header: 'recency', value: ({ why }) => boost(why.recency), align: 'right' },
  { header: 'weight', value: ({ why }) => boost(why.importance), align: 'right' },
  { header: 'mood', value: ({ why }) => boost(why.mood), align: 'right' },
  { header: 'proof', value: ({ why }) => boost(why.proof), align: 'right' },
  { header: 'said', value: ({ saidAt }) => saidAt.slice(0, 10) },
  { header: 'memory', value: ({ text }) => text, flexible: true },
];

/** Writes a place in a ranking; a dash for none. */
export function rank(place: number | null | undefined): string {
  return place == null ? '–' : `#${place}`;
}

/** Writes a part of a score with its sign; a dash for what was not scored. */
export function boost(part: number | undefined): string {
  return part === undefined ? '–' : `${part < 0 ? '' : '+'}${part.toFixed(2)}`;
}
