import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Controller, Module, type DynamicModule, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import {
  AppError,
  CLOCKS_CHANNEL,
  DAY_MS,
  gatewayContract,
  HOUR_MS,
  jobsContract,
  memoryContract,
  outreachContract,
  personalityContract,
  present,
  type CompanionView,
  type MemoryView,
  type PayloadOutput,
  type ReadTurn,
  type RecurringJobName,
  type RequestOutput,
  type TaskView,
} from '@kith/contracts';
import { uuid7 } from '@kith/database';
import { Handles, Broadcasts, Messenger, MessagingModule, StreamsServer } from '@kith/messaging';
import { DegradedStates, HealthChecks, hostModule } from '@kith/service-host';
import { readSettings } from '@kith/service-host/settings';
import { eventually, freshStores, type FreshStores, PATIENCE_MS } from '@kith/testing';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { appModule } from './app.module.js';
import { settings } from './config.js';
import { PARTS, type Parts } from './parts.js';

type Order<Contract extends keyof typeof gatewayContract> = (typeof gatewayContract)[Contract];

const logger = pino({ level: 'silent' });
const companion: CompanionView = {
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
const others = {
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

let stores: FreshStores;
let scheduler: INestApplicationContext;
let rest: INestApplicationContext;
let messenger: Messenger;

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

beforeAll(async () => {
  stores = await freshStores();
  rest = await start('others', Others);
  scheduler = await startScheduler();
  messenger = rest.get(Messenger);
}, 60_000);

afterAll(async () => {
  await scheduler.close();
  await rest.close();
  await stores.stop();
});

/** Has a job run, and waits for the end of a run that begins after this. One that is under way takes no other order. */
async function runOf(name: RecurringJobName): Promise<void> {
  const since = new Date();
  await eventually(`a run of ${name}`, async () => {
    await messenger.enqueue(jobsContract.recur, { name, asked: true });
    const ended = 'SELECT 1 FROM recurring_jobs WHERE name = $1 AND last_started_at >= $2';
    return (await stores.query(ended, [name, since])).length === 1;
  });
}

/** Has a job run until it has done something: an order that meets another run under way does nothing. */
function runUntil<T>(
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
async function severalScans(): Promise<void> {
  for (let scan = 0; scan < 3; scan += 1) await runOf('outreach');
}

async function say(text: string, personId: string = randomUUID(), saidAt = new Date()): Promise<string> {
  await endTurn({ personId, text, at: saidAt.toISOString(), endedAt: saidAt });
  return personId;
}

async function endTurn(said: Said): Promise<string> {
  const turnId = randomUUID();
  others.said.set(turnId, said);
  await messenger.enqueue(outreachContract.notice, { turnIds: [turnId] });
  return turnId;
}

const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

// Their day is half over, whenever this runs: what was due a minute ago was due today.
const hoursOff = new Date().getUTCHours() - 12;
const wideAwake = {
  optedIn: true,
  quietFrom: '00:00',
  quietUntil: '00:00',
  timeZone: `UTC${hoursOff > 0 ? '-' : '+'}${Math.abs(hoursOff)}`,
};
const overview = (personId: string) => messenger.ask(outreachContract.settings, { personId });

describe('the scheduler among the other services', () => {
  it('brings back, once and by itself, what a person who opted in asked for', async () => {
    const anHourAgo = new Date(Date.now() - 3_600_000);
    const personId = await say('Can you check in on me in 59 minutes?', undefined, anHourAgo);
    await messenger.ask(outreachContract.change, { personId, change: wideAwake });
    const order = await eventually('the outreach is ordered', () =>
      others.reachOuts.find((one) => one.personId === personId),
    );
    expect(order.companionId).toBe('mira');
    const why = () => messenger.ask(outreachContract.reasonOf, { personId, attemptId: order.attemptId });
    expect((await why()).reason).toContain('check in on me in 59 minutes');

    const now = new Date();
    await endTurn({ personId, text: '', at: now.toISOString(), attemptId: order.attemptId, endedAt: now });
    const { recent, intentions } = await eventually('the attempt counts as sent', async () => {
      const seen = await overview(personId);
      return seen.recent[0]?.status === 'sent' && seen;
    });
    expect(recent).toMatchObject([{ id: order.attemptId }]);
    expect(await why()).toEqual({ reason: null });
    expect(intentions).toMatchObject([{ about: 'check in on me in 59 minutes', status: 'done' }]);
    expect(others.reachOuts.filter((one) => one.personId === personId)).toHaveLength(1);
  });

  it('writes to nobody who has not opted in, over several scans', async () => {
    const personId = await say('remind me in 1 minute to stretch', undefined, new Date(Date.now() - 120_000));
    await eventually('it is kept', async () => (await overview(personId)).intentions.length === 1);
    await severalScans();
    expect((await overview(personId)).intentions).toMatchObject([{ status: 'open' }]);
    expect(others.reachOuts.filter((one) => one.personId === personId)).toEqual([]);
  });

  it('lets go of a reason that was forgotten as soon as that can not be undone any more', async () => {
    const personId = await say('remind me in 2 hours to call the plumber');
    await eventually('it is kept', async () => (await overview(personId)).intentions.length === 1);
    const before = new Date(Date.now() + 1_000).toISOString();
    const forget = (undoUntil: Date) =>
      messenger.ask(outreachContract.forget, {
        orderId: randomUUID(),
        personId,
        companionId: null,
        before,
        undoUntil: undoUntil.toISOString(),
        turnIds: [],
        messageIds: [],
        memoryIds: [],
        isReread: false,
      });
    await forget(new Date(Date.now() + 3_600_000));
    const sealed = () => stores.query('SELECT row FROM outreach_sealed_rows');
    expect(await sealed()).toHaveLength(1);
    // Its hour passes, and another order is at its end by now.
    await stores.query('UPDATE outreach_sealed_rows SET until = now()');
    await forget(new Date());
    await eventually('it is gone', async () => (await sealed()).length === 0);
  });

  it('keeps nothing of private talk', async () => {
    const personId = randomUUID();
    others.private.add(personId);
    await say('remind me in 1 minute to stretch', personId);
    await say('hello there', personId);
    await eventually('both were heard', async () => {
      const [row] = await stores.query<{ heard: number }>(
        'SELECT count(*)::int AS heard FROM outreach_handled_turns WHERE person_id = $1',
        [personId],
      );
      return row?.heard === 2;
    });
    expect((await overview(personId)).intentions).toEqual([]);
  });

  it('does not talk over a conversation', async () => {
    const personId = randomUUID();
    await messenger.ask(outreachContract.change, { personId, change: wideAwake });
    await say('hello', personId);
    await eventually('it was heard', async () => {
      const [row] = await stores.query<{ last_spoke_at: Date | null }>(
        'SELECT last_spoke_at FROM outreach_settings WHERE person_id = $1',
        [personId],
      );
      return row?.last_spoke_at;
    });
    await say('remind me in 1 minute to stretch', personId, new Date(Date.now() - 120_000));
    await eventually('it is kept', async () => (await overview(personId)).intentions.length === 1);
    await severalScans();
    const { intentions, recent } = await overview(personId);
    expect([intentions.map(({ status }) => status), recent]).toEqual([['open'], []]);
  });

  it('says which turns it has not noticed yet', async () => {
    const now = new Date();
    const said = { personId: randomUUID(), text: 'hello', at: now.toISOString(), endedAt: now };
    const [turnId, unknown] = [await endTurn(said), randomUUID()];
    const answer = await eventually('it is noticed', async () => {
      const asked = await messenger.ask(outreachContract.unfinished, { turnIds: [turnId, unknown] });
      return asked.unfinished.length === 1 && asked;
    });
    expect(answer).toEqual({ unfinished: [unknown], dead: [] });
  });

  it('tells the zone of a clock, the suite’s until they name one, and everybody when it is another', async () => {
    const personId = randomUUID();
    const told: unknown[] = [];
    const stop = await rest.get(Broadcasts).subscribe(CLOCKS_CHANNEL, (payload) => told.push(payload));
    const zone = () => messenger.ask(outreachContract.timeZone, { personId });
    expect(await zone()).toEqual({ timeZone: 'UTC' });
    await messenger.ask(outreachContract.change, { personId, change: { timeZone: 'Berlin' } });
    expect(await zone()).toEqual({ timeZone: 'Europe/Berlin' });
    await eventually('everybody to be told', () => told.length > 0);
    await stop();
    expect(told).toEqual([{ tags: [personId] }]);
  });

  it('has people who named no zone go by one that the suite is given later, and tells everybody', async () => {
    // In the middle of a day in both zones: near its ends "tomorrow" is not the same day in the two.
    const saidAt = new Date(new Date(Date.now() - 12 * HOUR_MS).setUTCHours(12, 0, 0, 0));
    const personId = await say('remind me tomorrow at 18:00 to call mum', undefined, saidAt);
    const other = randomUUID();
    await messenger.ask(outreachContract.change, { personId: other, change: { timeZone: 'UTC' } });
    const dueAt = async () => (await overview(personId)).intentions[0]?.dueAt;
    const inUtc = await eventually('it is kept', dueAt);
    const told: unknown[] = [];
    const stop = await rest.get(Broadcasts).subscribe(CLOCKS_CHANNEL, (payload) => told.push(payload));
    await scheduler.close();
    scheduler = await startScheduler({ KITH_TIME_ZONE: 'Europe/Moscow' });
    await eventually('everybody to be told', () =>
      told.some((one) => isDeepStrictEqual(one, { tags: [personId] })),
    );
    await stop();
    expect((await overview(personId)).settings.timeZone).toBe('Europe/Moscow');
    expect(Date.parse(inUtc) - Date.parse((await dueAt())!)).toBe(3 * 3_600_000);
    expect((await overview(other)).settings.timeZone).toBe('UTC');
    await scheduler.close();
    scheduler = await startScheduler();
  });

  it('places by the first zone of its person, by its words, what waits as they name it, or comes back later', async () => {
    const saidAt = new Date();
    const tell = () => say('remind me the day after tomorrow at 9:00 to call mum', undefined, saidAt);
    const [waiting, forgotten] = [await tell(), await tell()];
    const dueAt = async (personId: string) => (await overview(personId)).intentions[0]?.dueAt;
    for (const personId of [waiting, forgotten]) await eventually('it is kept', () => dueAt(personId));
    const order = { orderId: randomUUID(), personId: forgotten, turnIds: [] };
    await messenger.ask(outreachContract.forget, {
      ...order,
      companionId: null,
      messageIds: [],
      memoryIds: [],
      before: new Date(Date.now() + 1_000).toISOString(),
      undoUntil: new Date(Date.now() + 60_000).toISOString(),
      isReread: false,
    });
    // Another day there than in UTC, whenever this runs.
    const [timeZone, hours] =
      saidAt.getUTCHours() < 10 ? ['Pacific/Pago_Pago', -11] : ['Pacific/Kiritimati', 14];
    for (const personId of [forgotten, waiting])
      await messenger.ask(outreachContract.change, { personId, change: { timeZone } });
    const day = Math.floor((saidAt.getTime() + hours * HOUR_MS) / DAY_MS) + 2;
    const due = new Date(day * DAY_MS + (9 - hours) * HOUR_MS).toISOString();
    await eventually('the one is placed', async () => (await dueAt(waiting)) === due);
    expect(await dueAt(forgotten)).toBeUndefined();
    await messenger.ask(outreachContract.undoForget, order);
    await eventually('the other is placed', async () => (await dueAt(forgotten)) === due);
  });

  it('refuses a zone that does not exist', async () => {
    const change = { timeZone: 'Middle/Earth' };
    await expect(
      messenger.ask(outreachContract.change, { personId: randomUUID(), change }),
    ).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('hands a day to memory and personality, the same work when told again', async () => {
    const personId = randomUUID();
    others.pairs.push({ personId, companionId: 'mira' });
    const yesterday = dayAgo(1);
    const span = { from: `${yesterday}T00:00:00.000Z`, to: `${dayAgo(0)}T00:00:00.000Z` };
    await runUntil('consolidation', 'a summary', () => others.consolidations.length > 0);
    expect(others.consolidations).toEqual([{ personId, companionId: 'mira', day: yesterday, ...span }]);
    await runUntil('reflection', 'both companions', () => others.reflections.length === 2);
    expect(others.reflections.map(({ companionId }) => companionId).sort()).toEqual(['mira', 'odo']);
    const at = `${yesterday}T12:00:00.000Z`;
    others.consolidations.length = 0;
    await messenger.enqueue(jobsContract.consolidateAgain, { personId, companionId: 'odo', at });
    await eventually('the day of that time, again', () => others.consolidations.length > 0);
    expect(others.consolidations).toEqual([{ personId, companionId: 'odo', day: yesterday, ...span }]);
  });

  it('lets companions that think by themselves do so, over as many as they may', async () => {
    const [one, two] = [randomUUID(), randomUUID()];
    for (const personId of [one, two]) others.pairs.push({ personId, companionId: 'odo' });
    const of = (companionId: string) =>
      others.heartbeats.filter((order) => order.companionId === companionId);
    const [order] = await runUntil('heartbeat', 'an order', () => of('odo').length > 0 && of('odo'));
    expect([one, two]).toContain(order!.personId);
    expect(order).toMatchObject({ companionId: 'odo', day: dayAgo(1), why: 'day' });
    await severalScans();
    expect(of('odo')).toHaveLength(1);
    // One whose persona does not say thinks of a few.
    expect(of('mira').length).toBeLessThanOrEqual(3);
  });

  it('keeps what a companion thought of, for who allows it, once and within the year', async () => {
    const personId = randomUUID();
    const intend = (days: number) =>
      messenger.ask(outreachContract.intend, {
        personId,
        companionId: 'odo',
        about: 'how the exam went',
        at: new Date(Date.now() + days * 86_400_000).toISOString(),
      });
    expect(await intend(2)).toEqual({ kept: false, why: 'they have not allowed you to write first' });
    await messenger.ask(outreachContract.change, { personId, change: wideAwake });
    expect((await intend(-1)).kept).toBe(false);
    expect((await intend(500)).kept).toBe(false);
    expect(await intend(2)).toEqual({ kept: true, why: null });
    expect(await intend(3)).toEqual({ kept: false, why: 'that is kept already' });
    expect((await overview(personId)).intentions).toMatchObject([
      { about: 'how the exam went', kind: 'interest' },
    ]);
    // It was thought of in private talk: no channel that they allow may hear of it.
    expect(await stores.query('SELECT audience FROM intentions WHERE person_id = $1', [personId])).toEqual([
      { audience: 'direct' },
    ]);
  });

  it('forgets what a companion thought of with any message that it came from', async () => {
    const personId = randomUUID();
    await messenger.ask(outreachContract.change, { personId, change: wideAwake });
    const at = new Date(Date.now() + 2 * 86_400_000).toISOString();
    const intend = (about: string, messageIds: string[]) =>
      messenger.ask(outreachContract.intend, { personId, companionId: 'odo', about, at, messageIds });
    await intend('how the test went', ['m1', 'm2']);
    await intend('how the garden does', ['m3']);
    await intend('how the boat does', ['m4']);
    await messenger.ask(outreachContract.forget, {
      orderId: randomUUID(),
      personId,
      companionId: null,
      turnIds: [],
      messageIds: ['m2'],
      memoryIds: [],
      before: null,
      undoUntil: null,
      isReread: false,
    });
    const { intentions } = await overview(personId);
    expect(intentions.map(({ about }) => about).toSorted()).toEqual([
      'how the boat does',
      'how the garden does',
    ]);
  });

  it('keeps nothing of what was forgotten since a companion read it', async () => {
    const personId = randomUUID();
    await messenger.ask(outreachContract.change, { personId, change: wideAwake });
    const at = new Date(Date.now() + 2 * 86_400_000).toISOString();
    const thought = { personId, companionId: 'odo', about: 'how the test went', at };
    others.forgotten.add('gone');
    const late = await messenger.ask(outreachContract.intend, { ...thought, messageIds: ['there', 'gone'] });
    expect(late).toEqual({ kept: false, why: 'it was forgotten meanwhile' });
    others.tasks = [];
    const ofTask = { ...thought, messageIds: ['there'], taskId: randomUUID() };
    expect(await messenger.ask(outreachContract.intend, ofTask)).toMatchObject({ kept: false });
    expect((await overview(personId)).intentions).toEqual([]);
  });

  describe('reminds of a task', () => {
    const id = randomUUID();
    const reminded = async (task: TaskView) => {
      const personId = randomUUID();
      await messenger.ask(outreachContract.change, { personId, change: wideAwake });
      others.tasks = [task];
      const reason = { personId, companionId: 'odo', about: task.text, messageIds: [], taskId: id };
      await messenger.ask(outreachContract.intend, { ...reason, at: inSeconds(60) });
      const due = 'UPDATE intentions SET due_at = $2 WHERE person_id = $1';
      await stores.query(due, [personId, present(task.dueAt)]);
      await severalScans();
      const { attemptId } = await eventually('the outreach is ordered', () =>
        others.reachOuts.find((one) => one.personId === personId),
      );
      return { personId, attemptId };
    };
    const taskDue = (dueAt: string): TaskView => ({
      id,
      companionId: 'odo',
      audience: 'direct',
      number: 1,
      text: 'book the dentist',
      state: 'open',
      priority: 2,
      dueAt,
      waitsFor: null,
      notedBy: 'companion',
      sources: [],
      createdAt: dueAt,
      updatedAt: dueAt,
    });
    const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();
    const LATER = inSeconds(8 * 3_600);

    it.each<[string, (task: TaskView) => TaskView[] | null, 'written' | 'over' | 'later']>([
      ['that is open', (task) => [{ ...task, id: randomUUID(), state: 'done' }, task], 'written'],
      ['that waits', (task) => [{ ...task, state: 'waiting' }], 'written'],
      ['also while memory does not answer', () => null, 'written'],
      ['no more once it is done', (task) => [{ ...task, state: 'done' }], 'over'],
      ['at its new time once it is put off', (task) => [{ ...task, dueAt: LATER }], 'later'],
      ['no more once it is never due', (task) => [{ ...task, dueAt: null }], 'over'],
      ['no more once it is gone', () => [], 'over'],
    ])('%s', async (_, become, outcome) => {
      const task = taskDue(inSeconds(-1));
      const { personId, attemptId } = await reminded(task);
      others.tasks = become(task);
      const why = await messenger.ask(outreachContract.reasonOf, { personId, attemptId });
      expect(why.reason?.includes(task.text) ?? false).toBe(outcome === 'written');
      const { allowed } = await messenger.ask(outreachContract.mayArrive, { personId, attemptId });
      expect(allowed).toBe(outcome === 'written');
      await severalScans();
      expect(others.reachOuts.filter((one) => one.personId === personId)).toHaveLength(1);
      const { recent, intentions } = await overview(personId);
      expect(recent).toMatchObject([{ sources: ['thought'] }]);
      const open = intentions.filter(({ status }) => status === 'open');
      expect(open.map((one) => one.dueAt)).toEqual(outcome === 'later' ? [LATER] : []);
    });

    it.each<[string, Partial<TaskView>]>([
      ['done', { state: 'done' }],
      ['put off', { dueAt: LATER }],
    ])('once its turn told it, though the companion noted it as %s there', async (_, change) => {
      const task = taskDue(inSeconds(-1));
      const attempt = await reminded(task);
      const [endedAt, writtenAt] = [inSeconds(1), inSeconds(2)];
      others.tasks = [{ ...task, ...change, updatedAt: endedAt }];
      const mayArrive = async (request: object) =>
        (await messenger.ask(outreachContract.mayArrive, { ...attempt, ...request })).allowed;
      expect(await mayArrive({ writtenAt })).toBe(true);
      others.tasks = [{ ...task, ...change, updatedAt: inSeconds(3) }];
      expect(await mayArrive({ writtenAt })).toBe(false);
    });

    it('no more once they asked for silence in a turn that no job has read yet', async () => {
      const attempt = await reminded(taskDue(inSeconds(-1)));
      const mayArrive = async (spokenIn: string[]) =>
        (await messenger.ask(outreachContract.mayArrive, { ...attempt, spokenIn })).allowed;
      expect(await mayArrive([])).toBe(true);
      const { personId } = attempt;
      const [turnId, endedAt] = [randomUUID(), new Date()];
      others.said.set(turnId, { personId, text: 'Stop messaging me.', at: endedAt.toISOString(), endedAt });
      expect(await mayArrive([turnId])).toBe(false);
      expect((await overview(personId)).settings).toMatchObject({ optedIn: false });
    });
  });

  it('tells its person of an attempt without the messages that it came from', async () => {
    const personId = randomUUID();
    await messenger.ask(outreachContract.change, { personId, change: wideAwake });
    await stores.query(
      `INSERT INTO outreach_attempts (id, person_id, companion_id, kind, reason, sources, decided_at)
       VALUES (gen_random_uuid(), $1, 'odo', 'interest', 'it was thought of', '{thought,message:m 1}', now())`,
      [personId],
    );
    expect((await overview(personId)).recent).toMatchObject([{ sources: ['thought'] }]);
  });

  it('goes on listing attempts behind one that is told no more', async () => {
    const personId = randomUUID();
    const ids = [uuid7(), uuid7(), uuid7()];
    for (const id of ids)
      await stores.query(
        `INSERT INTO outreach_attempts (id, person_id, companion_id, reason, decided_at)
         VALUES ($1, $2, 'odo', 'it was thought of', now())`,
        [id, personId],
      );
    const list = async (limit: number, cursor?: string) =>
      messenger.ask(outreachContract.attempts, { personId, limit, ...(cursor !== undefined && { cursor }) });
    const { attempts, nextCursor } = await list(1);
    expect(attempts).toMatchObject([{ id: ids[2] }]);
    await stores.query('DELETE FROM outreach_attempts WHERE id = $1', [ids[2]]);
    expect((await list(2, nextCursor!)).attempts).toMatchObject([{ id: ids[1] }, { id: ids[0] }]);
  });
});

describe('something they care about', () => {
  const likes = (id: string): MemoryView => ({
    id,
    kind: 'fact',
    text: 'Ada likes bees',
    audience: 'direct',
    writer: 'model',
    importance: 5,
    saidAt: '2026-01-01T00:00:00.000Z',
    createdAt: '2026-01-01T00:00:00.000Z',
    lastRecalledAt: null,
    timesRecalled: 0,
    sources: [],
    speaker: null,
    conversation: null,
    shelf: 'open',
    shelfReason: null,
    pinned: false,
    fact: {
      attribute: 'likes:bees',
      value: 'likes',
      validFrom: '2026-01-01T00:00:00.000Z',
      validTo: null,
      isSure: true,
      wording: null,
      holdsUntil: null,
    },
  });

  it('is asked about once, only of who allows it, and only from their own memories', async () => {
    const [ada, ben] = [await say('hello'), await say('hello')];
    for (const personId of [ada, ben]) others.facts.set(personId, [likes(randomUUID())]);
    await eventually('both spoke', async () => {
      const rows = await stores.query(
        'SELECT 1 FROM outreach_settings WHERE last_companion_id IS NOT NULL AND person_id = ANY($1)',
        [[ada, ben]],
      );
      return rows.length === 2;
    });
    await messenger.ask(outreachContract.change, { personId: ada, change: wideAwake });
    await runOf('interests');
    expect((await overview(ada)).intentions).toMatchObject([
      { kind: 'interest', about: 'Ada likes bees', status: 'open' },
    ]);
    await runOf('interests');
    await severalScans();
    expect((await overview(ada)).intentions).toHaveLength(1);
    expect((await overview(ben)).intentions).toEqual([]);
    const [row] = await stores.query('SELECT sources FROM intentions WHERE person_id = $1', [ada]);
    expect(row).toEqual({ sources: [`memory:${others.facts.get(ada)![0]!.id}`] });
  });
});

describe('a need of the companion’s own', () => {
  it('is a reason where there is nothing of theirs to ask about, and it presses', async () => {
    const cid = await say('hello');
    await eventually('they spoke', async () => {
      const rows = await stores.query(
        'SELECT 1 FROM outreach_settings WHERE last_companion_id IS NOT NULL AND person_id = $1',
        [cid],
      );
      return rows.length === 1;
    });
    await messenger.ask(outreachContract.change, { personId: cid, change: wideAwake });
    await runOf('interests');
    expect((await overview(cid)).intentions).toEqual([]);
    others.playUrgency = 0.8;
    await runOf('interests');
    others.playUrgency = 0;
    expect((await overview(cid)).intentions).toMatchObject([
      { kind: 'need', about: 'some playful talk', status: 'open' },
    ]);
  });
});

describe('what recurs', () => {
  const view = async (name: RecurringJobName) =>
    (await messenger.ask(jobsContract.list, {})).jobs.find((job) => job.name === name)!;

  it('tells when it ran last, how that ended and when it comes next', async () => {
    // The next one may be due already, and wait for this process.
    const ran = await eventually('a scan, with the next one ahead', async () => {
      const job = await view('outreach');
      const isAhead = Date.parse(job.nextRunAt!) > Date.parse(job.lastStartedAt!);
      return job.lastOutcome === 'ok' && isAhead && job;
    });
    expect(ran).toMatchObject({ schedule: 'every 1 s', paused: false, lastError: null });
    expect(await view('retention')).toMatchObject({ schedule: '05:40 (UTC)' });
    expect(Date.parse((await view('retention')).nextRunAt!)).toBeGreaterThan(Date.now());
  });

  it('stands still while it is held, and runs when it is asked to all the same', async () => {
    expect(await messenger.ask(jobsContract.steer, { name: 'retention', action: 'pause' })).toMatchObject({
      paused: true,
    });
    await stores.query(
      `UPDATE recurring_jobs SET last_ok_at = NULL, last_outcome = NULL WHERE name = 'retention'`,
    );
    const before = others.retains;
    await messenger.enqueue(jobsContract.recur, { name: 'retention' });
    await severalScans();
    expect(others.retains).toBe(before);
    await messenger.ask(jobsContract.steer, { name: 'retention', action: 'run' });
    await eventually('it ran', async () => {
      const isOver = (await view('retention')).lastOutcome === 'ok';
      return isOver && others.retains === before + 1;
    });
    expect(await messenger.ask(jobsContract.steer, { name: 'retention', action: 'resume' })).toMatchObject({
      paused: false,
    });
  });

  it('lets go of what has had its time once a day, also where nothing ran at its hour', async () => {
    const { recurring } = scheduler.get<Parts>(PARTS);
    await eventually('nothing is under way', async () => (await view('retention')).lastOutcome === 'ok');
    const at = (time: string) => new Date(`2027-02-10T${time}:00Z`);
    const tick = (time: string) => recurring.run({ name: 'retention', asked: false }, at(time));
    await stores.query(
      `UPDATE recurring_jobs SET last_ok_at = '2027-02-08T05:40:00Z' WHERE name = 'retention'`,
    );
    const before = others.retains;
    for (const time of ['09:00', '09:05', '23:55']) await tick(time);
    await eventually('it ran', () => others.retains > before);
    await severalScans();
    expect(others.retains).toBe(before + 1);
  });

  it('has old talk let go of also where old outreach can not be', async () => {
    const before = others.retains;
    await stores.query('REVOKE DELETE ON intentions FROM kith_app');
    const { recurring } = scheduler.get<Parts>(PARTS);
    const run = recurring.run({ name: 'retention', asked: true }, new Date());
    await expect(run).rejects.toThrow();
    await stores.query('GRANT DELETE ON intentions TO kith_app');
    await eventually('it was asked for', () => others.retains > before);
  });

  it('goes well also where somebody whom it is about is being erased', async () => {
    const personId = await say('hello');
    await eventually('they spoke', async () => {
      const spoke = 'SELECT 1 FROM outreach_settings WHERE last_companion_id IS NOT NULL AND person_id = $1';
      return (await stores.query(spoke, [personId])).length === 1;
    });
    await messenger.ask(outreachContract.change, { personId, change: wideAwake });
    await stores.query(`INSERT INTO erasures (erased_id, asked_by) VALUES ($1, 'person')`, [personId]);
    others.playUrgency = 0.8;
    await runOf('interests');
    others.playUrgency = 0;
    expect(await view('interests')).toMatchObject({ lastOutcome: 'ok', lastError: null });
    expect((await overview(personId)).intentions).toEqual([]);
  });

  it('is noted when it fails, with the reason, and is tried again', async () => {
    others.isMemoryDown = true;
    others.companions.push({ ...companion, id: 'nell' });
    const failed = await runUntil('consolidation', 'it failed', async () => {
      const job = await view('consolidation');
      return job.lastOutcome === 'failed' && job;
    });
    expect(failed.lastError).toBe('unavailable: memory is down');
    others.isMemoryDown = false;
    await eventually('it went well', async () => (await view('consolidation')).lastOutcome === 'ok');
  });
});
