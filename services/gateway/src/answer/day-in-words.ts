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

/** Formats of times by zone, of which there are some hundreds: to make one takes longer than the rest of a prompt. */
const formats = new Map<string, { time: Intl.DateTimeFormat; offset: Intl.DateTimeFormat }>();

function formatsOf(timeZone: string): { time: Intl.DateTimeFormat; offset: Intl.DateTimeFormat } {
  const known = formats.get(timeZone);
  if (known) return known;
  const made = {
    time: new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'full', timeStyle: 'short' }),
    offset: new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'longOffset' }),
  };
  formats.set(timeZone, made);
  return made;
}

/** Words a time on the clock of a zone: `Monday, 8 May 2023 at 14:05 by their clock (UTC+02:00)`; in UTC without one. */
export function timeInWords(now: Date, timeZone: string | null): string {
  const { time, offset } = formatsOf(timeZone ?? 'UTC');
  if (timeZone === null || timeZone === 'UTC') return `${time.format(now)} (UTC)`;
  const name = offset.formatToParts(now).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return `${time.format(now)} by their clock (${name.replace('GMT', 'UTC')})`;
}
