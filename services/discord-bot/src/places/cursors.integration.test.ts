import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Database } from '@kith/database';
import { type FreshStores, freshDatabase, type FreshDatabase, ifStarted } from '@kith/testing';
import { pino } from 'pino';
import { Cursors } from './cursors.js';

let stores: FreshStores;
let database: Database;
let stop: FreshDatabase['stop'];
beforeAll(async () => {
  ({ stores, database, stop } = await freshDatabase());
});
afterAll(() => ifStarted(stop)?.());

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

it('saves the newest of a place also where it was heard as an older one could not be saved', async () => {
  const heard = { channelId: '350', isDirect: false, personId: null };
  let isAway = true;
  const away = new Proxy(database, {
    get: (target, name) => {
      if (name !== 'writer' || !isAway) return Reflect.get(target, name) as unknown;
      cursors.advance({ ...heard, lastMessageId: '2' });
      throw new Error('Postgres is away');
    },
  });
  const cursors = new Cursors(away, pino({ level: 'silent' }));
  cursors.advance({ ...heard, lastMessageId: '1' });
  await cursors.save();
  isAway = false;
  expect(await cursors.read(['350'])).toMatchObject([{ lastMessageId: '2' }]);
});

it('reads up the latest DMs and every channel of a month', async () => {
  const personId = '00000000-0000-7000-8000-0000000000aa';
  await stores.query(`INSERT INTO people (person_id, display_name) VALUES ($1, 'Ann')`, [personId]);
  await stores.query(
    `INSERT INTO discord_cursors (channel_id, is_direct, person_id, last_message_id, updated_at)
     SELECT 'dm ' || n, true, $1::uuid, '1', now() - make_interval(days => 60, secs => n) FROM generate_series(1, 2001) AS n
     UNION ALL SELECT 'dm of last year', true, $1::uuid, '1', now() - interval '400 days'
     UNION ALL SELECT 'channel ' || n, false, NULL, '1', now() - make_interval(secs => n) FROM generate_series(1, 2001) AS n
     UNION ALL SELECT 'silent channel', false, NULL, '1', now() - interval '31 days'`,
    [personId],
  );
  const read = (await new Cursors(database, pino({ level: 'silent' })).read()).map(
    ({ channelId }) => channelId,
  );
  expect(read.filter((id) => id.startsWith('channel'))).toHaveLength(2_001);
  expect(read.filter((id) => id.startsWith('dm'))).toHaveLength(2_000);
  expect(read).not.toContain('dm 2001');
  const kept = await stores.query(`SELECT channel_id FROM discord_cursors WHERE channel_id LIKE 'dm%'`);
  expect(kept).toHaveLength(2_001);
});

it('keeps a DM with its person alone, once it is known whose it is', async () => {
  const personId = '00000000-0000-7000-8000-0000000000bb';
  await stores.query(`INSERT INTO people (person_id, display_name) VALUES ($1, 'Bea')`, [personId]);
  const cursors = new Cursors(database, pino({ level: 'silent' }));
  const heard = async (lastMessageId: string, whose: string | null) => {
    cursors.advance({ channelId: '400', isDirect: true, personId: whose, lastMessageId });
    await cursors.save();
    return stores.query(`SELECT person_id, last_message_id FROM discord_cursors WHERE channel_id = '400'`);
  };
  expect(await heard('1', null)).toEqual([]);
  expect(await heard('2', personId)).toEqual([{ person_id: personId, last_message_id: '2' }]);
  expect(await heard('3', null)).toEqual([{ person_id: personId, last_message_id: '3' }]);
});

it('moves no cursor back, by the number of the message', async () => {
  const cursors = new Cursors(database, pino({ level: 'silent' }));
  for (const lastMessageId of ['10', '9']) {
    cursors.advance({ channelId: '450', isDirect: false, personId: null, lastMessageId });
    await cursors.save();
  }
  expect(await cursors.read(['450'])).toMatchObject([{ lastMessageId: '10' }]);
});

it('saves the others beside the one of a DM whose person was erased', async () => {
  const personId = '00000000-0000-7000-8000-0000000000cc';
  await stores.query(`INSERT INTO erasures (erased_id, asked_by, counts) VALUES ($1, 'person', '{}')`, [
    personId,
  ]);
  const cursors = new Cursors(database, pino({ level: 'silent' }));
  cursors.advance({ channelId: '500', isDirect: true, personId, lastMessageId: '1' });
  cursors.advance({ channelId: '501', isDirect: false, personId: null, lastMessageId: '1' });
  expect(await cursors.read(['500', '501'])).toMatchObject([{ channelId: '501' }]);
});
