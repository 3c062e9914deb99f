import { describe, expect, it } from '@jest/globals';
import { describeInterval } from './job-runner.js';

describe('the interval of a job', () => {
  it.each([
    [21_600_000, 'every 6 h'],
    [300_000, 'every 5 min'],
    [90_000, 'every 90 s'],
    [1_500, 'every 1.5 s'],
  ])('of %i ms is told in a unit that people count in', (everyMs, words) => {
    expect(describeInterval(everyMs)).toBe(words);
  });
});
