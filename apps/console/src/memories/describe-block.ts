import type { Audience, CoreBlock, CoreLabel } from '@kith/contracts';
import { dayOf } from '../page/describe-date.js';

/** Titles a block of core memory by its subject. */
export function titleOf(label: CoreLabel, name: string): string {
  const titles = { human: 'Who you are', persona: `How ${name} is with you`, operator: 'From the operator' };
  return titles[label];
}

/** Names the place that a block is in mind in. */
export function describePlace(audience: Audience): string {
  const [, door = '', id = ''] = audience.split(':');
  if (door === '') return 'Between you two';
  // One channel is told from another by its id alone.
  return `In the ${door.charAt(0).toUpperCase()}${door.slice(1)} channel ${id}`;
}

/** Says who wrote a block last, and when. */
export function describeWriter(
  { updatedBy, updatedAt }: Pick<CoreBlock, 'updatedBy' | 'updatedAt'>,
  name: string,
): string {
  const writers = { person: 'you', companion: name, operator: 'the operator' };
  return `last written by ${writers[updatedBy]} on ${dayOf(updatedAt)}`;
}
