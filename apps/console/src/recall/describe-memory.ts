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

/** Names a memory's sort, whose words it has, and where it was said or given: "a fact, in your words · said between you two". */
export function describeOrigin({
  kind,
  writer,
  audience,
}: Pick<MemoryView, 'kind' | 'writer' | 'audience'>): string {
  const whose = WRITER[writer];
  return `${KIND[kind]}${whose === null ? '' : `, ${whose}`} · ${kind === 'knowledge' ? 'kept' : 'said'} ${describeAudience(audience)}`;
}

/** Names the place where it may be repeated. */
function describeAudience(audience: Audience): string {
  if (audience === 'direct') return 'between you two';
  const door = audience.split(':')[1] ?? 'another';
  return `in a ${door.charAt(0).toUpperCase()}${door.slice(1)} channel`;
}
