import { z } from 'zod';

/**
 * Rights of a key:
 * - `chat`: talk, see how one stands with a companion, use allowed tools, make sign-in codes
 * - `memories`: read and forget what is remembered, documents and tasks too; end keys that act as oneself
 * - `import`: bring in texts and history
 * - `outreach`: see and change what companions may start
 * - `audit`: read what operators did
 * - `thoughts`: read what companions thought in anybody's turns, which repeats what was said there
 * - `companions`: bring companions in, change and pause them
 * - `admin`: run the suite; includes `companions`
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
