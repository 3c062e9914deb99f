import { describe, expect, it } from '@jest/globals';
import { readTime } from './read-time.js';

describe('a time that a flag gives', () => {
  it.each([
    ['2027-01-31', '2027-01-31T00:00:00.000Z'],
    ['2027-01-31T18:00', '2027-01-31T18:00:00.000Z'],
    ['2027-01-31T18:00:05', '2027-01-31T18:00:05.000Z'],
    ['2027-01-31T18:00:05.5Z', '2027-01-31T18:00:05.500Z'],
    ['2027-01-31T18:00+02:00', '2027-01-31T16:00:00.000Z'],
  ])('%s is %s', (text, time) => {
    expect(readTime('--to', text).toISOString()).toBe(time);
  });

  it.each(['5', 'foo 5', '2026-02-30', '03/04/2026', '2026', '2026-03-01Z', '1850-01-01', ''])(
    'is not %j',
    (text) => {
      expect(() => readTime('--to', text)).toThrow('--to: ');
    },
  );
});
