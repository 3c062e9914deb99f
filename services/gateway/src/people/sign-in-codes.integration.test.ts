import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { freshStores, type FreshStores } from '@kith/testing';
import { Redis } from 'ioredis';
import { SignInCodes } from './sign-in-codes.js';

const caller = {
  ...{ keyId: 'key', keyName: 'own', personId: 'ann', displayName: 'Ann', scopes: ['chat' as const] },
  ...{ expiresAt: null, sessionOf: null, madeBy: null },
};
const session = { ...caller, key: 'kith_session', name: 'browser', expiresAt: '2026-11-28T12:00:00.000Z' };

let stores: FreshStores;
let redis: Redis;
let codes: SignInCodes;

beforeAll(async () => {
  stores = await freshStores();
  redis = new Redis(stores.redisUrl);
  const openSession = async () => session;
  codes = new SignInCodes({ url: stores.redisUrl, keyPrefix: 'test:' }, { openSession });
});
afterAll(async () => {
  redis.disconnect();
  codes.close();
  await stores.stop();
});

it('are made and used once while Redis is slow, as on a busy machine', async () => {
  await redis.client('PAUSE', 800, 'ALL');
  const { code } = await codes.make(caller, new Date());
  await redis.client('PAUSE', 800, 'ALL');
  expect(await codes.redeem(code, new Date())).toEqual(session);
  await expect(codes.redeem(code, new Date())).rejects.toMatchObject({ code: 'unauthorized' });
});
