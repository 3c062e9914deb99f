import { setTimeout as sleep } from 'node:timers/promises';
import { SERVICES, type ServiceName } from '@kith/embedded';
import type { FaultProxy } from '@kith/testing';
import type { FaultSuite } from './fault-suite.ts';
import type { LedgerEntry } from './ledger.ts';
import type { Random } from './random.ts';
import type { Traffic } from './traffic.ts';

export interface FaultContext {
  suite: FaultSuite;
  traffic: Traffic;
  random: Random;
  round: number;
}

export interface Fault {
  name: string;
  /** Which service it kills: its recovery is timed. */
  kills?: ServiceName;
  /** May a reply of this round remain undelivered, with its reason? */
  mayFailDelivery?: boolean;
  /** Does it reach the model, so that the count of its calls says nothing? */
  reachesModel?: boolean;
  /** How much is said, and within what time; a few messages otherwise. */
  talk?: { count: number; withinMs: number };
  /**
   * Happens while people talk. Resolves when it is over and undone; whether it happened at all (a step may not come
   * by in a round).
   */
  happen(context: FaultContext): Promise<boolean>;
}

/** How long a store stays away. */
const AWAY_MS = [1_500, 4_000] as const;

const away = ({ random }: FaultContext) => sleep(random.between(...AWAY_MS));

/** Kills a process at a named step of a message's way. */
function killAt(service: ServiceName, step: string): Fault {
  return {
    name: `kill ${service} at ${step}`,
    kills: service,
    async happen({ suite }) {
      const pid = suite.stack.service(service).pid;
      const callOff = await suite.armStep(service, step);
      const deadline = performance.now() + 6_000;
      while (suite.stack.service(service).pid === pid && performance.now() < deadline) await sleep(20);
      await callOff();
      return suite.stack.service(service).pid !== pid;
    },
  };
}

function kill(service: ServiceName, signal: NodeJS.Signals = 'SIGKILL'): Fault {
  return {
    name: `${signal === 'SIGKILL' ? 'kill' : 'restart'} ${service}`,
    kills: service,
    async happen({ suite, random }) {
      await sleep(random.between(50, 900));
      await killAndWait(suite, service, signal);
      return true;
    },
  };
}

/** Until it is gone, at its own pace where it is asked to go. */
async function killAndWait(suite: FaultSuite, service: ServiceName, signal: NodeJS.Signals): Promise<void> {
  const { pid } = suite.stack.service(service);
  suite.stack.service(service).kill(signal);
  const deadline = performance.now() + 30_000;
  while (suite.stack.service(service).pid === pid && performance.now() < deadline) await sleep(10);
}

async function untilReady(suite: FaultSuite, service: ServiceName): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (performance.now() < deadline && !(await suite.stack.service(service).health())?.ready)
    await sleep(50);
}

function network(
  name: keyof FaultSuite['networks'],
  change: (proxy: FaultProxy, context: FaultContext) => Promise<void>,
  what: string,
  rest: Partial<Fault> = {},
): Fault {
  return {
    name: `${name} ${what}`,
    ...rest,
    async happen(context) {
      await sleep(context.random.between(50, 500));
      await change(context.suite.networks[name], context);
      return true;
    },
  };
}

const cut = async (proxy: FaultProxy) => proxy.cut();
const refuse = async (proxy: FaultProxy, context: FaultContext) => {
  await proxy.set('refuse');
  await away(context);
  await proxy.set('open');
};
const blackHole = async (proxy: FaultProxy, context: FaultContext) => {
  await proxy.set('black-hole');
  await away(context);
  await proxy.set('open');
  proxy.cut(); // what was swallowed is not made up for
};
const slow = async (proxy: FaultProxy, context: FaultContext) => {
  proxy.delay(context.random.between(200, 1_200));
  await away(context);
  proxy.delay(0);
};

/** The model meets each request of a while like this. */
function model(what: string, behaviour: Parameters<FaultSuite['model']['always']>[0]): Fault {
  return {
    name: `model ${what}`,
    reachesModel: true,
    async happen({ suite, random }) {
      await sleep(random.between(0, 400));
      suite.model.always(behaviour);
      await sleep(random.between(800, 2_500));
      suite.model.always(null);
      return true;
    },
  };
}

