import { describe, expect, it } from '@jest/globals';
import { HOUR_MS } from '@kith/contracts';
import { type CalendarDay, daysToEnter, nightsDue } from './nights-due.js';

const calendarDay = (day: string, from: string, to: string): CalendarDay => ({
  day,
  from: new Date(from),
  to: new Date(to),
});
const utcDay = (day: string): CalendarDay =>
  calendarDay(day, `${day}T00:00:00Z`, new Date(Date.parse(day) + 24 * HOUR_MS).toISOString());
const enter = (last: CalendarDay | null, now: string, timeZone: string) =>
  daysToEnter(last, { timeZone, now: new Date(now) });
const hoursOf = ({ from, to }: CalendarDay) => (to.getTime() - from.getTime()) / HOUR_MS;
const daysOf = (days: readonly CalendarDay[]) => days.map(({ day }) => day);

/** Nights of a companion whose clock is looked at each hour, in the zone it has then. */
function live(from: string, hours: number, zoneAt: (hour: number) => string, nightAt = '03:30') {
  let days: CalendarDay[] = [];
  const done: { day: string; at: Date; span: CalendarDay }[] = [];
  for (let hour = 0; hour <= hours; hour += 1) {
    const here = { timeZone: zoneAt(hour), now: new Date(Date.parse(from) + hour * HOUR_MS) };
    days = [...days, ...daysToEnter(days.at(-1) ?? null, here)];
    for (const span of nightsDue({ days, lastDone: done.at(-1)?.day ?? null, nightAt, ...here })) {
      done.push({ day: span.day, at: here.now, span });
    }
  }
  return done;
}

/** Expects that no day is left out or comes twice, and that their times meet. */
function expectWhole(done: ReturnType<typeof live>): void {
  for (const [n, { day, span }] of done.entries()) {
    const before = done[n - 1];
    if (!before) continue;
    expect(Date.parse(day) - Date.parse(before.day)).toBe(24 * HOUR_MS);
    expect(span.from).toEqual(before.span.to);
  }
}

describe('a companion’s calendar', () => {
  it.each([
    ['2026-01-14T23:30:00Z', 'UTC', '2026-01-13', '2026-01-13T00:00:00.000Z', 24],
    ['2026-01-14T23:30:00Z', 'Europe/Berlin', '2026-01-14', '2026-01-13T23:00:00.000Z', 24],
    ['2026-01-14T10:00:00Z', 'Pacific/Kiritimati', '2026-01-14', '2026-01-13T10:00:00.000Z', 24],
    ['2026-01-14T10:59:00Z', 'Pacific/Pago_Pago', '2026-01-12', '2026-01-12T11:00:00.000Z', 24],
    // The clock goes forward, and back, and skips midnight itself.
    ['2026-03-30T01:00:00Z', 'Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z', 23],
    ['2026-10-26T01:00:00Z', 'Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z', 25],
    ['2026-04-25T01:00:00Z', 'Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z', 23],
  ])('begins at %s in %s with %s, from %s, of %i hours', (now, zone, day, from, hours) => {
    const [first, ...others] = enter(null, now, zone);
    expect([first!.day, first!.from.toISOString(), hoursOf(first!), others]).toEqual([day, from, hours, []]);
  });

  it('gets nothing more on the same day', () => {
    expect(enter(utcDay('2026-01-14'), '2026-01-15T23:59:00Z', 'UTC')).toEqual([]);
  });

  it('gets the days that were missed, two weeks of them at most', () => {
    const missed = enter(utcDay('2026-01-11'), '2026-01-15T00:00:00Z', 'UTC');
    expect(missed).toEqual(['2026-01-12', '2026-01-13', '2026-01-14'].map(utcDay));
    const many = enter(utcDay('2025-06-01'), '2026-01-15T00:00:00Z', 'UTC');
    expect([many.length, many[0], many.at(-1)]).toEqual([14, utcDay('2026-01-01'), utcDay('2026-01-14')]);
  });

  it('goes on where it was in another zone, with a longer or a shorter day', () => {
    const last = utcDay('2026-01-14');
    const [west] = enter(last, '2026-01-16T09:00:00Z', 'America/Los_Angeles');
    expect(west).toEqual(calendarDay('2026-01-15', '2026-01-15T00:00:00Z', '2026-01-16T08:00:00Z'));
    const [east] = enter(last, '2026-01-15T15:00:00Z', 'Asia/Tokyo');
    expect(east).toEqual(calendarDay('2026-01-15', '2026-01-15T00:00:00Z', '2026-01-15T15:00:00Z'));
  });

  it('has a day of no length where the new zone had it before the old one', () => {
    const last = calendarDay('2026-01-14', '2026-01-14T11:00:00Z', '2026-01-15T11:00:00Z');
    const days = enter(last, '2026-01-16T10:30:00Z', 'Pacific/Kiritimati');
    expect(days.map((day) => [day.day, hoursOf(day)])).toEqual([
      ['2026-01-15', 0],
      ['2026-01-16', 23],
    ]);
  });
});

