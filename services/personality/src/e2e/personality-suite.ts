import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import {
  Controller,
  Module,
  type DynamicModule,
  type INestApplicationContext,
  type Type,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import {
  gatewayContract,
  memoryContract,
  personalityContract,
  type PayloadOutput,
  type ReadTurn,
  type RequestOutput,
} from '@kith/contracts';
import { Handles, Messenger, MessagingModule, StreamsServer } from '@kith/messaging';
import { DegradedStates, HealthChecks, hostModule } from '@kith/service-host';
import { readSettings } from '@kith/service-host/settings';
import { eventually, freshStores, type FreshStores, ifStarted } from '@kith/testing';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { appModule } from '../app.module.js';
import { settings } from '../config.js';

const logger = pino({ level: 'silent' });

export interface SaidTurn {
  personId: string;
  text: string;
  at: string;
  audience: string;
  reply: string;
  companionId?: string;
}

export const messageOf = (turnId: string): string => `message-${turnId}`;

/** Texts of each turn, and the moods that were announced. */
export const gateway = {
  said: new Map<string, SaidTurn>(),
  moods: [] as PayloadOutput<typeof personalityContract.moodChanged>[],
  /** Runs once these turns were read, before they are answered. */
  onRead: undefined as ((turnIds: string[]) => Promise<void>) | undefined,
};

/** People who talk in private, and what its answers wait for. */
export const memory = { private: new Set<string>(), asked: 0, answersAfter: Promise.resolve<unknown>(null) };

@Controller()
class GatewayDouble {
  @Handles(gatewayContract.readTurns)
  async onReadTurns({ turnIds }: RequestOutput<typeof gatewayContract.readTurns>) {
    const turns = turnIds.filter((turnId) => gateway.said.has(turnId)).map((turnId) => this.turn(turnId));
    await gateway.onRead?.(turnIds);
    return { turns };
  }

  private turn(turnId: string): ReadTurn {
    const { personId, text, at, audience, reply, companionId = 'mira' } = gateway.said.get(turnId)!;
    return {
      turnId,
      personId,
      conversationId: personId,
      companionId,
      displayName: 'Ana',
      door: 'http' as const,
      audience,
      outcome: 'answered' as const,
      origin: 'message' as const,
      endedAt: at,
      messages: [
        { role: 'person' as const, personId, externalId: messageOf(turnId), text, at },
        { role: 'companion' as const, personId: null, externalId: null, text: reply, at },
      ],
    };
  }

  @Handles(personalityContract.moodChanged)
  async onMoodChanged(event: PayloadOutput<typeof personalityContract.moodChanged>) {
    gateway.moods.push(event);
  }
}

function hostDouble(): DynamicModule {
  const metrics = new Registry();
  const states = new DegradedStates(metrics);
  return hostModule({ checks: new HealthChecks('personality'), states, metrics, logger });
}

@Controller()
class MemoryDouble {
  @Handles(memoryContract.wasPrivate)
  async onWasPrivate({ turns }: RequestOutput<typeof memoryContract.wasPrivate>) {
    memory.asked += 1;
    await memory.answersAfter;
    return { wasPrivate: turns.map(({ personId }) => memory.private.has(personId)) };
  }
}

@Module({ controllers: [GatewayDouble, MemoryDouble] })
class Gateway {}

/** Hours before now. */
export const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);

/** A day of the companion's, where it lives by UTC. */
export const utcDay = (day: string) => {
  const from = `${day}T00:00:00.000Z`;
  return { companionId: 'mira', day, from, to: new Date(Date.parse(from) + 24 * 3_600_000).toISOString() };
};

/** An order to forget messages, for good. */
export function forgetting(personId: string, messageIds: string[]) {
  return {
    orderId: randomUUID(),
    personId,
    companionId: 'mira',
    messageIds,
    turnIds: [],
    memoryIds: [],
    before: null,
    undoUntil: null,
    isReread: false,
  };
}

