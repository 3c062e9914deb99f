import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, Module, type INestMicroservice } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  AppError,
  memoryContract,
  outreachContract,
  personalityContract,
  type CompanionView,
  type JobContract,
  type RequestOutput,
} from '@kith/contracts';
import { Database } from '@kith/database';
import { Handles, Messenger, MessagingModule, StreamsServer } from '@kith/messaging';
import { DegradedStates } from '@kith/service-host';
import { freshStores, type FreshStores } from '@kith/testing';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { CompanionDirectory } from '../intake/companion-directory.js';
import { composeContext } from '../answer/compose-context.js';
import { noteServices } from '../answer/degraded-notes.js';
import { OpenTurns } from './open-turns.js';
import { reopenTurns } from '../forgetting/derived-forgetter.js';
import { RecentTurns } from '../outcome/recent-turns.js';

type Asked = RequestOutput<typeof memoryContract.unfinished>;

/** Answer of memory, if any. The others have always handled everything. */
const memory = {
  unfinished: [] as string[],
  dead: [] as string[],
  down: false,
  onAsked: async (): Promise<unknown> => undefined,
};

/** Personality is down where it has no list: it takes what it is asked for a mood, and does not answer. */
const personality = { listed: 0, companions: null as CompanionView[] | null };

@Controller()
class Services {
  @Handles(memoryContract.unfinished)
  async onMemory({ turnIds }: Asked) {
    await memory.onAsked();
    if (memory.down) throw new AppError('unavailable', 'memory is down');
    return { unfinished: memory.unfinished.filter((id) => turnIds.includes(id)), dead: memory.dead };
  }

  @Handles(memoryContract.recall)
  onRecall() {
    return { memories: [], passages: [], core: [], degraded: [], tookMs: 0 };
  }

  @Handles(personalityContract.compose)
  onCompose(): Promise<never> {
    return new Promise(() => undefined);
  }

  @Handles(personalityContract.companions)
  onCompanions() {
    personality.listed += 1;
    if (!personality.companions) throw new AppError('unavailable', 'personality is down');
    return { companions: personality.companions };
  }

  @Handles(personalityContract.unfinished)
  onPersonality() {
    return { unfinished: [], dead: [] };
  }

  @Handles(outreachContract.unfinished)
  onOutreach() {
    return { unfinished: [], dead: [] };
  }
}

let stores: FreshStores;
let database: Database;
let messenger: Messenger;
let services: INestMicroservice;
let openTurns: OpenTurns;
const logger = pino({ level: 'silent' });

beforeAll(async () => {
  stores = await freshStores();
  database = new Database({ url: stores.databaseUrl, poolSize: 3 });
  const shared = { redisUrl: stores.redisUrl, logger };
  @Module({ imports: [MessagingModule.forRoot({ service: 'others', ...shared })], controllers: [Services] })
  class Root {}
  const strategy = new StreamsServer({ group: 'others', ...shared });
  services = await NestFactory.createMicroservice(Root, { strategy, logger: false });
  await services.listen();
  messenger = services.get(Messenger);
  openTurns = new OpenTurns(database, messenger, logger);
}, 60_000);
afterAll(async () => {
  await services.close();
  await database.close();
  await stores.stop();
});
beforeEach(async () => {
  Object.assign(memory, { unfinished: [], dead: [], down: false, onAsked: async () => undefined });
  await stores.query('TRUNCATE turns');
});

async function ended(count = 1, outcome = 'answered'): Promise<string[]> {
  const rows = Array.from({ length: count }, () => ({
    id: randomUUID(),
    conversationId: randomUUID(),
    personId: randomUUID(),
    companionId: 'mira',
    door: 'http',
    audience: 'direct',
    origin: 'message',
    outcome,
    degraded: [],
    trace: {},
    startedAt: new Date(0),
    endedAt: new Date(1),
  }));
  await database.asSystem((tx) => tx.turn.createMany({ data: rows }));
  return rows.map(({ id }) => id);
}
const reconcile = () => openTurns.reconcile(0);
const waiting = async (job: JobContract) => (await messenger.jobs.counts(job))['waiting'];
const stillOpen = () =>
  stores.query('SELECT turn_id, follow_up_problem FROM turns WHERE followed_up_at IS NULL');

