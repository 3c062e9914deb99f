import { randomBytes } from 'node:crypto';

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
  const bytes = randomBytes(16);
  bytes.writeUIntBE(latestMs, 0, 6);
  bytes[6] = 0x70 | (sequence >> 8);
  bytes[7] = sequence & 0xff;
  bytes[8] = 0x80 | (bytes.readUInt8(8) & 0x3f);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
