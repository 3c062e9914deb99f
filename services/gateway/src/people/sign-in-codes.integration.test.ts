import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AppError, isWellFormedApiKey } from '@kith/contracts';
import { eventually, freshStores, type FreshStores } from '@kith/testing';
import { Redis } from 'ioredis';
import { SignInCodes } from './sign-in-codes.js';

const caller = {
  keyId: 'key',
  keyName: 'own',
  personId: 'ann',
  displayName: 'Ann',
  scopes: ['chat' as const],
  expiresAt: null,
  sessionOf: null,
  madeBy: null,
};
const whose = { ...caller, name: 'browser', expiresAt: '2026-11-28T12:00:00.000Z' };

let stores: FreshStores;
let redis: Redis;
let codes: SignInCodes;
let isDown = false;
/** Waits of the sessions that are being opened, in the order of their tries. */
let waits: Promise<void>[] = [];
/** Keys of sessions that were to be opened, the latest last. */
const tried: string[] = [];

beforeAll(async () => {
  stores = await freshStores();
  redis = new Redis(stores.redisUrl);
  const openSession = async (_keyId: string, _now: Date, key = 'none') => {
    await waits.shift();
    tried.push(key);
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
  // Whoever knows the code alone knows no session of it.
  expect(tried.at(-1)).not.toBe(tried.at(-2));
  await expect(codes.redeem(first, new Date())).rejects.toMatchObject({ code: 'unauthorized' });
});

it.each(['first', 'last'])(
  'are used up by a session, though another try of its nonce fails %s',
  async (which) => {
    const { code } = await codes.make(caller, new Date());
    const own = { code, nonce: 'n'.repeat(22) };
    let fail: () => void = () => undefined;
    let open: () => void = () => undefined;
    waits = [
      new Promise((_, reject) => (fail = () => reject(new Error('broken off')))),
      new Promise((resolve) => (open = resolve)),
    ];
    const fails = expect(codes.redeem(own, new Date())).rejects.toThrow('broken off');
    await eventually('the first to wait', () => waits.length === 1);
    const opens = codes.redeem(own, new Date());
    await eventually('the second to wait', () => waits.length === 0);
    if (which === 'last') {
      open();
      await opens;
    }
    fail();
    await fails;
    open();
    const session = await opens;
    await expect(codes.redeem({ code }, new Date())).rejects.toMatchObject({ code: 'unauthorized' });
    expect(await codes.redeem(own, new Date())).toEqual(session);
  },
);
