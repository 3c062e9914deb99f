import { isIPv4 } from 'node:net';
import { AppError } from '@kith/contracts';

/** Characters of an address: a longer one, which servers refuse, carries something else. */
const MAX_CHARACTERS = 2_000;

/** Rules for addresses, as far as their text alone tells. */
export interface UrlRules {
  ports: readonly number[];
  /** Origins that the operator trusts: they may have any port. */
  origins: readonly string[];
}

/**
 * Reads an address that somebody gave, without looking up its name.
 * @param base address that a redirect came from
 * @throws AppError `invalid_request`
 */
export function checkUrl(text: string, { ports, origins }: UrlRules, base?: URL): URL {
  const url = text.length <= MAX_CHARACTERS ? URL.parse(text, base?.href) : null;
  if (!url) throw refused('this is not the address of a page, such as https://example.org/');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refused('only http and https are read');
  if (url.username !== '' || url.password !== '') throw refused('an address may hold no name or password');
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  if (!ports.includes(port) && !origins.includes(url.origin))
    throw refused(`nothing is read from port ${port}`);
  if (isIPv4(url.hostname) && !isAsWritten(text, url, base)) {
    throw refused('an address in numbers is written as four of them, such as 192.0.2.1');
  }
  url.hash = '';
  return url;
}

/** Tells whether an IPv4 address is written in full, rather than as 127.1, 0x7f000001 or 2130706433. */
function isAsWritten(text: string, { host, hostname }: URL, base?: URL): boolean {
  const [, written] = /^(?:[a-z][a-z\d+.-]{0,20}:)?\/\/([^/\\?#:]*)/i.exec(text.trim()) ?? [];
  // A relative address has the host of the page before, which was checked.
  return written === undefined ? host === base?.host : written === hostname;
}

function refused(message: string): AppError {
  return new AppError('invalid_request', message, { field: 'url' });
}
