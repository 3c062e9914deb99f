import { storableText } from '@kith/contracts';

/** A value as a parameter for `jsonb`, which one statement reads as rows however many there are. */
export function toJsonb(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? storableText(part) : part));
}
