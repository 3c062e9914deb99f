import { describe, expect, it } from '@jest/globals';
import { DateTime } from 'luxon';
import { findDates } from './find-dates.js';

const BERLIN = 'Europe/Berlin';

describe('findDates', () => {
  it.each([
    ['on January 20 midnight', '2026-01-21 00:00'],
    ['on May 12 midnight', '2026-05-13 00:00'],
    ['on January 20 in the night', '2026-01-20'],
    ['tomorrow from 9 to 11 in the morning', '2026-01-15 09:00'],
    ['tomorrow from 8 to 12 in the morning', '2026-01-15 08:00'],
    ['tomorrow from 22:00 to 6:00 in the morning', '2026-01-15 22:00'],
    ['on January 20 at 8 in the morning', '2026-01-20 08:00'],
    ['next Monday in the morning', '2026-01-19 09:00'],
    ['on Friday in the evening', '2026-01-16 19:00'],
  ])('takes no day and no end of a span for an hour of the night: "%s"', (when, expected) => {
    const said = DateTime.fromISO('2026-01-14T09:00', { zone: BERLIN }).toJSDate();
    const [first] = findDates(`The fair is ${when}.`, said, BERLIN);
    expect(first!.at.toFormat('yyyy-MM-dd HH:mm')).toContain(expected);
  });

  it.each([
    ['tonight at 1', '2026-01-14T21:00', '2026-01-15 01:00'],
    ['tonight at 1', '2026-01-14T09:00', '2026-01-15 01:00'],
    ['tonight at 1', '2026-01-15T00:30', '2026-01-15 01:00'],
    ['tonight at 1', '2026-01-15T01:30', '2026-01-16 01:00'],
    ['at 1 tonight', '2026-01-14T21:00', '2026-01-15 01:00'],
    ['tonight at 1 am', '2026-01-14T21:00', '2026-01-15 01:00'],
    ['tonight at 12', '2026-01-14T21:00', '2026-01-15 00:00'],
    ['tonight at 12', '2026-01-15T00:30', '2026-01-16 00:00'],
    ['tonight at midnight', '2026-01-14T09:00', '2026-01-15 00:00'],
    ['at half past 12 tonight', '2026-01-14T21:00', '2026-01-15 00:30'],
    ['at quarter to 1 tonight', '2026-01-14T21:00', '2026-01-15 00:45'],
    ['at quarter to 12 tonight', '2026-01-14T21:00', '2026-01-14 23:45'],
    ['tonight at 5', '2026-01-14T15:20', '2026-01-14 17:00'],
    ['tonight at 5', '2026-01-14T21:00', '2026-01-15 05:00'],
    ['tonight at 11', '2026-01-14T09:00', '2026-01-14 23:00'],
    ['tonight at 20:30', '2026-01-14T09:00', '2026-01-14 20:30'],
    ['tomorrow night at 2', '2026-01-14T21:00', '2026-01-16 02:00'],
    ['tomorrow night at 12', '2026-01-14T21:00', '2026-01-16 00:00'],
    ['tomorrow night at 10', '2026-01-14T21:00', '2026-01-15 22:00'],
    ['on Friday night at 1', '2026-01-14T21:00', '2026-01-17 01:00'],
    ['on Friday at midnight', '2026-01-14T21:00', '2026-01-17 00:00'],
    ['tomorrow at 2 at night', '2026-01-14T21:00', '2026-01-15 02:00'],
    ['tomorrow at half past 12 at night', '2026-01-14T21:00', '2026-01-16 00:30'],
    ['at 2 in the night', '2026-01-14T15:20', '2026-01-15 02:00'],
    ['at half past 5 in the night', '2026-01-14T15:20', '2026-01-15 05:30'],
    ['at 9 at night', '2026-01-14T15:20', '2026-01-14 21:00'],
    ['at 12 at night', '2026-01-14T09:00', '2026-01-15 00:00'],
    ['at 12 midnight', '2026-01-14T09:00', '2026-01-15 00:00'],
    ['at 12 in the evening', '2026-01-14T09:00', '2026-01-15 00:00'],
    ['this evening at 12', '2026-01-14T09:00', '2026-01-15 00:00'],
    ['tomorrow evening at 12', '2026-01-14T09:00', '2026-01-16 00:00'],
    ['tomorrow at 5 in the evening', '2026-01-14T09:00', '2026-01-15 17:00'],
    ['at 12 in the morning', '2026-01-14T09:00', '2026-01-15 00:00'],
    ['at 12 in the afternoon', '2026-01-14T09:00', '2026-01-14 12:00'],
    ['at 12 in the afternoon', '2026-01-14T15:20', '2026-01-15 12:00'],
    ['at 12 noon', '2026-01-14T09:00', '2026-01-14 12:00'],
    ['at half past 12 in the afternoon', '2026-01-14T09:00', '2026-01-14 12:30'],
  ])('means the night that comes, and its midnight by twelve: "%s", said at %s', (when, said, expected) => {
    const saidAt = DateTime.fromISO(said, { zone: BERLIN }).toJSDate();
    const [found] = findDates(`Remind me ${when} to call mum`, saidAt, BERLIN);
    expect(found?.at.toFormat('yyyy-MM-dd HH:mm')).toBe(expected);
  });

  it.each([
    ['Pacific/Kiritimati', 'on February 2', '2026-02-01T22:17', '2026-02-02 00:00'],
    ['Pacific/Auckland', 'on 2 February', '2026-02-01T23:30', '2026-02-02 00:00'],
    ['Asia/Tokyo', 'on 2 February at 18:00', '2026-02-02T12:00', '2026-02-02 18:00'],
    ['Asia/Tokyo', 'on Monday at 18:00', '2026-02-02T12:00', '2026-02-02 18:00'],
    ['Asia/Tokyo', 'at 18:00', '2026-02-02T12:00', '2026-02-02 18:00'],
    ['America/Los_Angeles', 'on Monday at 09:00', '2026-02-02T12:00', '2026-02-09 09:00'],
    ['America/Los_Angeles', 'on 2 February at 09:00', '2026-02-02T12:00', '2027-02-02 09:00'],
    ['Asia/Tokyo', 'in 2 hours', '2026-02-02T23:30', '2026-02-03 01:30'],
    ['America/New_York', 'in 3 hours', '2026-03-07T23:30', '2026-03-08 03:30'],
    ['Asia/Tokyo', 'at 5pm EST', '2026-02-02T23:30', '2026-02-03 07:00'],
    ['Asia/Tokyo', 'at 17:00 UTC', '2026-02-02T08:30', '2026-02-03 02:00'],
    ['America/Los_Angeles', 'at 9am EST', '2026-02-02T05:30', '2026-02-02 06:00'],
  ])('finds the next one on the clock of %s: "%s", said at %s', (zone, when, said, expected) => {
    const saidAt = DateTime.fromISO(said, { zone }).toJSDate();
    const [found] = findDates(`Remind me ${when} to call mum`, saidAt, zone);
    expect(found?.at.toFormat('yyyy-MM-dd HH:mm')).toBe(expected);
  });
});
