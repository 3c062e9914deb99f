import { describe, expect, it } from '@jest/globals';
import { clockOfDay, dayOf, describeDate } from './describe-date.js';

const now = new Date(2026, 4, 12, 14, 30);

describe('dayOf', () => {
  it.each([new Date(2026, 4, 12, 0, 5), new Date(2026, 4, 12, 23, 55)])('is that of the reader', (time) => {
    expect(dayOf(time.toISOString())).toBe('2026-05-12');
  });
});

describe('clockOfDay', () => {
  it('says the day where that is not today', () => {
    const at = (day: number) => clockOfDay(new Date(2026, 4, day, 14, 5).toISOString(), now, 'en-GB');
    expect([at(12), at(11)]).toEqual(['14:05', '2026-05-11, 14:05']);
  });
});

describe('describeDate', () => {
  it.each([
    ['just now', new Date(2026, 4, 12, 14, 29, 40)],
    ['1 minute ago', new Date(2026, 4, 12, 14, 28, 40)],
    ['20 minutes ago', new Date(2026, 4, 12, 14, 10)],
    ['today at 09:05', new Date(2026, 4, 12, 9, 5)],
    ['yesterday evening', new Date(2026, 4, 11, 20)],
    ['last Thursday', new Date(2026, 4, 7, 12)],
    ['last week', new Date(2026, 4, 2, 12)],
    ['3 weeks ago, in April', new Date(2026, 3, 21, 12)],
    ['in January', new Date(2026, 0, 10)],
    ['in May 2024', new Date(2024, 4, 10)],
  ])('says %s', (words, then) => {
    expect(describeDate(then.toISOString(), now, 'en-GB')).toBe(words);
  });

  it('takes a clock that is ahead for now', () => {
    expect(describeDate(new Date(2026, 4, 12, 14, 31).toISOString(), now)).toBe('just now');
  });
});
