import { isIP } from 'node:net';
import { firstOf } from '@kith/contracts';
import ipaddr from 'ipaddr.js';

/** Addresses in public ranges that are inside all the same: at Azure a machine's host answers there. */
const INSIDE = new Set(['168.63.129.16']);
/** First three bits of the IPv6 addresses that are routed: 2000::/3. */
const ROUTED = { mask: 0xe000, value: 0x2000 };

/**
 * Tells whether an address is one of a host out on the internet: none of this machine, its network or its cloud, none
 * that stands for another one (IPv4 within IPv6), and none that is reserved.
 */
export function isPublicAddress(address: string): boolean {
  // Stricter than the library, which reads `0177.0.0.1` as an address.
  if (isIP(address) === 0 || INSIDE.has(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || (firstOf(parsed.parts) & ROUTED.mask) === ROUTED.value;
}
