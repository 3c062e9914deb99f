import { describe, expect, it } from '@jest/globals';
import { LineOrder, NONE } from './line-order.js';

/** Orders lines of two conversations, given in any order, and reads one of them from its first line to its last. */
function linesOf(given: readonly { id: string; saidAt: number }[]): string[] {
  const ids: string[] = [];
  const order = new LineOrder(ids);
  given.forEach(({ id, saidAt }, n) => {
    ids.push(id, `${id}-elsewhere`);
    order.add('kitchen', saidAt);
    order.add(n % 2 ? 'garden' : null, saidAt);
  });
  const read: string[] = [];
  let row = given.length > 0 ? 0 : NONE;
  while (row !== NONE && order.before[row] !== NONE) row = order.before[row]!;
  for (; row !== NONE; row = order.after[row]!) read.push(ids[row]!);
  return read;
}

/** Lists the numbers below a count in an order that looks random. */
function shuffled(count: number): number[] {
  return Array.from({ length: count }, (_, n) => (n * 7_919 + 13) % count);
}

describe('the order of lines', () => {
  const numbers = Array.from({ length: 100 }, (_, n) => n);
  const idOf = (n: number) => `l${String(n).padStart(3, '0')}`;
  const expected = numbers.map(idOf);

  it.each([
    ['as they were said', numbers],
    ['the latest first', numbers.toReversed()],
    ['in any order', shuffled(100)],
    [
      'in parts, the latest part first',
      [...numbers.slice(60), ...numbers.slice(30, 60), ...numbers.slice(0, 30)],
    ],
  ])('is found for lines that come %s', (_, given) => {
    expect(linesOf(given.map((n) => ({ id: idOf(n), saidAt: n * 1_000 })))).toEqual(expected);
  });

  it.each([
    ['rising', numbers],
    ['falling', numbers.toReversed()],
    ['any', shuffled(100)],
  ])('goes by ids where all were said at one moment, and these come in %s order', (_, given) => {
    expect(linesOf(given.map((n) => ({ id: idOf(n), saidAt: 0 })))).toEqual(expected);
  });
});
