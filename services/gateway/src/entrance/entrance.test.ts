import type { IncomingMessage } from 'node:http';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AppError } from '@kith/contracts';
import pino from 'pino';
import { Entrance } from './entrance.js';
import type { Caller } from '../people/caller.js';

const caller: Caller = {
  keyId: 'k',
  keyName: 'own',
  personId: 'p',
  displayName: 'Ann',
  scopes: ['chat'],
  expiresAt: null,
  sessionOf: null,
  madeBy: null,
};
let lookUps = 0;
const keys = {
  authenticate: async (key: string) => {
    lookUps += 1;
    if (key === 'good') return caller;
    throw new AppError('unauthorized', 'no such key');
  },
};
const lines: string[] = [];
const logger = pino({}, { write: (line: string) => void lines.push(line) });
const entranceFor = (perMinute: number, proxy = '') => new Entrance(keys, perMinute, proxy, logger);
/** Tells what counts as the address of a request that another one is said to have made. */
const addressAt = (entrance: Entrance, remoteAddress: string) =>
  entrance.addressOf({
    socket: { remoteAddress } as IncomingMessage['socket'],
    headers: { 'x-forwarded-for': '198.51.100.1' },
  });

beforeEach(() => {
  lines.length = 0;
});

describe('the entrance', () => {
  it('looks up no more keys for an address that has shown many wrong ones, and goes on for others', async () => {
    const entrance = entranceFor(5);
    const attempt = async (address: string, key: string) => {
      await entrance.admit(address);
      return entrance.callerOf(key, address);
    };
    for (let n = 0; n < 5; n += 1)
      await expect(attempt('203.0.113.7', 'wrong')).rejects.toMatchObject({ code: 'unauthorized' });
    lookUps = 0;
    await expect(attempt('203.0.113.7', 'wrong')).rejects.toMatchObject({ code: 'rate_limited' });
    expect(lookUps).toBe(0);
    await expect(attempt('203.0.113.8', 'good')).resolves.toBe(caller);
  });

  it('holds nothing against an address whose key cannot be looked up', async () => {
    const authenticate = async () => {
      throw new AppError('unavailable', 'the database is down');
    };
    const entrance = new Entrance({ authenticate }, 2, '', logger);
    for (let n = 0; n < 3; n += 1) {
      await entrance.admit('203.0.113.7');
      await expect(entrance.callerOf('good', '203.0.113.7')).rejects.toMatchObject({ code: 'unavailable' });
    }
  });

  it('bounds the requests of an address, whoever sends them', async () => {
    const entrance = entranceFor(2);
    const statuses = await Promise.allSettled(
      Array.from({ length: 25 }, () => entrance.admit('203.0.113.9')),
    );
    expect(statuses.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
  });

  it('takes the word of its proxy, found by name, and of nobody else', async () => {
    const entrance = entranceFor(5, 'localhost');
    await entrance.start();
    expect(addressAt(entrance, '127.0.0.1')).toBe('198.51.100.1');
    expect(addressAt(entrance, '203.0.113.7')).toBe('203.0.113.7');
    entrance.stop();
    expect(lines).toEqual([]);
  });

  it.each([
    ['2001:DB8:0:0::2', '2001:db8::2'],
    ['[2001:db8::2]', '2001:db8::2'],
    ['::ffff:0a00:0002', '10.0.0.2'],
    ['10.0.0.2', '::ffff:10.0.0.2'],
    ['fe80:0::1%eth0', 'fe80::1%eth0'],
  ])('takes the word of its proxy, however its address is written: %s', async (proxy, remote) => {
    const entrance = entranceFor(5, proxy);
    await entrance.start();
    expect(addressAt(entrance, remote)).toBe('198.51.100.1');
  });

  it('says once that its proxy is not found, and looks for it again', async () => {
    jest.useFakeTimers();
    let addresses: string[] = [];
    const entrance = new Entrance(keys, 5, 'proxy', logger, () =>
      addresses.length > 0 ? Promise.resolve(addresses) : Promise.reject(new Error('no such name')),
    );
    await entrance.start();
    // It may start after the gateway.
    expect(lines).toEqual([]);
    await jest.advanceTimersByTimeAsync(90_000);
    expect(lines).toEqual([expect.stringContaining('TRUSTED_PROXY is not found')]);
    expect(addressAt(entrance, '10.0.0.2')).toBe('10.0.0.2');
    addresses = ['10.0.0.2'];
    await jest.advanceTimersByTimeAsync(30_000);
    addresses = [];
    await jest.advanceTimersByTimeAsync(30_000);
    expect(addressAt(entrance, '10.0.0.2')).toBe('198.51.100.1');
    expect(lines).toHaveLength(1);
    entrance.stop();
    jest.useRealTimers();
  });
});