describe('open turns', () => {
  it('are done when everyone has handled them, over any number of pages', async () => {
    await ended(1_203);
    expect(await reconcile()).toBe(0);
    expect(await stillOpen()).toEqual([]);
  });

  it('have what was lost ordered again, and nothing else', async () => {
    const [lost] = await ended();
    memory.unfinished = [lost!];
    expect(await reconcile()).toBe(1);
    expect(await waiting(memoryContract.remember)).toBe(1);
    expect(await waiting(personalityContract.appraise)).toBe(0);
    memory.unfinished = [];
    await reconcile();
    expect(await stillOpen()).toEqual([]);
  });

  it('wait for a service that is down, while turns it has no part in are done', async () => {
    const [heard] = await ended();
    await ended(1, 'silent');
    memory.down = true;
    expect(await reconcile()).toBe(0);
    expect(await stillOpen()).toEqual([{ turn_id: heard, follow_up_problem: null }]);
  });

  it('stay open where they are opened again while the services are asked', async () => {
    const [turnId] = await ended();
    memory.onAsked = () => reopenTurns(database, [turnId!]);
    await reconcile();
    expect(await stillOpen()).toMatchObject([{ turn_id: turnId }]);
    memory.onAsked = async () => undefined;
    await reconcile();
    expect(await stillOpen()).toEqual([]);
  });

  it('carry the name of what was given up until it has worked', async () => {
    const [turnId] = await ended();
    Object.assign(memory, { unfinished: [turnId], dead: [turnId] });
    expect(await reconcile()).toBe(0);
    expect(await stillOpen()).toEqual([{ turn_id: turnId, follow_up_problem: 'given up: remember' }]);
    Object.assign(memory, { unfinished: [], dead: [] });
    await reconcile();
    expect(
      await stores.query('SELECT follow_up_problem FROM turns WHERE followed_up_at IS NOT NULL'),
    ).toEqual([{ follow_up_problem: null }]);
  });
});

describe('without personality', () => {
  it('one turn waits for it, and the next ones only look whether it is back', async () => {
    const states = new DegradedStates(new Registry(), { probeEveryMs: 60_000 });
    const parts = {
      messenger,
      recent: new RecentTurns(),
      states,
      prefetcher: { take: () => null, toldSince: () => undefined, moodWith: () => undefined },
      clocks: { zoneOf: async () => null },
    };
    const message = {
      id: 1n,
      door: 'http' as const,
      externalId: 'm1',
      text: 'hello',
      target: null,
      quote: null,
      nickname: null,
      personId: randomUUID(),
      sentAt: new Date(),
      receivedAt: new Date(),
      revision: 0,
      overtaken: 0,
      deleted: false,
      attempts: 0,
      leaseToken: 1,
      stopped: false,
      pictureCount: 0,
      origin: 'message' as const,
    };
    const claim = {
      conversationId: randomUUID(),
      personId: randomUUID(),
      companionId: 'mira',
      personName: 'Ann',
      wasAsked: false,
      isPrivate: false,
      audience: 'direct' as const,
      kind: 'direct' as const,
      leaseToken: 1,
      poison: false,
      burst: [message],
      pictures: [],
      claimedAt: new Date(),
      changeCount: 0,
      epoch: null,
      kept: [],
      earlier: [],
    };
    const turn = async () => {
      const startedAt = performance.now();
      const { degraded } = await composeContext(parts, claim, new Date(), 6_000);
      expect(degraded).toEqual(['personality']);
      noteServices({ states, messenger }, degraded);
      return performance.now() - startedAt;
    };
    const [first, ...others] = [await turn(), await turn(), await turn(), await turn()];
    // Any of them, as a machine that is busy elsewhere may hold one up.
    expect(Math.min(...others)).toBeLessThan(first / 2);
    states.leave('personality');
  });

  it('a gateway that never heard from it asks once for the companions, and takes messages at once then', async () => {
    const directory = new CompanionDirectory(messenger, 'mira');
    expect([await directory.require('odo'), personality.listed]).toEqual(['odo', 1]);
    expect([await directory.require(undefined), personality.listed]).toEqual(['mira', 1]);
    // Whoever asks for the list itself is told how it is.
    await expect(directory.list()).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('nobody counts as retired before there was a list, and after that whoever is not in the last one', async () => {
    const directory = new CompanionDirectory(messenger, 'mira');
    const standings = () =>
      Promise.all(['mira', 'wren', 'orla'].map((companionId) => directory.standingOf(companionId)));
    expect(await standings()).toEqual(['serves', 'serves', 'serves']);
    const traits = {
      openness: 0.5,
      conscientiousness: 0.5,
      extraversion: 0.5,
      agreeableness: 0.5,
      stability: 0.5,
    };
    const told = { name: 'Mira', tagline: '', description: '', timeZone: 'UTC', version: 1, traits };
    const mira = { id: 'mira', ...told };
    const wren = { ...mira, id: 'wren', pausedSince: new Date(0).toISOString() };
    personality.companions = [mira, wren];
    await directory.list();
    expect(await standings()).toEqual(['serves', 'paused', 'retired']);
    personality.companions = null;
    expect(await standings()).toEqual(['serves', 'paused', 'retired']);
  });
});
