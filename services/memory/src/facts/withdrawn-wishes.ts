import { LEAVES_OUT } from '../words/wish-forms.js';
import type { Fact } from './reconcile-fact.js';
import { conditionOf, termsOfWish, WISH } from './read-wishes.js';
import type { Statement } from './statement.js';

/**
 * Expands a statement that takes wishes back into one for each wish with all of its words. "Stop giving me advice" takes
 * back what asked for advice; where nothing did, or on a condition alone, it is a wish itself. Any other statement stays
 * as it is. Pure.
 * @param known facts that may be heard where it is said
 */
export function withdrawnWishes(known: readonly Fact[], statement: Statement): Statement[] {
  const { was, value: wish } = statement;
  const isStop = statement.attribute.startsWith(WISH) && wish !== null && was !== undefined;
  if (statement.attribute !== WISH && !isStop) return [statement];
  const named = [...termsOfWish(was ?? '')];
  if (named.length === 0) return wish === null ? [] : [statement];
  const taken = known
    .filter(({ attribute, validTo }) => attribute.startsWith(WISH) && validTo === null)
    .filter(({ value }) => {
      const terms = termsOfWish(value);
      const asked = value.replace(conditionOf(value) ?? '', '');
      return !(isStop && LEAVES_OUT.test(asked)) && named.every((term) => terms.has(term));
    });
  const ended = taken.map(({ attribute, value }) => ({ attribute, value: null, isSure: true, was: value }));
  const isWider =
    isStop && conditionOf(wish) === null && taken.some(({ value }) => conditionOf(value) !== null);
  return isWider || (taken.length === 0 && wish !== null) ? [...ended, statement] : ended;
}
