import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chatEventsChannel, CLOCKS_CHANNEL, MODELS_CHANNEL } from '@kith/contracts';
import { Redis } from 'ioredis';
import { freePort } from '../processes/free-port.js';
import { redisUser } from './redis-users.js';
import { startRedis, type RunningRedis } from '../stores/start-redis.js';
import { SERVICES, type ServiceName } from './services.js';

/** Something of each kind that is a service's own. */
const OWN: Readonly<Record<ServiceName, { owner: string; keys: string[] }>> = {
  gateway: { owner: 'gateway', keys: ['kith:rate:a-key'] },
  embedding: { owner: 'embedding', keys: ['kith:vectors:a-text'] },
  personality: { owner: 'personality', keys: [] },
  memory: { owner: 'memory', keys: [] },
  'proactive-scheduler': { owner: 'outreach', keys: [] },
  'discord-bot': { owner: 'discord', keys: [] },
};
/** Broadcasts that each service sends or hears. What it does beside them, a suite of tests finds in Redis' own log. */
const HEARD: Readonly<Record<ServiceName, string[]>> = {
  gateway: [
    'people.erased',
    'people.named',
    'turn.interruptions',
    'keys',
    'person.1',
    chatEventsChannel('http', '1'),
    CLOCKS_CHANNEL,
    MODELS_CHANNEL,
  ],
  embedding: [],
  personality: ['companions', MODELS_CHANNEL],
  memory: ['memory.lore-changed', 'memory.reindex', MODELS_CHANNEL],
  'proactive-scheduler': [CLOCKS_CHANNEL],
  'discord-bot': [chatEventsChannel('discord', '1')],
};
/** Services whose models' usage the gateway keeps. */
const COUNTING: readonly ServiceName[] = ['embedding', 'personality', 'memory'];
const NAMES = SERVICES.map(({ name }) => name);
let directory: string;
let redis: RunningRedis;
const connections = new Map<string, Redis>();

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kith-users-'));
  redis = await startRedis({
    directory,
    port: await freePort(),
    password: 'operator',
    users: NAMES.map((name) => redisUser(name, `>password-of-${name}`)),
  });
  for (const name of NAMES) {
    const url = new URL(redis.url);
    url.username = name;
    url.password = `password-of-${name}`;
    connections.set(name, new Redis(url.href));
  }
});
afterAll(async () => {
  for (const connection of connections.values()) connection.disconnect();
  await redis.stop();
  await rm(directory, { recursive: true, force: true });
});

const as = (name: ServiceName) => connections.get(name)!;
const streamsOf = (name: ServiceName) => [`kith:request:${OWN[name].owner}`, `kith:reply:${name}:1-process`];

describe.each(NAMES)('the Redis user of %s', (name) => {
  it('works with its own keys', async () => {
    for (const stream of streamsOf(name)) {
      await as(name).xadd(stream, '*', 'd', 'words');
      expect(await as(name).xread('STREAMS', stream, '0')).toHaveLength(1);
    }
    await as(name).set(`kith:bull:${OWN[name].owner}.something:1`, 'job');
    for (const key of OWN[name].keys) await as(name).set(key, '1');
    expect(await as(name).info()).toContain('redis_version');
  });

  it('reads nothing of any other service', async () => {
    for (const other of NAMES.filter((one) => one !== name)) {
      for (const stream of streamsOf(other)) {
        // To ask is to write there; to read is not.
        await as(name).xadd(stream, '*', 'd', 'a question');
        await expect(as(name).xread('STREAMS', stream, '0')).rejects.toThrow(/NOPERM/);
        await expect(as(name).xrange(stream, '-', '+')).rejects.toThrow(/NOPERM/);
      }
      for (const key of OWN[other].keys) await expect(as(name).get(key)).rejects.toThrow(/NOPERM/);
      if (name !== 'gateway') {
        // The gateway's board of queues shows all of them; jobs carry ids and no words.
        const job = `kith:bull:${OWN[other].owner}.something:1`;
        await expect(as(name).get(job)).rejects.toThrow(/NOPERM/);
      }
    }
    await expect(as(name).xrange('kith:dead', '-', '+')).rejects.toThrow(/NOPERM/);
  });

  it('leaves usage for the gateway where it counts some, and reads none', async () => {
    if (name === 'gateway') return;
    const stream = 'kith:event:gateway.usage-left';
    const leaving = as(name).xadd(stream, '*', 'd', 'usage');
    if (COUNTING.includes(name)) await expect(leaving).resolves.toMatch(/-/);
    else await expect(leaving).rejects.toThrow(/NOPERM/);
    await expect(as(name).xrange(stream, '-', '+')).rejects.toThrow(/NOPERM/);
  });

  it('hears its own broadcasts', async () => {
    const subscriber = as(name).duplicate();
    connections.set(`${name}-subscriber`, subscriber);
    for (const channel of HEARD[name]) {
      await expect(subscriber.subscribe(`kith:broadcast:${channel}`)).resolves.toBeGreaterThan(0);
    }
  });

  it('rules neither the server nor other connections', async () => {
    const commands = [['FLUSHALL'], ['KEYS', '*'], ['CONFIG', 'GET', '*'], ['MONITOR'], ['ACL', 'LIST']];
    for (const [command, ...values] of [...commands, ['CLIENT', 'KILL', 'TYPE', 'normal'], ['SHUTDOWN']]) {
      await expect(as(name).call(command!, ...values)).rejects.toThrow(/NOPERM/);
    }
    if (name === 'gateway') return;
    for (const channel of ['person.1', chatEventsChannel('http', '1')]) {
      await expect(as(name).subscribe(`kith:broadcast:${channel}`)).rejects.toThrow(/NOPERM/);
    }
    await expect(as(name).psubscribe('kith:broadcast:*')).rejects.toThrow(/NOPERM/);
  });
});
