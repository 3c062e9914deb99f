/**
 * Bounds of the times that Kith keeps: people's lives and plans fit in, and every store and library here can hold them.
 * Past the year 9999 an ISO text gets a sign, and PostgreSQL refuses one before the year 1.
 */
export const EARLIEST = Date.parse('1900-01-01T00:00:00.000Z');
const LATEST = Date.parse('2199-12-31T23:59:59.999Z');

/** Tells whether a time is valid and within the bounds. */
export function isBoundedTime(time: Date): boolean {
  return time.getTime() >= EARLIEST && time.getTime() <= LATEST;
}

/** Moves a time that was stored before there were bounds into them. An invalid one becomes the earliest. */
export function boundTime(time: Date): Date {
  const at = time.getTime();
  if (Number.isNaN(at) || at < EARLIEST) return new Date(EARLIEST);
  return at > LATEST ? new Date(LATEST) : time;
}