function discord(
  what: string,
  happen: (context: FaultContext) => void | Promise<void>,
  rest: Partial<Fault> = {},
): Fault {
  return {
    name: `discord ${what}`,
    ...rest,
    async happen(context) {
      await sleep(context.random.between(50, 600));
      await happen(context);
      return true;
    },
  };
}

export const CREATE_MESSAGE = { method: 'POST', path: /^\/channels\/\d+\/messages$/ };

/** Holds answers back, so that something can happen before them. */
async function whileThinking(suite: FaultSuite, work: () => Promise<void>): Promise<void> {
  suite.model.always({ kind: 'slow', firstByteMs: 900 });
  try {
    await work();
  } finally {
    suite.model.always(null);
  }
}

async function wakeUpRedis(suite: FaultSuite, signal: NodeJS.Signals, awayMs: number): Promise<void> {
  await suite.stack.redis.stop(signal);
  await sleep(awayMs);
  await suite.stack.redis.start();
}

async function commandRedis(suite: FaultSuite, ...command: [string, ...string[]]): Promise<void> {
  const { Redis } = await import('ioredis');
  const redis = new Redis(suite.stack.redis.url, { maxRetriesPerRequest: 3 });
  try {
    await redis.call(...command);
  } finally {
    redis.disconnect();
  }
}

