import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { gatewayContract, type JobContract } from '@kith/contracts';
import { Database } from '@kith/database';
import { freshStores, type FreshStores } from '@kith/testing';
import { pino } from 'pino';
import { Servers } from './servers.js';

const SERVER = '175928847299117063';
const CHANNEL = '175928847299117064';

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

it('returns to a server that was being left when the bot ended, and that it was added to again meanwhile', async () => {
  const orders: JobContract[] = [];
  const messenger = { enqueue: (order: JobContract) => Promise.resolve(void orders.push(order)) };
  const state = { isEnding: false };
  const cursors = { drop: () => (state.isEnding ? Promise.reject(new Error('it ends')) : Promise.resolve()) };
  const notes = { dropIn: () => Promise.resolve() };
  const session = () => new Servers(database, messenger, cursors, notes, pino({ level: 'silent' }));
  const compare = (ids: string[]) =>
    session().compare({ ids, shard: [0, 1] }, () => [CHANNEL], AbortSignal.timeout(5_000));
  const known = () => stores.query('SELECT server_id, places, leaving FROM discord_servers');
  const { returnToPlaces, leavePlaces } = gatewayContract;

  await session().join(SERVER, [CHANNEL]);
  state.isEnding = true;
  await session().leave(SERVER, [CHANNEL]);
  state.isEnding = false;
  expect(orders.splice(0)).toEqual([returnToPlaces, leavePlaces]);

  await compare([SERVER]);
  expect(orders.splice(0)).toEqual([returnToPlaces]);
  expect(await known()).toEqual([{ server_id: SERVER, places: [CHANNEL], leaving: false }]);
  await compare([SERVER]);
  expect(orders).toEqual([]);

  state.isEnding = true;
  await session().leave(SERVER, [CHANNEL]);
  state.isEnding = false;
  await compare([]);
  expect(orders).toEqual([leavePlaces, leavePlaces]);
  expect(await known()).toEqual([]);
});
