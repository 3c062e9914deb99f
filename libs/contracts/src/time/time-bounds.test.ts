import { describe, expect, it } from '@jest/globals';
import { boundTime } from './time-bounds.js';

describe('a time', () => {
  it('is brought to the nearest bound where it is stored already', () => {
    expect(boundTime(new Date(8.64e15)).toISOString()).toBe('2199-12-31T23:59:59.999Z');
    expect(boundTime(new Date(-8.64e15)).toISOString()).toBe('1900-01-01T00:00:00.000Z');
    expect(boundTime(new Date(Number.NaN)).toISOString()).toBe('1900-01-01T00:00:00.000Z');
  });
});
