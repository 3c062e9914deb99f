import { describe, expect, it } from '@jest/globals';
import { findExcess, MAX_JSON_DEPTH, MAX_JSON_VALUES } from './json-shape.js';

const excessOf = (text: string) => findExcess(Buffer.from(text));
const nested = (depth: number, open: string, close: string) => open.repeat(depth) + '1' + close.repeat(depth);

describe('the shape of JSON from outside', () => {
  it.each([
    ['lists', '[', ']'],
    ['objects', '{"a":', '}'],
  ])('is bounded in depth: %s', (_, open, close) => {
    expect(excessOf(nested(MAX_JSON_DEPTH, open, close))).toBeNull();
    for (const depth of [MAX_JSON_DEPTH + 1, 100_000])
      expect(excessOf(nested(depth, open, close))).toBe('is nested more than 64 deep');
  });

  it.each(['{}', '1', '[]', '"a"'])('is bounded in values: %s', (value) => {
    const listOf = (count: number) => `[${Array(count).fill(value).join(',')}]`;
    expect(excessOf(listOf(MAX_JSON_VALUES / 2 - 1))).toBeNull();
    expect(excessOf(listOf(MAX_JSON_VALUES + 1))).toBe('holds more than 200000 values');
  });

  it('is not what texts are made of', () => {
    const signs = '[{,'.repeat(MAX_JSON_VALUES);
    expect(
      excessOf(JSON.stringify({ text: signs, other: `"${signs}\\`, more: `Zürich ${signs}` })),
    ).toBeNull();
    expect(excessOf(String.raw`{"a\\":"\"${signs}"}`)).toBeNull();
    expect(excessOf('')).toBeNull();
  });
});
