/** A JSON object. */
export type Json = Record<string, unknown>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function objectOf(value: unknown): Json {
  return isObject(value) ? value : {};
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The texts of a list, or a text alone. */
export function textsOf(value: unknown): string[] {
  const texts = Array.isArray(value) ? value : [value];
  return texts.filter((text): text is string => typeof text === 'string' && text.trim() !== '');
}

/** Tells whether there is something in a field: an empty list is nothing. */
export function isFilled(held: unknown): boolean {
  if (typeof held === 'object' && held !== null) return Object.keys(held).length > 0;
  return held !== undefined && held !== null && held !== '';
}
