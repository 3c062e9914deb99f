import { describe, expect, it } from '@jest/globals';
import { isNestedDeeper, MAX_DEPTH } from './is-nested-deeper.js';

const nested = (depth: number, open: string, close: string): unknown =>
  JSON.parse(open.repeat(depth) + '1' + close.repeat(depth));

describe('the depth of a body', () => {
  it.each([
    ['lists', '[', ']'],
    ['objects', '{"a":', '}'],
  ])('is bounded: %s', (_, open, close) => {
    expect(isNestedDeeper(nested(MAX_DEPTH, open, close), MAX_DEPTH)).toBe(false);
    expect(isNestedDeeper(nested(MAX_DEPTH + 1, open, close), MAX_DEPTH)).toBe(true);
    expect(isNestedDeeper(nested(100_000, open, close), MAX_DEPTH)).toBe(true);
  });

  it('is not its breadth', () => {
    expect(isNestedDeeper({ many: Array.from({ length: 50_000 }, () => ({})) }, 3)).toBe(false);
    expect(isNestedDeeper('text', 0)).toBe(false);
  });
});
