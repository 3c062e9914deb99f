import { describe, expect, it } from '@jest/globals';
import { DateTime } from 'luxon';
import { noticeReasons } from '../reasons/notice-reasons.js';
import { nextYearly } from './next-yearly.js';

describe.each(['Europe/Berlin', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'America/New_York', 'UTC'])(
  'a day that comes every year, in %s',
  (zone) => {
    const on = (day: string) => DateTime.fromISO(day, { zone });
    /** The days on which something told on a day comes, each put off when the one before is over. */
    const daysOf = (text: string, told: string): string[] => {
      const said = { text, saidAt: on(told).toJSDate() };
      const [reason] = noticeReasons({ person: [said], companion: [] }, zone);
      if (!reason) return [];
      const days = [reason.dueAt];
      for (let count = 0; count < 5; count += 1) {
        const [last] = days.slice(-1) as [Date];
        days.push(nextYearly({ ...reason, dueAt: last }, new Date(last.getTime() + 3_600_000), zone));
      }
      return days.map((day) => DateTime.fromJSDate(day, { zone }).toFormat('yyyy-MM-dd HH'));
    };

    it.each([
      ['My birthday is on 29 February', '2026-01-14T15:00'],
      ['My birthday was on 29 February 1992', '2026-01-14T15:00'],
      ['My birthday is on February 29th', '2026-02-01T23:30'],
    ])('is 29 February in every year that has it, and the 28th in others: "%s"', (text, told) => {
      expect(daysOf(text, told)).toEqual([
        '2026-02-28 10',
        '2027-02-28 10',
        '2028-02-29 10',
        '2029-02-28 10',
        '2030-02-28 10',
        '2031-02-28 10',
      ]);
    });

    it('is one when it is told of on that very day', () => {
      expect(daysOf('Today is my birthday', '2028-02-29T12:00')).toEqual([
        '2029-02-28 10',
        '2030-02-28 10',
        '2031-02-28 10',
        '2032-02-29 10',
        '2033-02-28 10',
        '2034-02-28 10',
      ]);
    });

    it.each([
      ['My birthday is on 28 February', '02-28'],
      ['My birthday is on 1 March', '03-01'],
    ])('stays on its day where that comes every year: "%s"', (text, day) => {
      const years = [2027, 2028, 2029, 2030, 2031, 2032];
      expect(daysOf(text, '2026-05-01T12:00')).toEqual(years.map((year) => `${year}-${day} 10`));
    });

    it('comes once when years went by without it', () => {
      const reason = { dueAt: on('2026-02-28T10:00').toJSDate(), leapDay: true };
      const after = (now: string) =>
        DateTime.fromJSDate(nextYearly(reason, on(now).toJSDate(), zone), { zone }).toISODate();
      expect(after('2028-02-29T23:00')).toBe('2028-02-29');
      expect(after('2028-03-01T00:30')).toBe('2029-02-28');
    });
  },
);
