import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import wabt from 'wabt';
import { CODE, compareRows, widthOf } from './compare-rows.js';

const component = fc.float({ min: -1, max: 1, noNaN: true });

/** Compares rows of bytes with a query, and checks each product against a loop's. */
function checkProducts(query: Float32Array, rows: readonly Int8Array[]): void {
  const width = widthOf(query.length);
  const vectors = new Int8Array(rows.length * width);
  rows.forEach((row, at) => vectors.set(row, at * width));
  const products = new Float64Array(rows.length + 1);
  compareRows(query, vectors, products, rows.length);
  const largest = query.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  rows.forEach((row, at) => {
    const expected = row.reduce((sum, value, i) => sum + value * query[i]!, 0);
    const allowed = row.reduce((sum, value) => sum + Math.abs(value), 0) * (largest / 30_000 + 1e-7);
    expect(Math.abs(products[at]! - expected)).toBeLessThanOrEqual(allowed);
  });
  expect(products[rows.length]).toBe(0);
}

describe('comparing a query with rows of bytes', () => {
  it('comes to what a loop does, in any dimensions', () => {
    const dimensions = fc.integer({ min: 1, max: 70 });
    const cases = dimensions.chain((length) =>
      fc.record({
        query: fc.array(component, { minLength: length, maxLength: length }),
        rows: fc.array(fc.int8Array({ minLength: length, maxLength: length, min: -127 }), { maxLength: 9 }),
      }),
    );
    fc.assert(fc.property(cases, ({ query, rows }) => checkProducts(Float32Array.from(query), rows)));
  });

  it('does so over more rows than are copied at once, and where every number is the largest', () => {
    const largest = (length: number) => new Int8Array(length).fill(127);
    checkProducts(
      new Float32Array(384).fill(1),
      Array.from({ length: 6_000 }, () => largest(384)),
    );
    checkProducts(
      new Float32Array(4_096).fill(-1),
      Array.from({ length: 300 }, () => largest(4_096)),
    );
  });

  it('refuses rows that are wider than what it sees of them', () => {
    const query = new Float32Array(400_000);
    expect(() => compareRows(query, new Int8Array(400_000), new Float64Array(1), 1)).toThrow(RangeError);
  });

  it('runs what its source says', async () => {
    const source = readFileSync(join(import.meta.dirname, 'compare-rows.wat'), 'utf8');
    const compiled = (await wabt()).parseWat('compare-rows.wat', source).toBinary({});
    expect(CODE).toBe(Buffer.from(compiled.buffer).toString('base64'));
  });
});
