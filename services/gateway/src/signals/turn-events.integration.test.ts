import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ServerFrame } from '@kith/contracts';
import { Broadcasts } from '@kith/messaging';
import { eventually, freshStores, type FreshStores, ifStarted } from '@kith/testing';
import { pino } from 'pino';
import { TurnEvents } from './turn-events.js';

let stores: FreshStores;
let broadcasts: Broadcasts;

beforeAll(async () => {
  stores = await freshStores();
  broadcasts = new Broadcasts({
    redisUrl: stores.redisUrl,
    service: 'gateway',
    logger: pino({ level: 'silent' }),
    subscribeWithinMs: 100,
  });
});
afterAll(async () => {
  broadcasts.close();
  await ifStarted(stores)?.stop();
});

it('frames of a person are heard once Redis is back, also from a channel that was opened while it was away', async () => {
  const events = new TurnEvents(broadcasts);
  const heard: ServerFrame[] = [];
  await events.subscribePerson('before', (frame) => heard.push(frame));
  await eventually('it hears', () => events.gap !== null);
  const { gap } = events;
  await stores.redis.stop('SIGKILL');
  await eventually('that is noticed', () => events.gap === null);
  const leave = await events.subscribePerson('meanwhile', (frame) => heard.push(frame));
  await stores.redis.start();
  await eventually('it hears again', () => events.gap !== null);
  expect(events.gap).not.toBe(gap);
  await eventually('the frame', () => {
    events.talkForgotten('meanwhile');
    return heard.length > 0;
  });
  await leave();
  heard.length = 0;
  events.talkForgotten('meanwhile');
  events.privacySwitched('before');
  await eventually('the other frame', () => heard.length > 0);
  expect(heard).toEqual([{ type: 'talk-changed', forgets: false }]);
});
