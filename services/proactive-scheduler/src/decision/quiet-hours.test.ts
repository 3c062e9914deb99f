import { describe, expect, it } from '@jest/globals';
import { DateTime } from 'luxon';
import { quietUntil, startOfDay } from './quiet-hours.js';

const at = (local: string, zone: string) => DateTime.fromISO(local, { zone }).toJSDate();

describe('quietUntil', () => {
  it.each([
    // Across midnight.
    ['2026-01-14T21:59', '22:00', '08:00', null],
    ['2026-01-14T22:00', '22:00', '08:00', '2026-01-15T08:00'],
    ['2026-01-15T00:00', '22:00', '08:00', '2026-01-15T08:00'],
    ['2026-01-15T07:59', '22:00', '08:00', '2026-01-15T08:00'],
    ['2026-01-15T08:00', '22:00', '08:00', null],
    // Within a day.
    ['2026-01-15T12:30', '12:00', '13:00', '2026-01-15T13:00'],
    ['2026-01-15T13:00', '12:00', '13:00', null],
    // From midnight, and to midnight.
    ['2026-01-15T03:00', '00:00', '09:00', '2026-01-15T09:00'],
    ['2026-01-15T23:30', '20:00', '00:00', '2026-01-16T00:00'],
    // None.
    ['2026-01-15T03:00', '09:00', '09:00', null],
  ])('at %s with %s to %s gives %s', (now, quietFrom, until, expected) => {
    const timeZone = 'America/New_York';
    const end = quietUntil(at(now, timeZone), { timeZone, quietFrom, quietUntil: until });
    expect(end).toEqual(expected === null ? null : at(expected, timeZone));
  });

  it('follows the wall clock over the shorter and the longer night', () => {
    const night = { timeZone: 'Europe/Berlin', quietFrom: '22:00', quietUntil: '08:00' };
    const hours = (local: string) => {
      const from = at(local, night.timeZone);
      return ((quietUntil(from, night)?.getTime() ?? 0) - from.getTime()) / 3_600_000;
    };
    expect(hours('2026-03-28T22:00')).toBe(9);
    expect(hours('2026-10-24T22:00')).toBe(11);
    expect(hours('2026-06-01T22:00')).toBe(10);
  });

  it('ends at the first moment past a time that does not exist', () => {
    const night = { timeZone: 'Europe/Berlin', quietFrom: '22:00', quietUntil: '02:30' };
    expect(quietUntil(at('2026-03-29T01:30', night.timeZone), night)).toEqual(
      new Date('2026-03-29T01:30:00Z'),
    );
  });

  it('always ends ahead of now, also in the hour that comes twice', () => {
    const night = { timeZone: 'Europe/Berlin', quietFrom: '22:00', quietUntil: '02:30' };
    // 02:15 for the second time: the first 02:30 is over.
    const second = new Date('2026-10-25T01:15:00Z');
    expect(quietUntil(second, night)).toEqual(new Date('2026-10-25T01:30:00Z'));
  });
});

describe('startOfDay', () => {
  it("is midnight on the person's clock", () => {
    const now = new Date('2026-01-14T23:30:00Z');
    expect(startOfDay(now, 'Pacific/Auckland').toUTC().toISO()).toBe('2026-01-14T11:00:00.000Z');
    expect(startOfDay(now, 'UTC').toUTC().toISO()).toBe('2026-01-14T00:00:00.000Z');
  });
});
