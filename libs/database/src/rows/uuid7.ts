import { randomUUID } from 'node:crypto';

/** The 12 bits that the format leaves beside the time. */
const MAX_SEQUENCE = 0xfff;

let latestMs = 0;
let sequence = 0;

/**
 * An id that sorts after those this process made before it: a time-ordered UUID (RFC 9562, version 7, with a counter of
 * twelve bits within the millisecond), as Prisma makes them for rows that it writes.
 */
export function uuid7(): string {
  const now = Date.now();
  if (now > latestMs) [latestMs, sequence] = [now, 0];
  else if (sequence < MAX_SEQUENCE) sequence += 1;
  // A full counter, as after a clock was set back, borrows the next millisecond.
  else [latestMs, sequence] = [latestMs + 1, 0];
  const time = latestMs.toString(16).padStart(12, '0');
  const count = sequence.toString(16).padStart(3, '0');
  // Of a random id, from the variant on: Node draws the numbers of many at once.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count}${randomUUID().slice(18)}`;
}
