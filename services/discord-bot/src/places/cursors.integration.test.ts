import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Database } from '@kith/database';
import { freshStores, type FreshStores } from '@kith/testing';
import { pino } from 'pino';
import { Cursors } from './cursors.js';

let stores: FreshStores;
let database: Database;
beforeAll(async () => {
  stores = await freshStores();
  database = new Database({ url: stores.databaseUrl, poolSize: 2 });
});
afterAll(async () => {
  await database.close();
  await stores.stop();
});

it('keeps no cursor of a channel that is dropped while it is being saved', async () => {
  let goOn: (() => void) | undefined;
  let isSlow = true;
  const slow = new Proxy(database, {
    get: (target, name) => {
      if (name !== 'write') return Reflect.get(target, name) as unknown;
      return async (...write: Parameters<Database['write']>) => {
        const isFirst = isSlow;
        isSlow = false;
        if (isFirst) await new Promise<void>((resolve) => (goOn = resolve));
        return target.write(...write);
      };
    },
  });
  const cursors = new Cursors(slow, pino({ level: 'silent' }));
  cursors.advance({ channelId: '300', isDirect: false, personId: null, lastMessageId: '1' });
  const saved = cursors.save();
  await Promise.resolve();
  const dropped = cursors.drop(['300']);
  await new Promise((resolve) => setTimeout(resolve, 50));
  goOn?.();
  await Promise.all([saved, dropped]);
  expect(await stores.query('SELECT channel_id FROM discord_cursors')).toEqual([]);
});
