import { SERVICES, type ServiceName } from './services.js';

interface RedisRights {
  /** Prefix of its requests, events and jobs: `<owner>.<verb>`. */
  owns: readonly string[];
  /** Events of other services that it hears. */
  hears: readonly string[];
  /** Events of other services that it announces as well. */
  announces?: readonly string[];
  /** Jobs of other services that it orders. */
  orders: readonly string[];
  /** Other keys that are its own. */
  keys: readonly string[];
  /** Broadcasts that it sends and hears. */
  channels: readonly string[];
  /** True where it may have Redis rewrite its file, so that what was deleted is gone from the disk too. */
  rewritesFile?: true;
}

/** Parts of Redis each service may use. A process that is taken over can read no more than is listed here. */
const RIGHTS: Readonly<Record<ServiceName, RedisRights>> = {
  gateway: {
    owns: ['gateway'],
    hears: ['personality.mood-changed'],
    // The board of queues shows all of them.
    orders: ['*'],
    keys: ['rate*', 'erase-rate*', 'sign-in:*'],
    channels: ['people.*', 'turn.*', 'conversation.*', 'person.*', 'keys', 'models', 'outreach.clocks'],
    rewritesFile: true,
  },
  embedding: {
    owns: ['embedding'],
    hears: [],
    announces: ['gateway.usage-left'],
    orders: [],
    keys: ['vectors:*'],
    channels: [],
  },
  personality: {
    owns: ['personality'],
    hears: [],
    announces: ['gateway.usage-left'],
    orders: [],
    keys: [],
    channels: ['companions', 'models'],
  },
  memory: {
    owns: ['memory'],
    hears: [],
    announces: ['gateway.usage-left'],
    orders: ['jobs.consolidate-again'],
    keys: [],
    channels: ['memory.*', 'models'],
    rewritesFile: true,
  },
  'proactive-scheduler': {
    owns: ['proactive-scheduler', 'outreach', 'jobs'],
    hears: ['gateway.unreachable'],
    orders: [
      'gateway.reach-out',
      'gateway.heartbeat',
      'gateway.retain',
      'memory.consolidate',
      'personality.reflect',
    ],
    keys: [],
    channels: ['outreach.clocks'],
  },
  'discord-bot': {
    owns: ['discord-bot', 'discord'],
    hears: ['gateway.turn-ended'],
    orders: ['gateway.leave-places', 'gateway.return-to-places', 'gateway.delete-places'],
    keys: [],
    channels: ['conversation.discord.*'],
  },
};

/**
 * Commands a service needs for its keys. None concerns the server or others' connections: of those only what
 * its clients need to know the server by and to end a read of their own that waits.
 */
const COMMANDS = ['+@all', '-@admin', '-@dangerous', '+info', '+client|list', '+client|unblock'];

/**
 * A service's user in Redis' own notation, as a line of its settings. It may ask any service, and read no one else's
 * requests, answers, events, jobs and broadcasts.
 * @param password in that notation: `>password`, or `#` with its SHA-256
 */
export function redisUser(service: ServiceName, password: string, keyPrefix = 'kith:'): string {
  const { owns, hears, announces = [], orders, keys, channels, rewritesFile } = RIGHTS[service];
  const whole = [
    ...owns.flatMap((owner) => [`request:${owner}`, `event:${owner}.*`, `bull:${owner}.*`]),
    `reply:${service}:*`,
    ...hears.map((event) => `event:${event}`),
    ...orders.map((job) => (job === '*' ? 'bull:*' : `bull:${job}:*`)),
    ...keys,
  ];
  const writeOnly = ['request:*', 'reply:*', ...announces.map((event) => `event:${event}`), 'dead'];
  return [
    `user ${service} on ${password}`,
    ...whole.map((key) => `~${keyPrefix}${key}`),
    ...writeOnly.map((key) => `%W~${keyPrefix}${key}`),
    ...channels.map((channel) => `&${keyPrefix}broadcast:${channel}`),
    ...COMMANDS,
    ...(rewritesFile ? ['+bgrewriteaof'] : []),
  ].join(' ');
}

/** The setting of `.env` that holds a service's password at Redis (Compose). */
export function redisPasswordVariable(service: ServiceName): string {
  return `REDIS_PASSWORD_${service.toUpperCase().replaceAll('-', '_')}`;
}

/** The users' lines for Compose, whose Redis puts in the passwords at its start. */
export function redisUsersFile(): string {
  const lines = SERVICES.map(({ name }) => redisUser(name, `>\${${redisPasswordVariable(name)}}`));
  return [
    '# Written by tools/redis-users.mjs from libs/embedded/src/settings/redis-users.ts.',
    ...lines,
    '',
  ].join('\n');
}
