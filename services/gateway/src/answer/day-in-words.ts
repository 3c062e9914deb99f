import { DAY_MS } from '@kith/contracts';

const AGO: readonly [unit: Intl.RelativeTimeFormatUnit, days: number][] = [
  ['year', 365],
  ['month', 30],
  ['week', 7],
  ['day', 1],
];
const RELATIVE = new Intl.RelativeTimeFormat('en-GB', { numeric: 'auto' });
const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' });

/** `Monday, 8 May 2023, 3 weeks ago`: models count days badly. */
export function dayInWords(day: Date, now: Date): string {
  const days = Math.round((startOfDay(now) - startOfDay(day)) / DAY_MS);
  const [unit, length] = AGO.find(([, least]) => Math.abs(days) >= least) ?? ['day', 1];
  return `${DAY.format(day)}, ${RELATIVE.format(-Math.round(days / length), unit)}`;
}

function startOfDay(at: Date): number {
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate());
}

/** Words a time on the clock of a zone: `Monday, 8 May 2023 at 14:05 by their clock (UTC+02:00)`; in UTC without one. */
export function timeInWords(now: Date, timeZone: string | null): string {
  const on = { timeZone: timeZone ?? 'UTC' };
  const time = new Intl.DateTimeFormat('en-GB', { ...on, dateStyle: 'full', timeStyle: 'short' }).format(now);
  if (timeZone === null) return `${time} (UTC)`;
  const parts = new Intl.DateTimeFormat('en-GB', { ...on, timeZoneName: 'longOffset' }).formatToParts(now);
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return `${time} by their clock (${offset.replace('GMT', 'UTC')})`;
}
