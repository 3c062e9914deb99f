import { z } from 'zod';

/**
 * Rights of a key: to talk, and see how it stands with a companion; to read and forget what is remembered; to bring in
 * texts and history; to see and settle what companions start; to read what operators did; to read what companions
 * thought in anybody's turns, which repeats what was said there; to bring companions in, change and pause them; to run the suite, which includes the one before.
 */
export const ApiScope = z.enum([
  'chat',
  'memories',
  'import',
  'outreach',
  'audit',
  'thoughts',
  'companions',
  'admin',
]);
export type ApiScope = z.infer<typeof ApiScope>;

/** Tells whether scopes hold one, by themselves or within another. */
export function holdsScope(scopes: readonly ApiScope[], wanted: ApiScope): boolean {
  return scopes.includes(wanted) || (wanted === 'companions' && scopes.includes('admin'));
}
