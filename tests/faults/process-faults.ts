import { setTimeout as sleep } from 'node:timers/promises';
import { SERVICES, type ServiceName } from '@kith/embedded';
import type { Fault } from './fault.ts';
import type { FaultSuite } from './fault-suite.ts';

/** Kills a process at a named step of a message's way. */
function killAt(service: ServiceName, step: string): Fault {
  return {
    name: `kill ${service} at ${step}`,
    kills: service,
    mayMiss: 'step',
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
      return killAndWait(suite, service, signal);
    },
  };
}

/** Waits until it is gone, at its own pace where it is asked to go. Returns whether it is. */
async function killAndWait(
  suite: FaultSuite,
  service: ServiceName,
  signal: NodeJS.Signals,
): Promise<boolean> {
  const { pid } = suite.stack.service(service);
  suite.stack.service(service).kill(signal);
  const deadline = performance.now() + 30_000;
  while (suite.stack.service(service).pid === pid && performance.now() < deadline) await sleep(10);
  return suite.stack.service(service).pid !== pid;
}

/** Waits until the service can be talked to, for as long at most. */
export async function untilReady(suite: FaultSuite, service: ServiceName, withinMs = 30_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (performance.now() < deadline && !(await suite.stack.service(service).health())?.ready)
    await sleep(50);
}

/** Services that die, are restarted, freeze, or lose the time. */
export const PROCESS_FAULTS: readonly Fault[] = [
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
    restartsProcesses: true,
    async happen({ suite }) {
      for (const { name } of SERVICES) {
        if (!(await killAndWait(suite, name, 'SIGTERM'))) return false;
        await untilReady(suite, name);
      }
      return true;
    },
  },
  {
    // Whoever works on it dies of it, three times over: its person gets the apology, and all others their answers.
    name: 'kill by poison',
    restartsProcesses: true,
    reachesModel: true,
    setsAside: 1,
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
      const isGone = await killAndWait(suite, service, 'SIGKILL');
      suite.model.always(null);
      return isGone;
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
