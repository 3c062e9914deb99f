import { describe, expect, it } from '@jest/globals';
import { HOUR_MS } from '@kith/contracts';
import { MAX_ROWS_READ, partRead } from './seen-by.js';

const FROM = 10.5 * HOUR_MS;
const rows = (count: number, first: number) => Array.from({ length: count }, (_, n) => first + n);

describe('the part of a period that was read', () => {
  it('is all of it, begun by what was before its first hour', () => {
    const whole = { from: FROM, before: 10 * HOUR_MS };
    expect(partRead(FROM, [])).toEqual(whole);
    expect(partRead(FROM, rows(MAX_ROWS_READ - 1, 20 * HOUR_MS))).toEqual(whole);
  });

  it('begins at a full hour at which everybody has seen the earliest row, with more rows than are read', () => {
    const first = 20.4 * HOUR_MS;
    expect(partRead(FROM, rows(MAX_ROWS_READ, first))).toEqual({ from: 22 * HOUR_MS, before: first });
  });

  it('never begins before the period', () => {
    const first = FROM - 3 * HOUR_MS;
    expect(partRead(FROM, rows(MAX_ROWS_READ, first)).from).toBe(FROM);
  });
});
