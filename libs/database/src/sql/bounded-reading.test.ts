import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { boundedTypes, boundTimestamp } from './bounded-reading.js';

const EARLIEST = '1900-01-01 00:00:00.000+00';
const LATEST = '2199-12-31 23:59:59.999+00';

describe('a time of a row', () => {
  it.each([
    ['2026-11-22 06:04:28.123+00', '2026-11-22 06:04:28.123+00'],
    ['1900-01-01 00:00:00+00', '1900-01-01 00:00:00+00'],
    ['2199-12-31', '2199-12-31'],
    ['10000-01-01 23:58:59+00', LATEST],
    ['9999-12-31 23:59:59+00', LATEST],
    ['2200-01-01 00:00:00+00', LATEST],
    ['infinity', LATEST],
    ['-infinity', EARLIEST],
    ['1899-12-31 23:59:59+00', EARLIEST],
    ['0001-01-01 00:00:00+00', EARLIEST],
    ['2024-01-01 00:00:00+00 BC', EARLIEST],
    ['44-03-15 BC', EARLIEST],
  ])('%s is read as %s', (written, read) => {
    expect(boundTimestamp(written)).toBe(read);
  });

  it.each([
    '2026-11-22 06:04:28+00',
    '2026-11-22 06:04:28.1+00',
    '1969-12-31 23:59:59.999+00',
    '2026-11-22 06:04:28.123999+00',
    '2026-11-22 06:04:28.123+05:30',
    '2026-11-22 06:04:28-08',
  ])('%s is what the driver reads', (written) => {
    const { TIMESTAMPTZ } = pg.types.builtins;
    const read = boundedTypes().getTypeParser(TIMESTAMPTZ) as (text: string) => Date;
    const byDriver = pg.types.getTypeParser(TIMESTAMPTZ) as (text: string) => Date;
    expect(read(written)).toEqual(byDriver(written));
  });
});

describe('a list of a row', () => {
  it.each([
    '{}',
    '{a}',
    '{a,b c,7d1f}',
    '{"a,b",c}',
    '{"say \\"hi\\"",NULL,x}',
    '{"NULL",nullable}',
    '{"",a}',
    '{"{a}",b}',
    '{{a,b},{c,d}}',
    '[2:3]={a,b}',
  ])('%s is what the driver reads', (written) => {
    for (const oid of [1009, 2951] as never[]) {
      const read = boundedTypes().getTypeParser(oid) as (text: string) => string[];
      const byDriver = pg.types.getTypeParser(oid) as (text: string) => string[];
      expect(read(written)).toEqual(byDriver(written));
    }
  });
});
