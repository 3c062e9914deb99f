import { createHash } from 'node:crypto';

/** Our own namespace for ids that are made from others (RFC 9562, version 5). */
const NAMESPACE = Buffer.from('6b3f4d5c2a1e4f7b9c8d0e1f2a3b4c5d', 'hex');

/**
 * The id of the turn that begins with this inbox row. It is the same for each try, after a crash as after an
 * interruption, so what an earlier try showed at a door can be told to belong to this turn.
 */
export function turnIdOf(conversationId: string, inboxId: bigint): string {
  const digest = createHash('sha1').update(NAMESPACE).update(`${conversationId} ${inboxId}`).digest();
  digest[6] = (digest.readUInt8(6) & 0x0f) | 0x50;
  digest[8] = (digest.readUInt8(8) & 0x3f) | 0x80;
  const hex = digest.toString('hex', 0, 16);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
