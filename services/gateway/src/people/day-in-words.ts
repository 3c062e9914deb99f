import { DAY_MS } from '@kith/contracts';

const AGO: readonly [unit: Intl.RelativeTimeFormatUnit, days: number][] = [
  ['year', 365],
  ['month', 30],
  ['week', 7],
  ['day', 1],
];
const NAMED = new Intl.RelativeTimeFormat('en-GB', { numeric: 'auto' });
/** For what is rounded: "last year" names a year of the calendar, which 17 months ago may not be. */
const COUNTED = new Intl.RelativeTimeFormat('en-GB', { numeric: 'always' });

/** Formats of times on the clock of a zone. */
type ClockFormats = Readonly<Record<'time' | 'offset' | 'day' | 'isoDay', Intl.DateTimeFormat>>;

/** Formats by zone, of which there are some hundreds: to make one takes longer than the rest of a prompt. */
const formats = new Map<string, ClockFormats>();

function formatsOf(timeZone: string | null): ClockFormats {
  const zone = timeZone ?? 'UTC';
  const known = formats.get(zone);
  if (known) return known;
  const made = {
    time: new Intl.DateTimeFormat('en-GB', { timeZone: zone, dateStyle: 'full', timeStyle: 'short' }),
    offset: new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'longOffset' }),
    day: new Intl.DateTimeFormat('en-GB', { timeZone: zone, dateStyle: 'full' }),
    isoDay: new Intl.DateTimeFormat('en-CA', { timeZone: zone }),
  };
  formats.set(zone, made);
  return made;
}

/** Words a time on the clock of a zone: `Monday, 8 May 2023 at 14:05 by their clock (UTC+02:00)`; in UTC without one. */
export function timeInWords(now: Date, timeZone: string | null): string {
  const { time, offset } = formatsOf(timeZone);
  if (timeZone === null || timeZone === 'UTC') return `${time.format(now)} (UTC)`;
  const name = offset.formatToParts(now).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return `${time.format(now)} by their clock (${name.replace('GMT', 'UTC')})`;
}

/** Words a day on the clock of a zone, or in UTC: `Monday, 8 May 2023`. */
export function dayInWords(at: Date, timeZone: string | null): string {
  return formatsOf(timeZone).day.format(at);
}

/** Adds how long ago a day is: `Monday, 8 May 2023, 3 weeks ago`. Models count days badly. */
export function dayAgoInWords(at: Date, now: Date, timeZone: string | null): string {
  const days = Math.round((Date.parse(isoDay(now, timeZone)) - Date.parse(isoDay(at, timeZone))) / DAY_MS);
  const [unit, length] = AGO.find(([, least]) => Math.abs(days) >= least) ?? ['day', 1];
  const relative = unit === 'day' ? NAMED : COUNTED;
  return `${dayInWords(at, timeZone)}, ${relative.format(-Math.round(days / length), unit)}`;
}

/** Writes a day on the clock of a zone, or in UTC, as `2023-05-08`. */
export function isoDay(at: Date, timeZone: string | null): string {
  return formatsOf(timeZone).isoDay.format(at);
}
