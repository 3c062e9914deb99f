import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { AppError } from '@kith/contracts';
import { Entrance } from './entrance.js';
import type { Caller } from '../people/caller.js';

const caller: Caller = {
  ...{
    keyId: 'k',
    keyName: 'own',
    personId: 'p',
    displayName: 'Ann',
    scopes: ['chat'],
    expiresAt: null,
    sessionOf: null,
  },
};
let lookUps = 0;
const keys = {
  authenticate: async (key: string) => {
    lookUps += 1;
    if (key === 'good') return caller;
    throw new AppError('unauthorized', 'no such key');
  },
};
const entranceFor = (perMinute: number, proxy = '') => new Entrance(keys, perMinute, proxy);

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
    const from = (remoteAddress: string) =>
      entrance.addressOf({
        socket: { remoteAddress } as IncomingMessage['socket'],
        headers: { 'x-forwarded-for': '198.51.100.1' },
      });
    expect(from('127.0.0.1')).toBe('198.51.100.1');
    expect(from('203.0.113.7')).toBe('203.0.113.7');
    entrance.stop();
  });
});
