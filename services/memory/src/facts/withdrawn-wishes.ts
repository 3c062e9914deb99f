import type { Fact } from './reconcile-fact.js';
import { termsOfWish, WISH } from './read-wishes.js';
import type { Statement } from './statement.js';

/**
 * Expands a statement that takes wishes back into one for each wish with all of its words. Any other statement stays as
 * it is. Pure.
 * @param known facts that may be heard where it is said
 */
export function withdrawnWishes(known: readonly Fact[], statement: Statement): Statement[] {
  if (statement.attribute !== WISH) return [statement];
  const named = [...termsOfWish(statement.was ?? '')];
  if (named.length === 0) return [];
  return known
    .filter(({ attribute, validTo }) => attribute.startsWith(WISH) && validTo === null)
    .filter(({ value }) => {
      const terms = termsOfWish(value);
      return named.every((term) => terms.has(term));
    })
    .map(({ attribute, value }) => ({ attribute, value: null, isSure: true, was: value }));
}
