// Dates on somebody's own clock by Intl, not by the library that the services use: what checks them is not they.

const FORMATS = new Map<string, Intl.DateTimeFormat>();

function partsOf(at: Date, timeZone: string): Record<string, string> {
  const format =
    FORMATS.get(timeZone) ??
    new Intl.DateTimeFormat('en-CA', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    });
  FORMATS.set(timeZone, format);
  return Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
}

/** `YYYY-MM-DD` on this zone's clock. */
export function dayOf(at: Date, timeZone: string): string {
  const { year, month, day } = partsOf(at, timeZone);
  return `${year}-${month}-${day}`;
}

/** `HH:MM` on this zone's clock. */
export function clockOf(at: Date, timeZone: string): string {
  const { hour, minute } = partsOf(at, timeZone);
  return `${hour}:${minute}`;
}

/** Tells whether a clock time is within hours that may span midnight. Equal ends are no hours at all. */
export function isWithin(clock: string, from: string, until: string): boolean {
  if (from === until) return false;
  return from < until ? clock >= from && clock < until : clock >= from || clock < until;
}
