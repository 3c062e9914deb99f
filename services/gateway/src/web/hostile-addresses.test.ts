import { describe, expect, it } from '@jest/globals';
import { GuardedFetch } from './guarded-fetch.js';
import { isPublicAddress } from './is-public-address.js';

const order = { types: ['text/'], maxBytes: 1_000, signal: new AbortController().signal };

/** Addresses that lead inside, by a way of their own each. */
const HOSTILE = [
  'http://127.0.0.1/',
  'http://127.255.255.254/',
  'http://0.0.0.0/',
  'http://0.1.2.3/',
  'http://10.0.0.1/',
  'http://172.16.0.1/',
  'http://172.31.255.255/',
  'http://192.168.1.1/',
  'http://169.254.169.254/latest/',
  'http://100.64.0.1/',
  'http://100.100.100.200/',
  'http://168.63.129.16/',
  'http://192.0.0.192/',
  'http://198.18.0.1/',
  'http://192.0.2.1/',
  'http://224.0.0.1/',
  'http://240.0.0.1/',
  'http://255.255.255.255/',
  'http://192.88.99.1/',
  // The same in other notations.
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.0.0.1/',
  'http://0177.0.0.1/',
  'http://017700000001/',
  'http://127.0.0.1./',
  'http://%31%32%37.0.0.1/',
  'http://１２７.0.0.1/',
  'http://①②⑦.0.0.1/',
  'http://127。0。0。1/',
  'http:\\\\127.0.0.1\\',
  'ht\ntp://127.0.0.1/',
  // A public address in another notation: nobody writes it so by accident.
  'http://0x08080808/',
  'http://134744072/',
  'http://010.8.8.8/',
  // IPv6, and IPv4 within it.
  'http://[::1]/',
  'http://[::]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::127.0.0.1]/',
  'http://[::ffff:0:127.0.0.1]/',
  'http://[::ffff:8.8.8.8]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[64:ff9b:1::a00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[2001::7f00:1]/',
  'http://[fe80::1]/',
  'http://[fec0::1]/',
  'http://[fc00::1]/',
  'http://[fd00:ec2::254]/',
  'http://[ff02::1]/',
  'http://[2001:db8::1]/',
  'http://[100::1]/',
  'http://[3fff::1]/',
  'http://[5f00::1]/',
  'http://[4000::1]/',
  // No page at all, or one with more in its address than a page needs.
  'http://user:pass@example.org/',
  'http://example.org@127.0.0.1/',
  'http://127.0.0.1#@example.org/',
  'http://example.org:6379/',
  'http://example.org:22/',
  'https://example.org:8443/',
  'ftp://example.org/',
  'file:///etc/passwd',
  'gopher://example.org/',
  'data:text/plain,x',
  'javascript:1',
  '//example.org/',
  'example.org',
  '',
  'http://',
  `http://example.org/${'a'.repeat(2_000)}`,
  'http://inside.test/',
  'https://inside.test/',
  'http://localhost/',
  'http://redis/',
];

describe('a hostile address', () => {
  const web = new GuardedFetch({ resolve: async () => ['10.1.2.3'] });

  it('is tried in many ways', () => expect(new Set(HOSTILE).size).toBeGreaterThanOrEqual(70));

  it.each(HOSTILE)('is not read: %s', async (address) => {
    await expect(web.get(address, order)).rejects.toMatchObject({ code: 'invalid_request' });
  });
});

describe('an address out on the internet', () => {
  it.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700:4700::1111', '2a00:1450:4001::1'])(
    'is one: %s',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  it.each(['', 'example.org', '8.8.8', '0177.0.0.1', '1.2.3.4.5', 'fe80::1%eth0'])('is not: %s', (text) =>
    expect(isPublicAddress(text)).toBe(false),
  );
});