export const FAULTS: readonly Fault[] = [
  ...['received', 'committed', 'queued', 'claimed', 'prompt-built', 'streaming', 'reply-stored'].map((step) =>
    killAt('gateway', step),
  ),
  ...['outbox-claimed', 'sent-unread', 'marked-sent'].map((step) => killAt('discord-bot', step)),
  ...['memory-extracting', 'embedding-written'].map((step) => killAt('memory', step)),
  ...(
    ['gateway', 'discord-bot', 'memory', 'personality', 'embedding', 'proactive-scheduler'] as const
  ).flatMap((service) => [kill(service), kill(service, 'SIGTERM')]),
  {
    name: 'rolling restart',
    async happen({ suite }) {
      for (const { name } of SERVICES) {
        await killAndWait(suite, name, 'SIGTERM');
        await untilReady(suite, name);
      }
      return true;
    },
  },
  {
    // Whoever works on it dies of it, three times over: its people get the apology, and the next message goes on.
    name: 'poison',
    reachesModel: true,
    async happen({ suite, traffic, random, round }) {
      traffic.dm(round, traffic.anyDiscordPerson(random), random);
      for (let death = 0; death < 3; death++) {
        const { pid } = suite.stack.service('gateway');
        const callOff = await suite.armStep('gateway', 'prompt-built');
        const deadline = performance.now() + 12_000;
        while (suite.stack.service('gateway').pid === pid && performance.now() < deadline) await sleep(20);
        await callOff();
        if (suite.stack.service('gateway').pid === pid) return false;
        await untilReady(suite, 'gateway');
      }
      return true;
    },
  },
  // Longer than any lease: who wakes up again finds that others have gone on without it.
  ...(['gateway', 'discord-bot', 'memory', 'personality'] as const).map((service): Fault => ({
    name: `freeze ${service}`,
    reachesModel: service === 'gateway',
    async happen({ suite, random }) {
      await sleep(random.between(50, 900));
      suite.stack.service(service).kill('SIGSTOP');
      await sleep(random.between(2_000, 10_000));
      suite.stack.service(service).kill('SIGCONT');
      return true;
    },
  })),
  {
    name: 'disk full',
    async happen(context) {
      const { suite, random } = context;
      await sleep(random.between(50, 500));
      const isFull = await suite.fillDisk();
      if (!isFull) return false;
      await away(context);
      await suite.freeDisk();
      return true;
    },
  },
  network('redis', cut, 'connections cut'),
  network('redis', refuse, 'out of reach'),
  network('redis', blackHole, 'black hole'),
  network('redis', slow, 'slow'),
  {
    name: 'redis restarted',
    async happen({ suite, random }) {
      await sleep(random.between(50, 500));
      await wakeUpRedis(suite, random.pick(['SIGTERM', 'SIGKILL']), 100);
      return true;
    },
  },
  {
    name: 'redis down for a while',
    async happen({ suite, random }) {
      await wakeUpRedis(suite, 'SIGTERM', random.between(...AWAY_MS));
      return true;
    },
  },
  {
    name: 'redis flushed',
    async happen({ suite, random }) {
      await sleep(random.between(50, 900));
      await commandRedis(suite, 'FLUSHALL');
      return true;
    },
  },
  {
    name: 'redis out of memory',
    async happen(context) {
      await commandRedis(context.suite, 'CONFIG', 'SET', 'maxmemory', '1');
      await away(context);
      await commandRedis(context.suite, 'CONFIG', 'SET', 'maxmemory', '0');
      return true;
    },
  },
  network('postgres', cut, 'connections cut'),
  network('postgres', refuse, 'out of reach'),
  network('postgres', blackHole, 'black hole'),
  network('postgres', slow, 'slow'),
  {
    name: 'postgres restarted',
    async happen({ suite, random }) {
      await sleep(random.between(50, 500));
      await suite.stack.postgres.stop();
      await sleep(random.between(100, 2_000));
      await suite.stack.postgres.start();
      return true;
    },
  },
  network('vectors', refuse, 'out of reach'),
  network('vectors', blackHole, 'black hole'),
  network('vectors', slow, 'slow'),
  network('vectors', cut, 'connections cut'),
  {
    name: 'vectors collection lost',
    async happen({ suite, random }) {
      await sleep(random.between(50, 900));
      if (suite.index === 'qdrant') suite.qdrant.clear();
      else await suite.query('TRUNCATE memory_vectors, memory_vector_versions');
      return true;
    },
  },
  network('model', refuse, 'out of reach', { reachesModel: true }),
  network('model', blackHole, 'black hole', { reachesModel: true }),
  network('model', cut, 'connections cut', { reachesModel: true }),
  model('429 with retry-after', { kind: 'rate-limit', retryAfterSeconds: 1 }),
  model('429 for the spend limit', { kind: 'spend-limit' }),
  ...[500, 502, 503, 529].map((status) => model(String(status), { kind: 'status', status })),
  model('without a first byte', { kind: 'hang' }),
  model('slow stream', { kind: 'slow', pieceMs: 60 }),
  model('cut stream', { kind: 'cut', afterPieces: 2 }),
  model('error after 200', { kind: 'error-after-200', afterPieces: 2 }),
  model('empty', { kind: 'empty' }),
  model('truncated JSON', { kind: 'truncated-json' }),
  model('wrong shape', { kind: 'status', status: 200, body: { unexpected: true } }),
  model('10 MB', { kind: 'huge', characters: 10_000_000 }),
  model('no UTF-8', { kind: 'garbage' }),
  model('endless tool loop', {
    kind: 'reply',
    reply: { toolCalls: [{ name: 'search_memory', arguments: { query: 'again' } }] },
  }),
  discord('cut', ({ suite }) => suite.discord.gateway.cut(4000)),
  discord('cable pulled', ({ suite }) => suite.discord.gateway.pullCable()),
  discord('op 7', ({ suite }) => suite.discord.gateway.askToReconnect()),
  discord('op 9 true', ({ suite }) => suite.discord.gateway.invalidate(true)),
  discord('op 9 false', ({ suite }) => suite.discord.gateway.invalidate(false)),
  discord('sessions forgotten', ({ suite }) => {
    suite.discord.gateway.forgetSessions();
    suite.discord.gateway.pullCable();
  }),
  discord('zombie', async ({ suite }) => {
    suite.discord.gateway.acknowledge(false);
    await sleep(5_000);
    suite.discord.gateway.acknowledge(true);
  }),
  network('discord', refuse, 'out of reach'),
  network('discord', blackHole, 'black hole'),
  discord('429', ({ suite, random }) =>
    suite.discord.rateLimit({ ...CREATE_MESSAGE, retryAfterMs: random.between(200, 1_500), times: 2 }),
  ),
  discord('500', ({ suite }) => suite.discord.fail({ ...CREATE_MESSAGE, status: 500, times: 2 })),
  discord('403', ({ suite }) => suite.discord.fail({ ...CREATE_MESSAGE, status: 403, code: 50013 }), {
    mayFailDelivery: true,
  }),
  discord(
    'DMs closed',
    async ({ suite, traffic, random }) => {
      const user = traffic.anyDiscordPerson(random);
      suite.discord.closeDms(user);
      await sleep(2_000);
      suite.discord.closeDms(user, false);
    },
    { mayFailDelivery: true },
  ),
  discord('lost answers', ({ suite, random }) =>
    suite.discord.loseAnswer({ ...CREATE_MESSAGE, times: random.between(1, 3) }),
  ),
  {
    name: 'duplicate events',
    async happen({ suite, traffic, random, round }) {
      for (let message = 0; message < 3; message++) {
        const entry = traffic.dm(round, traffic.anyDiscordPerson(random), random);
        const times = random.between(1, 4);
        for (let time = 0; time < times; time++) {
          await sleep(random.between(0, 200));
          suite.discord.redeliver(traffic.messageOf(entry));
        }
      }
      return true;
    },
  },
  {
    name: 'events out of order',
    async happen({ suite, traffic, random, round }) {
      for (let time = 0; time < 3; time++) {
        const release = suite.discord.withholdEvents();
        for (let message = random.between(2, 4); message > 0; message--) {
          const user = traffic.anyDiscordPerson(random);
          if (random.chance(0.5)) traffic.dm(round, user, random);
          else traffic.inChannel(round, user, random);
          await sleep(random.between(0, 150));
        }
        release();
        await sleep(random.between(100, 600));
      }
      return true;
    },
  },
  {
    name: 'late repeats',
    async happen({ suite, traffic, random, round }) {
      const entries: LedgerEntry[] = Array.from({ length: 3 }, () =>
        traffic.dm(round, traffic.anyDiscordPerson(random), random),
      );
      await sleep(1_500);
      for (const entry of random.shuffled(entries)) suite.discord.redeliver(traffic.messageOf(entry));
      return true;
    },
  },
  {
    name: 'flood by one member',
    async happen({ traffic, random, round }) {
      const user = traffic.anyDiscordPerson(random);
      const count = random.chance(1 / 7) ? 1_000 : 100;
      for (let number = 0; number < count; number++) {
        traffic.dm(round, user, random);
        if (number % 50 === 49) await sleep(20);
      }
      return true;
    },
  },
  {
    name: 'edit before the reply',
    reachesModel: true,
    async happen({ suite, traffic, random, round }) {
      await whileThinking(suite, async () => {
        const entry = traffic.dm(round, traffic.anyDiscordPerson(random), random);
        await sleep(random.between(50, 700));
        entry.edits += 1;
        const message = traffic.messageOf(entry);
        suite.discord.edit(message, `${message.content} And I changed my mind.`);
        await sleep(600);
      });
      return true;
    },
  },
  {
    name: 'deletion before the reply',
    reachesModel: true,
    async happen({ suite, traffic, random, round }) {
      await whileThinking(suite, async () => {
        const entry = traffic.dm(round, traffic.anyDiscordPerson(random), random);
        await sleep(random.between(50, 700));
        entry.takenBack = true;
        suite.discord.remove(traffic.messageOf(entry));
        await sleep(600);
      });
      return true;
    },
  },
  ...(['gateway', 'discord-bot'] as const).map((service): Fault => ({
    name: `kill ${service} while replies are shown`,
    kills: service,
    reachesModel: true,
    async happen({ suite, traffic, random, round }) {
      // Slow enough to be shown while they are written.
      suite.model.always({ kind: 'slow', pieceMs: 700 });
      for (let message = 0; message < 3; message++) {
        traffic.dm(round, traffic.anyDiscordPerson(random), random);
      }
      await sleep(random.between(1_800, 3_000));
      await killAndWait(suite, service, 'SIGKILL');
      suite.model.always(null);
      return true;
    },
  })),
  ...(['gateway', 'memory', 'discord-bot'] as const).map((service): Fault => ({
    name: `clock of ${service} jumps`,
    async happen({ suite, random }) {
      await suite.moveClock(service, random.pick([-3_600_000, 3_600_000, 90_000]));
      await sleep(1_500);
      await suite.moveClock(service, 0);
      return true;
    },
  })),
];
