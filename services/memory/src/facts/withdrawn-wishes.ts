import { wayOf } from '../words/manners.js';
import { LEAVES_OUT, SPEAKS_OF } from '../words/wish-forms.js';
import type { Fact } from './reconcile-fact.js';
import { conditionOf, termsOfWish, WISH } from './read-wishes.js';
import type { Statement } from './statement.js';

/**
 * Expands a statement about wishes into one for each that it ends, and itself. "You can stop" ends those with all of its
 * words; "stop giving me advice" ends what asked for advice, and where nothing did, or on a condition alone, it is a wish
 * itself; any other wish ends its contraries, which have names of their own. Any other statement stays as it is. Pure.
 * @param known facts that may be heard where it is said
 */
export function withdrawnWishes(known: readonly Fact[], statement: Statement): Statement[] {
  const { attribute, was, value: wish } = statement;
  if (!attribute.startsWith(WISH)) return [statement];
  const wishes = known.filter((fact) => fact.attribute.startsWith(WISH) && fact.validTo === null);
  if (wish !== null && was === undefined) {
    const contraries = wishes.filter((fact) => fact.attribute !== attribute && isContrary(fact.value, wish));
    return [...contraries.map(ended), statement];
  }
  const named = was ?? '';
  if (termsOf(named).size === 0) return wish === null ? [] : [statement];
  // A wish here is an order to stop something: it ends no other such order.
  const taken = wishes
    .filter(({ value }) => wish === null || !leavesOut(value))
    .filter(({ value }) => hasWords(value, named) || isWayTaken(value, statement));
  const isWider =
    wish !== null && conditionOf(wish) === null && taken.some(({ value }) => conditionOf(value) !== null);
  const isKept = isWider || (taken.length === 0 && wish !== null);
  return [...taken.map(ended), ...(isKept ? [statement] : [])];
}

function ended({ attribute, value }: Fact): Statement {
  return { attribute, value: null, isSure: true, was: value };
}

/** Tells whether one of two wishes forbids what the other asks for, on the same condition. */
function isContrary(one: string, other: string): boolean {
  if (leavesOut(one) === leavesOut(other)) return false;
  if (hasWords(one, other) && hasWords(other, one)) return true;
  const [condition, another] = [one, other].map((wish) => [...termsOf(conditionOf(wish) ?? '')].join(' '));
  return condition === another && isSameWay(one, other);
}

/** Tells whether a wish is about a way of answering that is taken back, or allowed again, in other words. */
function isWayTaken(wish: string, { was = '', isAllowed = false }: Statement): boolean {
  if (conditionOf(was) !== null) return false;
  if (leavesOut(wish)) return isAllowed && isSameWay(wish, was);
  const [asked, named] = [wayOf(bare(wish)), wayOf(was)];
  if (asked === null || named === null || asked.manner !== named.manner) return false;
  return (asked.way === named.way) !== isAllowed;
}

function isSameWay(one: string, other: string): boolean {
  const [way, another] = [wayOf(bare(one)), wayOf(bare(other))];
  return way !== null && way.manner === another?.manner && way.way === another.way;
}

function hasWords(wish: string, named: string): boolean {
  const terms = termsOf(wish);
  return [...termsOf(named)].every((term) => terms.has(term));
}

/** Returns the telling words of a wish, with one verb for all by which something is spoken of. */
function termsOf(words: string): ReadonlySet<string> {
  return termsOfWish(words.replace(SPEAKS_OF, 'mention '));
}

function leavesOut(wish: string): boolean {
  return LEAVES_OUT.test(bare(wish));
}

function bare(wish: string): string {
  return wish.replace(conditionOf(wish) ?? '', '');
}
