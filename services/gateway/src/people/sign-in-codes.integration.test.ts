import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AppError, isWellFormedApiKey } from '@kith/contracts';
import { freshStores, type FreshStores } from '@kith/testing';
import { Redis } from 'ioredis';
import { SignInCodes } from './sign-in-codes.js';

const caller = {
  ...{ keyId: 'key', keyName: 'own', personId: 'ann', displayName: 'Ann', scopes: ['chat' as const] },
  ...{ expiresAt: null, sessionOf: null, madeBy: null },
};
const whose = { ...caller, name: 'browser', expiresAt: '2026-11-28T12:00:00.000Z' };

let stores: FreshStores;
let redis: Redis;
let codes: SignInCodes;
let isDown = false;

beforeAll(async () => {
  stores = await freshStores();
  redis = new Redis(stores.redisUrl);
  const openSession = async (_keyId: string, _now: Date, key = 'none') => {
    if (isDown) throw new AppError('unavailable', 'the database is down');
    return { ...whose, key };
  };
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
  const { key, ...rest } = await codes.redeem({ code }, new Date());
  expect([isWellFormedApiKey(key), rest]).toEqual([true, whose]);
  await expect(codes.redeem({ code }, new Date())).rejects.toMatchObject({ code: 'unauthorized' });
});

it('give the same session again to whoever had no answer, by their nonce, and to nobody else', async () => {
  const { code } = await codes.make(caller, new Date());
  const own = { code, nonce: 'n'.repeat(22) };
  const first = await codes.redeem(own, new Date());
  expect(await codes.redeem(own, new Date())).toEqual(first);
  for (const other of [{ code }, { code, nonce: 'm'.repeat(22) }])
    await expect(codes.redeem(other, new Date())).rejects.toMatchObject({ code: 'unauthorized' });
});

it('stay good for everybody where no session could be opened', async () => {
  const { code } = await codes.make(caller, new Date());
  isDown = true;
  const first = { code, nonce: 'n'.repeat(22) };
  await expect(codes.redeem(first, new Date())).rejects.toMatchObject({ code: 'unavailable' });
  isDown = false;
  expect(await codes.redeem({ code }, new Date())).toMatchObject(whose);
  await expect(codes.redeem(first, new Date())).rejects.toMatchObject({ code: 'unauthorized' });
});
