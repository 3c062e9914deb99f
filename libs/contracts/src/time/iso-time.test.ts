import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { IsoDay, IsoTime, PastTime } from './iso-time.js';
import * as contracts from '../index.js';

describe('a time from outside', () => {
  it.each([
    '2026-11-22T06:00:00Z',
    '1900-01-01T00:00:00Z',
    '2199-12-31T23:59:59.999Z',
    '1900-01-01T05:30:00+05:30',
  ])('is taken: %s', (text) => expect(IsoTime.safeParse(text).success).toBe(true));

  it.each([
    // Each is allowed by its digits, and lies elsewhere once its offset is resolved.
    '9999-12-31T23:59:59-23:59',
    '2199-12-31T23:59:59-00:01',
    '1900-01-01T00:00:00+00:01',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00Z',
    '1899-12-31T23:59:59Z',
    '2200-01-01T00:00:00Z',
    '+010000-01-01T00:00:00Z',
    `2026-11-22T06:00:00.${'9'.repeat(5_000)}Z`,
  ])('is refused: %.40s', (text) => expect(IsoTime.safeParse(text).success).toBe(false));

  it.each(['0000-01-01', '1899-12-31', '2200-01-01', '9999-12-31'])('that is a day is refused: %s', (text) =>
    expect(IsoDay.safeParse(text).success).toBe(false),
  );
});

describe('a time at which something was said', () => {
  it('has come, but for a day by which clocks are wrong', () => {
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    expect([-1, 23, 25].map((hours) => PastTime.safeParse(inHours(hours)).success)).toEqual([
      true,
      true,
      false,
    ]);
    expect(PastTime.safeParse('1899-12-31T23:59:59Z').success).toBe(false);
  });
});

/** Every schema of the contracts, with those it is made of. */
function* schemasIn(value: unknown, seen = new Set<unknown>()): Generator<z.core.$ZodType> {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  seen.add(value);
  if ('_zod' in value) {
    yield value as unknown as z.core.$ZodType;
    yield* schemasIn((value as { _zod: { def: unknown } })._zod.def, seen);
    return;
  }
  for (const part of Object.values(value)) yield* schemasIn(part, seen);
}

describe('the contracts', () => {
  it('have no time without bounds', () => {
    const times = [...schemasIn({ ...contracts })].filter(({ _zod: { def } }) => {
      const { type, format } = def as { type: string; format?: string };
      return type === 'date' || format === 'datetime' || format === 'date';
    });
    expect(times.length).toBeGreaterThan(0);
    const taking = times.filter((schema) =>
      ['0000-01-01', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59-23:59', '9999-12-31'].some(
        (text) => z.safeParse(schema, text).success,
      ),
    );
    expect(taking).toEqual([]);
  });
});
