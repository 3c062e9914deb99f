import type { Audience, MemoryView } from '@kith/contracts';

const KIND: Record<MemoryView['kind'], string> = {
  episode: 'something that happened',
  fact: 'a fact',
  reflection: 'a reflection',
  lore: 'lore of this place',
  knowledge: 'from a document',
  description: 'a description',
};

const WRITER: Record<MemoryView['writer'], string | null> = {
  person: 'in your words',
  companion: 'in its own words',
  model: null,
  operator: 'set by the operator',
  import: 'imported',
};

/** Names the sort of memory and whose words it has, such as "a fact, in your words". */
export function describeMemory({ kind, writer }: Pick<MemoryView, 'kind' | 'writer'>): string {
  const whose = WRITER[writer];
  return whose === null ? KIND[kind] : `${KIND[kind]}, ${whose}`;
}

/** Names the place where it was said, and so where it may be repeated. */
export function describeAudience(audience: Audience): string {
  if (audience === 'direct') return 'said between you two';
  const door = audience.split(':')[1] ?? 'another';
  return `said in a ${door.charAt(0).toUpperCase()}${door.slice(1)} channel`;
}
