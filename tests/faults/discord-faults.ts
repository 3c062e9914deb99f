import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault, FaultContext } from './fault.ts';
import type { FaultSuite } from './fault-suite.ts';
import type { LedgerEntry } from './ledger.ts';
import { blackHole, network, refuse } from './network-faults.ts';

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

/** Discord’s connection and answers, and what its people do at awkward times. */
export const DISCORD_FAULTS: readonly Fault[] = [
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
];
