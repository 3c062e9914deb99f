import { describe, expect, it } from '@jest/globals';
import { boundTimestamp } from './bounded-reading.js';

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
});
