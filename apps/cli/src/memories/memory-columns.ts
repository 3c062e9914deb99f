import type { Audience, MemoryView } from '@kith/contracts';
import type { Column } from '../terminal/table-lines.js';
import { shortId } from './memory-pages.js';

/** Words for the place where something was said. */
export function heardIn(audience: Audience): string {
  return audience === 'direct' ? 'alone' : 'channel';
}

export const MEMORY_ID: Column<MemoryView> = { header: 'id', value: ({ id }) => shortId(id) };

/** Columns of a memory in a list. */
export const MEMORY_COLUMNS: Column<MemoryView>[] = [
  MEMORY_ID,
  { header: 'said', value: ({ saidAt }) => saidAt.slice(0, 10) },
  { header: 'kind', value: ({ kind }) => kind },
  { header: 'heard', value: ({ audience }) => heardIn(audience) },
  { header: 'shelf', value: ({ shelf, pinned }) => (pinned ? 'pinned' : shelf) },
  { header: 'weight', value: ({ importance }) => importance.toFixed(0), align: 'right' },
  { header: 'memory', value: ({ text }) => text, flexible: true },
];
