import { describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { broadcastChannel } from '../streams/keys.js';
import { eventually } from '../testing-redis.js';
import { Bench } from '../testing-service.js';

const bench = Bench.forThisFile();

describe('broadcasts', () => {
  it('reach every listener of the channel in order, and nobody else', async () => {
    const [here, there] = [bench.openBroadcasts(), bench.openBroadcasts()];
    const heard: unknown[] = [];
    await here.subscribe('c.1', (payload) => heard.push(['first', payload]));
    await here.subscribe('c.1', (payload) => heard.push(['second', payload]));
    await here.subscribe('c.2', (payload) => heard.push(['other', payload]));
    for (const n of [1, 2]) await there.publish('c.1', { n });
    await there.publish('c.2', 'end');
    await eventually(() => heard.length === 5, 'all have heard');
    expect(heard).toEqual([
      ['first', { n: 1 }],
      ['second', { n: 1 }],
      ['first', { n: 2 }],
      ['second', { n: 2 }],
      ['other', 'end'],
    ]);
  });

  it('go on where Redis refuses one of several channels, which is told', async () => {
    const operator = new Redis(bench.redis.url);
    const allowed = `&${broadcastChannel(bench.keyPrefix, 'allowed')}`;
    await operator.call('ACL', 'SETUSER', 'limited', 'reset', 'on', '>limited', '~*', allowed, '+@all');
    const url = new URL(bench.redis.url);
    Object.assign(url, { username: 'limited', password: 'limited' });
    const broadcasts = bench.openBroadcasts({ redisUrl: url.href });
    const heard: unknown[] = [];
    broadcasts.hear('refused', (payload) => heard.push(payload));
    broadcasts.hear('allowed', (payload) => heard.push(payload));
    await eventually(async () => {
      await operator.publish(broadcastChannel(bench.keyPrefix, 'refused'), '"secret"');
      await broadcasts.publish('allowed', 'news');
      return heard.length > 0;
    }, 'the other channel is heard');
    expect(heard).not.toContain('secret');
    // What is kept in the belief that every change is told would be kept too long.
    expect(broadcasts.isHearing).toBe(false);
    await broadcasts.publish('refused', 'news');
    expect(bench.logged.filter(({ level }) => level === 'error')).toEqual(
      Array.from({ length: 2 }, () =>
        expect.objectContaining({
          fields: expect.objectContaining({ channel: broadcastChannel(bench.keyPrefix, 'refused') }),
        }),
      ),
    );
    operator.disconnect();
  });

  it('no longer reach who stopped listening', async () => {
    const broadcasts = bench.openBroadcasts();
    const heard: unknown[] = [];
    const stop = await broadcasts.subscribe('c', (payload) => heard.push(['stopped', payload]));
    await broadcasts.subscribe('c', (payload) => heard.push(['stays', payload]));
    await stop();
    await stop();
    await broadcasts.publish('c', 1);
    await eventually(() => heard.length > 0, 'the other one has heard');
    expect(heard).toEqual([['stays', 1]]);
  });

  it('outlive one listener that throws', async () => {
    const broadcasts = bench.openBroadcasts();
    const heard: unknown[] = [];
    await broadcasts.subscribe('c', () => {
      throw new Error('broken listener');
    });
    await broadcasts.subscribe('c', (payload) => heard.push(payload));
    await broadcasts.publish('c', 1);
    await eventually(() => heard.length === 1, 'the other one has heard');
  });

  it('go on after a Redis restart', async () => {
    const broadcasts = bench.openBroadcasts();
    const heard: unknown[] = [];
    await broadcasts.subscribe('c', (payload) => heard.push(payload));
    await bench.redis.kill();
    await broadcasts.publish('c', 'lost');
    await bench.redis.start();
    await eventually(async () => {
      await broadcasts.publish('c', 'after');
      return heard.length > 0;
    }, 'it is heard again');
    expect(heard).not.toContain('lost');
  });

  it('cannot be listened to without Redis, and say so', async () => {
    const broadcasts = bench.openBroadcasts({ subscribeWithinMs: 100 });
    await bench.redis.kill();
    await expect(broadcasts.subscribe('c', () => undefined)).rejects.toMatchObject({ code: 'unavailable' });
    await bench.redis.start();
  });

  it('are heard once Redis is there, by who began to hear them without it', async () => {
    const broadcasts = bench.openBroadcasts();
    const heard: unknown[] = [];
    await bench.redis.kill();
    broadcasts.hear('c', (payload) => heard.push(payload));
    await bench.redis.start();
    await eventually(async () => {
      await broadcasts.publish('c', 'after');
      return heard.length > 0;
    }, 'it is heard');
  });
});
