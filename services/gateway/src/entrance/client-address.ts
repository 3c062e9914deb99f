import { isIP, isIPv6, SocketAddress } from 'node:net';
import { firstOf } from '@kith/contracts';
import ipaddr from 'ipaddr.js';

/** Origin of a request, as its connection and its headers tell it. */
export interface Origin {
  /** The other end of the connection. */
  remote: string | undefined;
  /** The header `X-Forwarded-For`, which anybody can write. */
  forwardedFor: string | undefined;
}

/**
 * Finds the address to limit a caller by. The header counts only if it comes from the proxy, and of its list
 * only the proxy's own entry, the last. An IPv6 address counts as its /64, which one customer has.
 */
export function clientAddress({ remote, forwardedFor }: Origin, isProxy: (address: string) => boolean) {
  const own = plainIp(remote ?? '');
  if (!isProxy(own)) return networkOf(own);
  const told = withoutPort(forwardedFor?.split(',').at(-1)?.trim() ?? '');
  return networkOf(plainIp(told || own));
}

/** Converts an IPv4 address that came over an IPv6 socket to IPv4. */
export function plainIp(address: string): string {
  return address.replace(/^::ffff:(?=\d{1,3}\.)/i, '');
}

/** Writes an address as connections do; null for anything else, such as a name. */
export function literalAddress(text: string): string | null {
  const address = text.replace(/^\[(.+)\]$/, '$1');
  const version = isIP(address);
  if (version !== 6) return version === 4 ? address : null;
  const [plain, zone] = address.split('%');
  const { address: short } = new SocketAddress({ address: plain, family: 'ipv6' });
  return plainIp(zone === undefined ? short : `${short}%${zone}`);
}

/** Removes the port that some proxies add to an address; an IPv6 address is in brackets then. */
function withoutPort(told: string): string {
  return /^\[([^\]]+)\](?::\d+)?$/.exec(told)?.[1] ?? /^([\d.]+):\d+$/.exec(told)?.[1] ?? told;
}

function networkOf(address: string): string {
  if (!isIPv6(address)) return address.slice(0, 64);
  const { parts } = ipaddr.IPv6.parse(firstOf(address.split('%')));
  const network = parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
