import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { Controller, Module, type DynamicModule, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import {
  AppError,
  gatewayContract,
  jobsContract,
  memoryContract,
  outreachContract,
  personalityContract,
  type CompanionView,
  type MemoryView,
  type PayloadOutput,
  type ReadTurn,
  type RecurringJobName,
  type RequestOutput,
  type TaskView,
  type RequestInput,
} from '@kith/contracts';
import { Handles, Messenger, MessagingModule, StreamsServer } from '@kith/messaging';
import { DegradedStates, HealthChecks, hostModule } from '@kith/service-host';
import { readSettings } from '@kith/service-host/settings';
import { eventually, freshStores, type FreshStores, PATIENCE_MS } from '@kith/testing';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { appModule } from '../app.module.js';
import { settings } from '../config.js';

type Order<Contract extends keyof typeof gatewayContract> = (typeof gatewayContract)[Contract];

const logger = pino({ level: 'silent' });
export const companion: CompanionView = {
  id: 'mira',
  name: 'Mira',
  tagline: 'listens',
  description: 'A companion.',
  traits: { openness: 0.5, conscientiousness: 0.5, extraversion: 0.5, agreeableness: 0.5, stability: 0.5 },
  timeZone: 'UTC',
  version: 1,
};

interface Said {
  personId: string;
  text: string;
  at: string;
  /** The attempt of an outreach. */
  attemptId?: string;
  endedAt: Date;
}

/** Requests to the other services, and the person's texts of each turn. */
export const others = {
  said: new Map<string, Said>(),
  reachOuts: [] as PayloadOutput<Order<'reachOut'>>[],
  consolidations: [] as PayloadOutput<typeof memoryContract.consolidate>[],
  reflections: [] as PayloadOutput<typeof personalityContract.reflect>[],
  retains: 0,
  heartbeats: [] as PayloadOutput<Order<'heartbeat'>>[],
  isMemoryDown: false,
  pairs: [] as { personId: string; companionId: string }[],
  companions: [companion, { ...companion, id: 'odo', heartbeatsPerNight: 1 }],
  facts: new Map<string, MemoryView[]>(),
  /** Tasks that memory has; null while it does not answer. */
  tasks: [] as TaskView[] | null,
  /** Messages that people have forgotten. */
  forgotten: new Set<string>(),
  playUrgency: 0,
  /** People who talk in private. */
  private: new Set<string>(),
};

/** Gateway, memory and personality, seen from here. */
@Controller()
class OtherServices {
  @Handles(gatewayContract.readTurns)
  onReadTurns({ turnIds }: RequestOutput<Order<'readTurns'>>) {
    return { turns: turnIds.map((turnId) => this.turn(turnId)) };
  }

  private turn(turnId: string): ReadTurn {
    const { personId, text, at, attemptId, endedAt } = others.said.get(turnId)!;
    return {
      turnId,
      personId,
      conversationId: randomUUID(),
      companionId: 'mira',
      displayName: 'Ada',
      door: 'http' as const,
      audience: 'direct',
      outcome: 'answered' as const,
      origin: attemptId === undefined ? 'message' : 'outreach',
      attemptId,
      endedAt: endedAt.toISOString(),
      messages: [
        { role: 'person' as const, personId, externalId: 'm1', text, at },
        {
          role: 'companion' as const,
          personId: null,
          externalId: null,
          text: 'remind me in 1 hour to reply',
          at,
        },
      ],
    };
  }

  @Handles(gatewayContract.isBusy)
  onIsBusy() {
    return { busy: false, answeredAt: null };
  }

  @Handles(memoryContract.tasks)
  onTasks() {
    if (!others.tasks) throw new AppError('unavailable', 'memory is down');
    return { tasks: others.tasks };
  }

  @Handles(memoryContract.whyNotNoted)
  onWhyNotNoted({ sources }: RequestOutput<typeof memoryContract.whyNotNoted>) {
    const left = sources.filter((source) => !others.forgotten.has(source));
    return { why: left.length < sources.length ? 'it was forgotten meanwhile' : null, sources: left };
  }

  @Handles(memoryContract.dueTasks)
  onDueTasks() {
    return { tasks: [] };
  }

  @Handles(memoryContract.active)
  onActive({ companionId }: RequestOutput<typeof memoryContract.active>) {
    if (others.isMemoryDown) throw new AppError('unavailable', 'memory is down');
    const pairs = others.pairs.filter((pair) => pair.companionId === companionId);
    return { personIds: pairs.map(({ personId }) => personId) };
  }

  @Handles(memoryContract.list)
  onList({ personId, companionId = 'mira' }: RequestOutput<typeof memoryContract.list>) {
    const memories = (others.facts.get(personId) ?? []).map((fact) => ({ ...fact, companionId }));
    return { memories, nextCursor: null, total: memories.length };
  }

  @Handles(memoryContract.wasPrivate)
  onWasPrivate({ turns }: RequestOutput<typeof memoryContract.wasPrivate>) {
    return { wasPrivate: turns.map(({ personId }) => others.private.has(personId)) };
  }

  @Handles(personalityContract.companions)
  onCompanions() {
    return { companions: others.companions };
  }

  @Handles(personalityContract.needs)
  onNeeds() {
    return { needs: [{ need: 'play' as const, level: 0.9, urgency: others.playUrgency }] };
  }

  @Handles(gatewayContract.reachOut)
  async onReachOut(order: PayloadOutput<Order<'reachOut'>>) {
    others.reachOuts.push(order);
  }

  @Handles(gatewayContract.heartbeat)
  async onHeartbeat(order: PayloadOutput<Order<'heartbeat'>>) {
    others.heartbeats.push(order);
  }

  @Handles(gatewayContract.retain)
  async onRetain() {
    others.retains += 1;
  }

  @Handles(memoryContract.consolidate)
  async onConsolidate(order: PayloadOutput<typeof memoryContract.consolidate>) {
    others.consolidations.push(order);
  }

  @Handles(personalityContract.reflect)
  async onReflect(order: PayloadOutput<typeof personalityContract.reflect>) {
    others.reflections.push(order);
  }
}

function hostDouble(): DynamicModule {
  const metrics = new Registry();
  const states = new DegradedStates(metrics);
  return hostModule({ checks: new HealthChecks('proactive-scheduler'), states, metrics, logger });
}

@Module({ controllers: [OtherServices] })
class Others {}

export let stores: FreshStores;
export let scheduler: INestApplicationContext;
export let rest: INestApplicationContext;
export let messenger: Messenger;

async function start(group: string, module: DynamicModule | typeof Others) {
  @Module({
    imports: [
      hostDouble(),
      MessagingModule.forRoot({ service: group, redisUrl: stores.redisUrl, logger }),
      module,
    ],
  })
  class Root {}
  const strategy = new StreamsServer({ redisUrl: stores.redisUrl, group, logger });
  const app = await NestFactory.createMicroservice<MicroserviceOptions>(Root, { strategy, logger: false });
  askPatiently(app.get(Messenger));
  await app.listen();
  return app;
}

/** Has a service wait for its answers as long as a test does: on a loaded machine they may be late. */
function askPatiently(messenger: Messenger): void {
  const ask = messenger.ask.bind(messenger);
  messenger.ask = (contract, request, how) => ask(contract, request, { timeoutMs: PATIENCE_MS, ...how });
}

function startScheduler(over: Readonly<Record<string, string>> = {}) {
  const config = readSettings(settings, {
    REDIS_URL: stores.redisUrl,
    DATABASE_URL: stores.databaseUrl,
    OUTREACH_SCAN_EVERY_MS: '1000',
    ...over,
  });
  return start('proactive-scheduler', appModule(config));
}

/** Starts the stores, the scheduler, and the other services. */
export async function openScheduler(): Promise<void> {
  stores = await freshStores();
  rest = await start('others', Others);
  scheduler = await startScheduler();
  messenger = rest.get(Messenger);
}

/** Ends what was started. */
export async function closeScheduler(): Promise<void> {
  await scheduler.close();
  await rest.close();
  await stores.stop();
}

/** Starts the scheduler anew with further settings. */
export async function restartScheduler(over?: Readonly<Record<string, string>>): Promise<void> {
  await scheduler.close();
  scheduler = await startScheduler(over);
}

/** Has a job run, and waits for the end of a run that begins after this. One that is under way takes no other order. */
export async function runOf(name: RecurringJobName): Promise<void> {
  const since = new Date();
  await eventually(`a run of ${name}`, async () => {
    await messenger.enqueue(jobsContract.recur, { name, asked: true });
    const ended = 'SELECT 1 FROM recurring_jobs WHERE name = $1 AND last_started_at >= $2';
    return (await stores.query(ended, [name, since])).length === 1;
  });
}

/** Has a job run until it has done something: an order that meets another run under way does nothing. */
export function runUntil<T>(
  name: RecurringJobName,
  what: string,
  check: () => Promise<T | false> | T | false,
): Promise<T> {
  return eventually(what, async () => {
    const done = await check();
    if (done === false) await messenger.ask(jobsContract.steer, { name, action: 'run' });
    return done;
  });
}

/** Has it decided whom to write to three times over, and waits for the end of each. */
export async function severalScans(): Promise<void> {
  for (let scan = 0; scan < 3; scan += 1) await runOf('outreach');
}

export async function say(
  text: string,
  personId: string = randomUUID(),
  saidAt = new Date(),
): Promise<string> {
  await endTurn({ personId, text, at: saidAt.toISOString(), endedAt: saidAt });
  return personId;
}

export async function endTurn(said: Said): Promise<string> {
  const turnId = randomUUID();
  others.said.set(turnId, said);
  await messenger.enqueue(outreachContract.notice, { turnIds: [turnId] });
  return turnId;
}

export const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

// Their day is half over, whenever this runs: what was due a minute ago was due today.
const hoursOff = new Date().getUTCHours() - 12;
const wideAwake = {
  optedIn: true,
  quietFrom: '00:00',
  quietUntil: '00:00',
  timeZone: `UTC${hoursOff > 0 ? '-' : '+'}${Math.abs(hoursOff)}`,
};
export const overview = (personId: string) => messenger.ask(outreachContract.settings, { personId });

/** Has a person allow outreach, at any hour. */
export const allow = (personId: string) =>
  messenger.ask(outreachContract.change, { personId, change: wideAwake });

/** Has what a person is to be written about forgotten, as far as the order names it. */
export const forget = (personId: string, over: Partial<RequestInput<typeof outreachContract.forget>>) =>
  messenger.ask(outreachContract.forget, {
    orderId: randomUUID(),
    personId,
    companionId: null,
    turnIds: [],
    messageIds: [],
    memoryIds: [],
    before: null,
    undoUntil: null,
    isReread: false,
    ...over,
  });

/** Has people say something, and waits until it was heard. */
export async function hello(): Promise<string> {
  const personId = await say('hello');
  await eventually('they spoke', async () => {
    const spoke = 'SELECT 1 FROM outreach_settings WHERE last_companion_id IS NOT NULL AND person_id = $1';
    return (await stores.query(spoke, [personId])).length === 1;
  });
  return personId;
}
