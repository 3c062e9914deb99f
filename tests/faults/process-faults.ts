import { setTimeout as sleep } from 'node:timers/promises';
import { SERVICES, type ServiceName } from '@kith/embedded';
import type { Fault, FaultContext } from './fault.ts';

/** Kills a process at a named step of a message's way. */
function killAt(service: ServiceName, step: string): Fault {
  return {
    name: `kill ${service} at ${step}`,
    kills: service,
    mayMiss: 'step',
    happen: (context) => dieAt(context, service, step, 6_000),
  };
}

function kill(service: ServiceName, signal: NodeJS.Signals = 'SIGKILL'): Fault {
  return {
    name: `${signal === 'SIGKILL' ? 'kill' : 'restart'} ${service}`,
    kills: service,
    async happen(context) {
      await sleep(context.random.between(50, 900));
      return killAndWait(context, service, signal);
    },
  };
}

/** Has the process die where it next comes to this step, in the time on an idle machine. Returns whether it did. */
async function dieAt(
  context: FaultContext,
  service: ServiceName,
  step: string,
  withinMs: number,
): Promise<boolean> {
  const { suite } = context;
  const { pid } = suite.stack.service(service).process;
  const isGone = () => suite.stack.service(service).process.pid !== pid;
  const callOff = await suite.armStep(service, step);
  await until(context, withinMs, isGone);
  await callOff();
  return isGone();
}

/** Waits until it is gone, at its own pace where it is asked to go. Returns whether it is. */
function killAndWait(context: FaultContext, service: ServiceName, signal: NodeJS.Signals): Promise<boolean> {
  const { suite } = context;
  const { pid } = suite.stack.service(service).process;
  suite.stack.service(service).process.kill(signal);
  return until(context, 30_000, () => suite.stack.service(service).process.pid !== pid);
}

/** Waits until the service can be talked to, for as long at most on an idle machine. */
export async function untilReady(
  context: FaultContext,
  service: ServiceName,
  withinMs = 30_000,
): Promise<void> {
  await until(context, withinMs, async () => {
    const health = await context.suite.stack.service(service).health();
    return health?.ready === true;
  });
}

/** Waits until something holds: for as long at most on an idle machine, else for as much more. Returns whether it does. */
async function until(
  { slowness }: FaultContext,
  withinMs: number,
  holds: () => boolean | Promise<boolean>,
): Promise<boolean> {
  const began = performance.now();
  while (performance.now() < began + withinMs * slowness.factor) {
    if (await holds()) return true;
    await sleep(20);
  }
  return holds();
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
    async happen(context) {
      for (const { name } of SERVICES) {
        if (!(await killAndWait(context, name, 'SIGTERM'))) return false;
        await untilReady(context, name);
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
    async happen(context) {
      const { traffic, random, round } = context;
      traffic.dm(round, traffic.anyDiscordPerson(random), random);
      for (let death = 0; death < 3; death++) {
        if (!(await dieAt(context, 'gateway', 'prompt-built', 12_000))) return false;
        await untilReady(context, 'gateway');
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
      suite.stack.service(service).process.kill('SIGSTOP');
      await sleep(random.between(2_000, 10_000));
      suite.stack.service(service).process.kill('SIGCONT');
      return true;
    },
  })),
  ...(['gateway', 'discord-bot'] as const).map((service): Fault => ({
    name: `kill ${service} while replies are shown`,
    kills: service,
    reachesModel: true,
    async happen(context) {
      const { suite, traffic, random, round } = context;
      // Slow enough to be shown while they are written.
      suite.model.always({ kind: 'slow', pieceMs: 700 });
      for (let message = 0; message < 3; message++) {
        traffic.dm(round, traffic.anyDiscordPerson(random), random);
      }
      await sleep(random.between(1_800, 3_000));
      const isGone = await killAndWait(context, service, 'SIGKILL');
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
