import { describe, expect, it } from '@jest/globals';
import { clientAddress } from './client-address.js';

const isCaddy = (address: string) => address === '10.0.0.2';
const from = (remote: string, forwardedFor?: string) => clientAddress({ remote, forwardedFor }, isCaddy);

describe('whom a request comes from', () => {
  it('is the other end of the connection, whatever it says of itself', () => {
    expect(from('203.0.113.7', '198.51.100.1')).toBe('203.0.113.7');
    expect(from('::ffff:203.0.113.7')).toBe('203.0.113.7');
  });

  it('is whom the proxy saw, and not whom the caller claims to speak for', () => {
    expect(from('10.0.0.2', '203.0.113.7')).toBe('203.0.113.7');
    expect(from('::ffff:10.0.0.2', '1.2.3.4, 203.0.113.7')).toBe('203.0.113.7');
    expect(from('10.0.0.2')).toBe('10.0.0.2');
    expect(from('10.0.0.2', '')).toBe('10.0.0.2');
  });

  it('is an address without the port that some proxies tell', () => {
    expect(from('10.0.0.2', '1.2.3.4, 203.0.113.7:50123')).toBe('203.0.113.7');
    expect(from('10.0.0.2', '[2001:db8:1:2::9]:50123')).toBe('2001:db8:1:2::/64');
    expect(from('10.0.0.2', '[2001:db8:1:2::9]')).toBe('2001:db8:1:2::/64');
    expect(from('10.0.0.2', '[::ffff:203.0.113.7]:80')).toBe('203.0.113.7');
  });

  it('is the network of an IPv6 customer', () => {
    expect(from('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64');
    expect(from('2001:db8:1:2::9')).toBe('2001:db8:1:2::/64');
    expect(from('2001:DB8::1')).toBe('2001:db8:0:0::/64');
    expect(from('fe80::1%eth0')).toBe('fe80:0:0:0::/64');
    expect(from('fe80::1%a:b')).toBe('fe80:0:0:0::/64');
    expect(from('::1')).toBe('0:0:0:0::/64');
    // An IPv4 address at its end is two groups.
    expect(from('2001:db8::3:4:5:192.0.2.1')).toBe('2001:db8:0:3::/64');
    expect(from('10.0.0.2', '2001:db8::3:4:5:192.0.2.1')).toBe('2001:db8:0:3::/64');
  });
});
