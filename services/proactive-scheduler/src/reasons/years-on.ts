import { DateTime } from 'luxon';

/** A day that comes every year. */
export interface YearlyDay {
  dueAt: Date;
  /** True for 29 February, which is put on another day in a year without one. */
  leapDay: boolean;
}

/**
 * Returns the same day some years later, by the person's calendar. In a year without a 29 February it is the 28th: the
 * same month, and not late.
 */
export function yearsOn({ dueAt, leapDay }: YearlyDay, years: number, timeZone: string): Date {
  const day = DateTime.fromJSDate(dueAt, { zone: timeZone }).plus({ years });
  return (leapDay && day.month === 2 ? day.set({ day: day.daysInMonth }) : day).toJSDate();
}