describe('the nights that are due', () => {
  const days = ['2026-01-12', '2026-01-13', '2026-01-14'].map(utcDay);
  const due = (lastDone: string | null, now: string, nightAt: string | null = '03:30') =>
    daysOf(nightsDue({ days, lastDone, nightAt, timeZone: 'UTC', now: new Date(now) }));

  it('come at their hour, the oldest first', () => {
    expect(due('2026-01-12', '2026-01-15T03:29:59Z')).toEqual(['2026-01-13']);
    expect(due('2026-01-12', '2026-01-15T03:30:00Z')).toEqual(['2026-01-13', '2026-01-14']);
    expect(due('2026-01-14', '2026-01-15T23:00:00Z')).toEqual([]);
  });

  it('leave out the day on which the companion was new', () => {
    expect(due(null, '2026-01-15T12:00:00Z')).toEqual(['2026-01-13', '2026-01-14']);
  });

  it('are those of every day that is over where the hour does not count', () => {
    expect(due(null, '2026-01-15T00:00:00Z', null)).toEqual(['2026-01-12', '2026-01-13', '2026-01-14']);
    expect(due('2026-01-13', '2026-01-15T00:00:00Z', null)).toEqual(['2026-01-14']);
  });

  it.each([
    ['Europe/Berlin', '2026-03-26T12:00:00Z', '02:30'],
    ['Europe/Berlin', '2026-10-22T12:00:00Z', '02:30'],
    ['America/New_York', '2026-03-05T12:00:00Z', '02:30'],
    ['America/New_York', '2026-10-29T12:00:00Z', '01:30'],
    ['Africa/Cairo', '2026-04-21T12:00:00Z', '00:00'],
    ['Pacific/Kiritimati', '2026-01-10T12:00:00Z', '23:59'],
    ['Pacific/Pago_Pago', '2026-01-10T12:00:00Z', '00:00'],
  ])('are one for each day of a week in %s from %s on, at %s', (zone, from, nightAt) => {
    const done = live(from, 7 * 24, () => zone, nightAt);
    expect(done.length).toBeGreaterThanOrEqual(6);
    expectWhole(done);
  });

  it.each([
    ['UTC', 'Asia/Tokyo'],
    ['Asia/Tokyo', 'America/Los_Angeles'],
    ['Pacific/Kiritimati', 'Pacific/Pago_Pago'],
    ['Pacific/Pago_Pago', 'Pacific/Kiritimati'],
  ])('leave out none and repeat none when it moves from %s to %s, at whatever hour', (before, after) => {
    for (let moved = 72; moved < 96; moved += 5) {
      const done = live('2026-01-10T00:00:00Z', 8 * 24, (hour) => (hour < moved ? before : after));
      expect(done.length).toBeGreaterThanOrEqual(6);
      expectWhole(done);
    }
  });
});
