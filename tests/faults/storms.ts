import { setTimeout as sleep } from 'node:timers/promises';
import { CREATE_MESSAGE } from './discord-faults.ts';
import type { Fault } from './fault.ts';
import { toolKills } from './tool-kills.ts';

/** Replies that wait for their next try, in the storm of lost answers. */
const MAX_WAITING = 20;

/** A store that is away for minutes, while people go on talking. */
function outage(store: 'redis' | 'postgres', seconds: number): Fault {
  return {
    name: `${store} down for ${seconds} s`,
    talk: { count: Math.min(200, seconds), withinMs: seconds * 1_000 },
    async happen({ suite, traffic }) {
      traffic.persistMs = (seconds + 60) * 1_000;
      await sleep(1_000);
      await suite.stack[store].stop();
      await sleep(seconds * 1_000);
      await suite.stack[store].start();
      return true;
    },
  };
}

/** Discord is away for minutes, REST and gateway alike, while people go on talking at every door. */
function discordOutage(seconds: number): Fault {
  return {
    name: `discord down for ${seconds} s`,
    talk: { count: Math.min(200, seconds), withinMs: seconds * 1_000 },
    async happen({ suite, traffic, random, round }) {
      // A bot learns of a DM by its first message alone: one that begins in a long outage, nobody can read up.
      for (const user of traffic.discordPeople) traffic.dm(round, user, random);
      await sleep(10_000);
      await suite.networks.discord.set('refuse');
      await sleep(seconds * 1_000);
      await suite.networks.discord.set('open');
      return true;
    },
  };
}

/** One thing that goes wrong very often, or for long, by name. */
export function storm(name: string, times: number): Fault | null {
  if (name === 'duplicates') {
    return {
      name: `${times} duplicate deliveries`,
      async happen({ suite, traffic, random, round }) {
        const messages = Math.max(1, Math.round(times / 100));
        for (let number = 0; number < messages; number++) {
          const entry = traffic.dm(round, traffic.anyDiscordPerson(random), random);
          for (let copy = 0; copy < times / messages; copy++) {
            suite.discord.redeliver(traffic.messageOf(entry));
            if (copy % 10 === 9) await sleep(random.between(0, 20));
          }
        }
        return true;
      },
    };
  }
  if (name === 'tool-kills') return toolKills(times);
  if (name === 'redis-outage') return outage('redis', times);
  if (name === 'postgres-outage') return outage('postgres', times);
  if (name === 'discord-outage') return discordOutage(times);
  if (name === 'lost-answers') {
    return {
      name: `${times} sends whose answer was lost`,
      async happen({ suite, traffic, random, round }) {
        // Each message's first answer: what is lost again and again is another fault, and takes its waits.
        suite.discord.loseAnswer({ ...CREATE_MESSAGE, times, firstOfNonce: true });
        let before = suite.discord.journal.sent.length;
        const lost = before + times;
        while (before < lost) {
          // Each reply has a try to wait for: more is said when those before are on their way.
          const [open] = await suite.query<{ count: number }>(
            `SELECT count(*)::int AS count FROM outbox WHERE status = 'pending'`,
          );
          for (let number = 0; number < 6 && open!.count < MAX_WAITING; number++) {
            const user = traffic.anyDiscordPerson(random);
            if (random.chance(0.5)) traffic.dm(round, user, random);
            else traffic.inChannel(round, user, random);
          }
          await sleep(500);
          before = suite.discord.journal.sent.length;
        }
        return true;
      },
    };
  }
  return null;
}
