import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { gatewayContract, type JobContract, type PlacesWithin } from '@kith/contracts';
import type { Database } from '@kith/database';
import { eventually, type FreshStores, freshDatabase, type FreshDatabase, ifStarted } from '@kith/testing';
import { pino } from 'pino';
import { Servers } from './servers.js';

const SERVER = '175928847299117063';
const CHANNEL = '175928847299117064';
const OTHER = '175928847299117066';
const { returnToPlaces, leavePlaces } = gatewayContract;
const logger = pino({ level: 'silent' });

let stores: FreshStores;
let database: Database;
let stop: FreshDatabase['stop'];
beforeAll(async () => {
  ({ stores, database, stop } = await freshDatabase());
});
beforeEach(() => stores.query('DELETE FROM discord_servers'));
afterAll(() => ifStarted(stop)?.());

/** A bot's sessions, and the orders that they give. */
function sessions() {
  const orders: JobContract[] = [];
  const state = { isEnding: false, isRedisAway: false };
  const messenger = {
    enqueue: (order: JobContract) =>
      state.isRedisAway
        ? Promise.reject(new Error('Redis is away'))
        : Promise.resolve(void orders.push(order)),
  };
  const cursors = { drop: () => (state.isEnding ? Promise.reject(new Error('it ends')) : Promise.resolve()) };
  const notes = { dropIn: () => Promise.resolve() };
  const cleared: string[] = [];
  const skippedMessages = { clear: (channelId: string) => void cleared.push(channelId) };
  const parts = { database, messenger, cursors, notes, skippedMessages, logger };
  const session = () => new Servers(parts);
  const compare = (ids: string[], servers = session(), channels: string[] | null = [CHANNEL]) =>
    servers.compare({ ids, shard: [0, 1] }, () => channels, AbortSignal.timeout(5_000));
  return { orders, cleared, state, session, compare };
}

const known = () => stores.query('SELECT server_id, places, held FROM discord_servers');

it('returns to a server that was being left when the bot ended, and that it was added to again meanwhile', async () => {
  const { orders, state, session, compare } = sessions();
  await session().join(SERVER, [CHANNEL]);
  state.isEnding = true;
  await session().leave(SERVER, [CHANNEL]);
  state.isEnding = false;
  expect(orders.splice(0)).toEqual([returnToPlaces, leavePlaces]);

  await compare([SERVER]);
  expect(orders.splice(0)).toEqual([returnToPlaces]);
  expect(await known()).toEqual([{ server_id: SERVER, places: [CHANNEL], held: true }]);
  await compare([SERVER]);
  expect(orders).toEqual([]);

  state.isEnding = true;
  await session().leave(SERVER, [CHANNEL]);
  state.isEnding = false;
  await compare([]);
  expect(orders).toEqual([leavePlaces, leavePlaces]);
  expect(await known()).toEqual([]);
});

it('reports no more that a place of a server it left could not be read', async () => {
  const { cleared, session } = sessions();
  await session().join(SERVER, [CHANNEL]);
  expect(cleared).toEqual([]);
  await session().leave(SERVER, []);
  expect(cleared).toEqual([CHANNEL]);
});

it('returns to a server that it heard a message of before the session compared', async () => {
  const { orders, session, compare } = sessions();
  const servers = session();
  await servers.hear(SERVER, CHANNEL, null);
  await compare([SERVER], servers);
  expect(orders.splice(0)).toEqual([returnToPlaces]);
  await servers.hear(SERVER, '175928847299117065', null);
  expect(await known()).toMatchObject([{ held: true }]);
});

it('returns to a server that it joined while Redis was away, and heard a message of since', async () => {
  const { orders, state, session, compare } = sessions();
  state.isRedisAway = true;
  const servers = session();
  await servers.join(SERVER, [CHANNEL]);
  await servers.hear(SERVER, CHANNEL, null);
  state.isRedisAway = false;
  await compare([SERVER]);
  expect(orders).toEqual([returnToPlaces]);
});

it('returns to a server that was out of reach as the session began once it is there', async () => {
  const { orders, session, compare } = sessions();
  const servers = session();
  await servers.available(SERVER, [CHANNEL]);
  await compare([SERVER], servers, null);
  expect(orders).toEqual([]);
  await servers.available(SERVER, [CHANNEL]);
  await servers.available(SERVER, [CHANNEL]);
  expect(orders).toEqual([returnToPlaces]);
});

it('leaves a server of more places than one order takes, each of them once, and joins others beside it', async () => {
  const given: PlacesWithin[] = [];
  const messenger = {
    enqueue: (order: JobContract, payload: unknown) => {
      given.push(order.payload.parse(payload) as PlacesWithin);
      return Promise.resolve();
    },
  };
  const notes = { dropIn: () => Promise.resolve() };
  const cursors = { drop: () => Promise.resolve() };
  const skippedMessages = { clear: () => undefined };
  const servers = new Servers({ database, messenger, cursors, notes, skippedMessages, logger });
  const places = Array.from({ length: 10_001 }, (_, number) => String(number));
  await stores.query('INSERT INTO discord_servers (server_id, places) VALUES ($1, $2)', [SERVER, places]);

  await servers.compare({ ids: [OTHER], shard: [0, 1] }, () => [CHANNEL], AbortSignal.timeout(5_000));
  const leaving = given.filter(({ within }) => within === SERVER);
  expect(leaving.flatMap((order) => order.places).toSorted()).toEqual(places.toSorted());
  expect(new Set(leaving.map((order) => leavePlaces.idOf(order))).size).toBe(2);
  expect(await known()).toEqual([{ server_id: OTHER, places: [CHANNEL], held: true }]);
});

it('goes on with other servers where one can not be left, and tries that one again', async () => {
  const { orders, state, session, compare } = sessions();
  await session().join(SERVER, [CHANNEL]);
  orders.length = 0;
  state.isEnding = true;
  const compared = compare([OTHER]);
  await eventually('the other one joined', () => orders.includes(returnToPlaces));
  state.isEnding = false;
  await compared;
  expect(await known()).toMatchObject([{ server_id: OTHER }]);
});

it('does not take a server for left that it joined while the session could not compare yet', async () => {
  const { orders, state, session, compare } = sessions();
  const servers = session();
  state.isRedisAway = true;
  const compared = compare([SERVER], servers);

  await servers.join(OTHER, [CHANNEL]);
  await servers.hear(OTHER, CHANNEL, null);
  state.isRedisAway = false;
  await compared;
  expect(orders).toEqual([returnToPlaces, returnToPlaces]);
});

it('knows the threads of a channel in which it heard something, also in another process, until they are deleted', async () => {
  const { session } = sessions();
  const servers = session();
  const [first, second, other] = ['175928847299117071', '175928847299117072', '175928847299117073'] as const;
  // Whose thread it is may be known only later: a session that is resumed tells of no channels.
  await servers.hear(SERVER, first, null);
  await servers.hear(SERVER, first, CHANNEL);
  await servers.hear(SERVER, first, null);
  await servers.hear(SERVER, other, OTHER);
  const heard = servers.hear(SERVER, second, CHANNEL);
  expect((await servers.threadsOf(SERVER, CHANNEL)).toSorted()).toEqual([first, second]);
  await heard;
  const next = session();
  expect((await next.threadsOf(SERVER, CHANNEL)).toSorted()).toEqual([first, second]);
  await next.deletePlace(SERVER, first);
  expect(await next.threadsOf(SERVER, CHANNEL)).toEqual([second]);
  expect(await known()).toMatchObject([{ places: expect.not.arrayContaining([first]) }]);
});
