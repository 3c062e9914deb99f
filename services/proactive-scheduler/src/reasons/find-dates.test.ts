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

  it.each([
    ['on Monday in two weeks', '2026-12-14 00:00'],
    ['in two weeks on Monday at 9', '2026-12-14 09:00'],
    ['two weeks from Monday', '2026-12-21 00:00'],
    ['a week from tomorrow', '2026-12-09 00:00'],
    ['a week on Monday', '2026-12-14 00:00'],
    ['Monday week', '2026-12-14 00:00'],
    ['a week today', '2026-12-08 00:00'],
    ['in a week at nine', '2026-12-08 09:00'],
    ['in a week at half past nine', '2026-12-08 09:30'],
    ['the day after tomorrow at nine', '2026-12-03 09:00'],
    ["in two weeks' time on Monday", '2026-12-14 00:00'],
    ['in a fortnight', '2026-12-15 00:00'],
    ['the Monday after next', '2026-12-14 00:00'],
    ['the week after next', '2026-12-15 00:00'],
    ['the week after next on Monday', '2026-12-14 00:00'],
    ['in a quarter of an hour', '2026-12-01 12:45'],
    ['in three quarters of an hour', '2026-12-01 13:15'],
    ['tomorrow in two weeks', '2026-12-16 00:00'],
    ['next week on Wednesday at 15:00', '2026-12-09 15:00'],
    ['on the first Monday in February', '2027-02-01 00:00'],
    ['on the second Tuesday of next month', '2027-01-12 00:00'],
    ['on the last Friday of January', '2027-01-29 00:00'],
    ['on the last Friday of this month at 9', '2026-12-25 09:00'],
    ['on Christmas Eve at 18:00', '2026-12-24 18:00'],
    ['the day after Christmas', '2026-12-26 00:00'],
    ['two days before Christmas', '2026-12-23 00:00'],
    ["on New Year's Eve at 6pm", '2026-12-31 18:00'],
    ["on Valentine's Day", '2027-02-14 00:00'],
    ['in May', '2027-05-01 00:00'],
    ['on 13.12.', '2026-12-13 00:00'],
    ['on 3.5.2027', '2027-05-03 00:00'],
    ['at nine', '2026-12-01 21:00'],
    ['tomorrow at nine am', '2026-12-02 09:00'],
    ['tomorrow at nine thirty', '2026-12-02 09:30'],
    ['tomorrow at twelve thirty am', '2026-12-02 00:30'],
    ['at ten past eight', '2026-12-01 20:10'],
    ['at 20 past 8', '2026-12-01 20:20'],
    ['at 20 to 8', '2026-12-01 19:40'],
    ['at 8 minutes to 8', '2026-12-01 19:52'],
    ['at 8 to 10', '2026-12-01 20:00'],
    ['tomorrow at twenty-five to nine', '2026-12-02 08:35'],
    ['at 17h', '2026-12-01 17:00'],
    ['at 17h30', '2026-12-01 17:30'],
    ['in 1h30', '2026-12-01 14:00'],
    ['in two and a half hours', '2026-12-01 15:00'],
    ['at one', '2026-12-01 13:00'],
    ['at nine this evening', '2026-12-01 21:00'],
    ['at one-thirty pm', '2026-12-01 13:30'],
    ['after Christmas', '2026-12-26 00:00'],
    ['at the end of the week', '2026-12-04 00:00'],
    ['at the end of the year', '2026-12-31 00:00'],
    ['on the first of the month', '2027-01-01 00:00'],
    ['on Monday, week two', '2026-12-07 00:00'],
    ['on Monday week 3', '2026-12-07 00:00'],
  ])('reads the whole of a time, and not a part of it: "%s"', (when, expected) => {
    const saidAt = DateTime.fromISO('2026-12-01T12:30', { zone: BERLIN }).toJSDate();
    const found = findDates(`Remind me ${when} to call mum`, saidAt, BERLIN);
    expect(found.map(({ at, past }) => [at.toFormat('yyyy-MM-dd HH:mm'), past])).toEqual([[expected, false]]);
  });

  it.each([
    'at two flats',
    'at one point',
    'at one company',
    'at one another',
    'at one with nature',
    'at six feet',
    'at three thousand metres',
    'and give half to two friends',
    'on Christmas cards',
    'on 3.5 pages',
    'in 13.40. to',
  ])('finds no time in "%s"', (words) => {
    const saidAt = DateTime.fromISO('2026-12-01T12:30', { zone: BERLIN }).toJSDate();
    expect(findDates(`Remind me to look ${words} for mum`, saidAt, BERLIN)).toEqual([]);
  });
});
