import { expect, it } from '@jest/globals';
import { dayAgoInWords } from './day-in-words.js';

it.each([
  // The year before 2026 is 2025, the month before March is February, and the week before has no 31 March.
  ['2024-07-20', '2026-01-01', 'Saturday, 20 July 2024, 1 year ago'],
  ['2026-01-20', '2026-03-01', 'Tuesday, 20 January 2026, 1 month ago'],
  ['2024-03-31', '2024-04-10', 'Sunday, 31 March 2024, 1 week ago'],
  ['2024-02-29', '2025-02-28', 'Thursday, 29 February 2024, 1 year ago'],
  ['2024-02-29', '2024-03-01', 'Thursday, 29 February 2024, yesterday'],
])('names no other week, month or year than the one that a day is in: %s on %s', (at, now, told) => {
  expect(dayAgoInWords(new Date(`${at}T10:00:00Z`), new Date(`${now}T09:00:00Z`), null)).toBe(told);
});

it.each([
  // 29 March 2026 has 23 hours in Berlin, and 25 October has 25.
  ['2026-03-28T22:30:00Z', '2026-03-29T21:30:00Z', 'Saturday, 28 March 2026, yesterday'],
  ['2026-10-24T22:15:00Z', '2026-10-25T22:30:00Z', 'Sunday, 25 October 2026, today'],
])('counts days of 23 and 25 hours as days: %s', (at, now, told) => {
  expect(dayAgoInWords(new Date(at), new Date(now), 'Europe/Berlin')).toBe(told);
});