/** The service as `main.ts` starts it, on stores of its own, with doubles of those it asks. */
export class PersonalitySuite {
  stores!: FreshStores;
  service!: INestApplicationContext;
  messenger!: Messenger;
  private others!: INestApplicationContext;

  async start(): Promise<void> {
    this.stores = await freshStores();
    this.others = await this.host('gateway', Gateway);
    this.service = await this.startService();
    this.messenger = this.others.get(Messenger);
    await eventually('companions registered', () =>
      this.messenger.ask(personalityContract.companions, {}).catch(() => null),
    );
  }

  /** The application under the given settings. */
  startService(environment: Record<string, string> = {}) {
    const { redisUrl, databaseUrl } = this.stores;
    const variables = { REDIS_URL: redisUrl, DATABASE_URL: databaseUrl, DATABASE_POOL_SIZE: '6' };
    return this.host('personality', appModule(readSettings(settings, { ...variables, ...environment })));
  }

  /** Forgets what was felt, between two tests. */
  async empty(): Promise<void> {
    gateway.moods.length = 0;
    await this.stores.query(
      'TRUNCATE moods, needs, felt_turns, affect_events, relationships, self_notes, personality_handled_turns, reflections, quirks, quirk_sources, diary_entries, diary_sources, shared_jokes, prospects',
    );
  }

  async stop(): Promise<void> {
    await ifStarted(this.service)?.close();
    await ifStarted(this.others)?.close();
    await ifStarted(this.stores)?.stop();
  }

  /** Notes a turn that the gateway can be asked for. Answers its id. */
  readonly turnOf = (
    personId: string,
    text: string,
    at = new Date(),
    elsewhere: Partial<SaidTurn> = {},
  ): string => {
    const turnId = randomUUID();
    gateway.said.set(turnId, {
      personId,
      text,
      at: at.toISOString(),
      audience: 'direct',
      reply: 'you idiot',
      ...elsewhere,
    });
    return turnId;
  };

  /** Orders a turn anew once its job is done: while it is being done, the same job is not taken in again. */
  async handInAgain(turnId: string): Promise<void> {
    await eventually('the job done', async () => {
      const { active, waiting } = await this.messenger.jobs.counts(personalityContract.appraise);
      return active === 0 && waiting === 0;
    });
    await this.messenger.enqueue(personalityContract.appraise, { turnIds: [turnId] });
  }

  /** Orders the appraisal of turns, and waits until each has been recorded. */
  readonly appraise = async (...turnIds: string[]): Promise<void> => {
    const before = await this.recordedTurns();
    for (const turnId of turnIds)
      await this.messenger.enqueue(personalityContract.appraise, { turnIds: [turnId] });
    await eventually(
      `${turnIds.length} turns recorded`,
      async () => (await this.recordedTurns()) >= before + turnIds.length,
    );
  };

  readonly recordedTurns = async () => {
    const counted = 'SELECT count(*) AS n FROM personality_handled_turns';
    return Number((await this.stores.query<{ n: string }>(counted))[0]?.n);
  };

  readonly compose = (personId: string, now = new Date(), audience = 'direct') =>
    this.messenger.ask(personalityContract.compose, {
      companionId: 'mira',
      personId,
      audience,
      now: now.toISOString(),
    });

  readonly mood = (request: { personId?: string; now?: string; from?: string; to?: string } = {}) =>
    this.messenger.ask(personalityContract.mood, {
      companionId: 'mira',
      now: new Date().toISOString(),
      ...request,
    });

  private async host(group: string, module: DynamicModule | Type) {
    const { redisUrl } = this.stores;
    @Module({
      imports: [hostDouble(), MessagingModule.forRoot({ service: group, redisUrl, logger }), module],
    })
    class Root {}
    const app = await NestFactory.createMicroservice<MicroserviceOptions>(Root, {
      strategy: new StreamsServer({ redisUrl, group, logger }),
      logger: false,
      abortOnError: false,
    });
    await app.listen();
    return app;
  }
}
