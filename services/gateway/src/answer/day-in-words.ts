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

const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' });

/** Words a time: `Monday, 8 May 2023 at 14:05`. */
export function timeInWords(now: Date): string {
  return DATE.format(now);
}
