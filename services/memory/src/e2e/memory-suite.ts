import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import {
  AppError,
  embeddingContract,
  encodeVector,
  gatewayContract,
  healthContract,
  outreachContract,
  personalityContract,
  type EmbeddingSpace,
  type Exchange,
  type ModelUsage,
  type ReadTurn,
  type RequestOutput,
} from '@kith/contracts';
import { Handles, Messenger, MessagingModule, StreamsServer } from '@kith/messaging';
import { DegradedStates, HealthChecks, hostModule } from '@kith/service-host';
import { readSettings } from '@kith/service-host/settings';
import { freshStores, type FreshStores } from '@kith/testing';
import { Controller, type DynamicModule, type INestMicroservice, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { appModule } from '../app.module.js';
import { PARTS, type Parts } from '../parts.js';
import { settings } from '../config.js';
import { testingTurn } from '../remember/testing-turn.js';
import { analyseText } from '../words/analyse-text.js';
import { termId } from '../words/bm25.js';

const logger = pino({ level: 'silent' });
const DIMENSIONS = 64;

/** Answers of the services that memory asks: changed by the test, answered over the real transport. */
class Neighbours {
  readonly turns = new Map<string, ReadTurn>();
  /** Turns that can't be read, and never will be. */
  readonly unreadable = new Set<string>();
  /** The companion's part of turns. */
  readonly exchanges = new Map<string, Partial<Exchange>>();
  /** Feelings at turns: the sign says how pleasant, the size how strong. */
  readonly felt = new Map<string, number>();
  /** Usage of models that the gateway was told of. */
  readonly reported: ModelUsage[] = [];
  embeddingDown = false;
  /** Health tells that what embeds is away, whether or not it is. */
  tellsAway = false;
  /** Texts that were embedded. */
  readonly embedded: string[] = [];
  /** Zone of the person's clock. */
  timeZone = 'Europe/Paris';
  /** Runs while texts are embedded, once. */
  duringEmbedding: ((texts: string[]) => Promise<void>) | undefined;
  space: EmbeddingSpace = { id: 'test-1', dimensions: DIMENSIONS, kind: 'lexical' };
  nextSpace: EmbeddingSpace | null = null;

  embed({ texts, space }: RequestOutput<typeof embeddingContract.embed>) {
    if (this.embeddingDown) throw new AppError('unavailable', 'embedding is down');
    this.embedded.push(...texts);
    const into = this.nextSpace?.id === space && this.nextSpace ? this.nextSpace : this.space;
    return { space: into, vectors: texts.map((text) => encodeVector(hashedVector(text))) };
  }
}

/** Words hashed into a few dimensions: alike where words are. */
function hashedVector(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  for (const term of [...analyseText(text), 'anything']) vector[termId(term) % DIMENSIONS]! += 1;
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

function neighbourController(neighbours: Neighbours): Type {
  @Controller()
  class NeighbourController {
    @Handles(gatewayContract.readTurns)
    onReadTurns({ turnIds }: RequestOutput<typeof gatewayContract.readTurns>) {
      if (turnIds.some((turnId) => neighbours.unreadable.has(turnId)))
        throw new AppError('invalid_request', 'unreadable');
      return { turns: turnIds.flatMap((turnId) => neighbours.turns.get(turnId) ?? []) };
    }

    @Handles(gatewayContract.exchanges)
    onExchanges({ turnIds }: RequestOutput<typeof gatewayContract.exchanges>) {
      const none = { before: null, reply: null, recalled: [] };
      const exchanges = turnIds.map((turnId) => ({ turnId, ...none, ...neighbours.exchanges.get(turnId) }));
      return { exchanges };
    }

    @Handles(gatewayContract.noteUsage)
    onNoteUsage({ usage }: RequestOutput<typeof gatewayContract.noteUsage>) {
      neighbours.reported.push(...usage);
      return {};
    }

    @Handles(embeddingContract.embed)
    async onEmbed(request: RequestOutput<typeof embeddingContract.embed>) {
      const during = neighbours.duringEmbedding;
      neighbours.duringEmbedding = undefined;
      await during?.(request.texts);
      return neighbours.embed(request);
    }

    @Handles(embeddingContract.spaces)
    onSpaces() {
      if (neighbours.embeddingDown) throw new AppError('unavailable', 'embedding is down');
      return { current: neighbours.space, next: neighbours.nextSpace };
    }

    @Handles(outreachContract.timeZone)
    onTimeZone() {
      return { timeZone: neighbours.timeZone };
    }

    @Handles(personalityContract.felt)
    onFelt({ whose }: RequestOutput<typeof personalityContract.felt>) {
      const turns = whose
        .flatMap(({ turnIds }) => turnIds)
        .map((turnId) => {
          const pleasure = neighbours.felt.get(turnId) ?? 0;
          return { turnId, pleasure, intensity: Math.abs(pleasure) };
        });
      return { turns: turns.filter(({ intensity }) => intensity > 0) };
    }

    @Handles(healthContract('embedding'))
    onHealth() {
      const away = { part: 'embedding', effect: 'no vectors', since: new Date().toISOString() };
      return {
        service: 'embedding',
        ready: true,
        dependencies: {},
        degraded: neighbours.embeddingDown || neighbours.tellsAway ? [away] : [],
      };
    }
  }
  return NeighbourController;
}

function hostDouble(): DynamicModule {
  const states = new DegradedStates(new Registry(), { probeEveryMs: 50 });
  return hostModule({ checks: new HealthChecks('memory'), states, metrics: new Registry(), logger });
}

async function makeApp(redisUrl: string, service: string, rest: DynamicModule): Promise<INestMicroservice> {
  const shared = { redisUrl, keyPrefix: 'test:', logger };
  const module: DynamicModule = {
    module: class RootModule {},
    imports: [MessagingModule.forRoot({ service, ...shared }), hostDouble(), rest],
  };
  const strategy = new StreamsServer({ group: service, ...shared });
  return NestFactory.createMicroservice(module, { strategy, logger: false });
}

/** The memory service as it runs, on real stores, with doubled neighbours. */
export interface MemorySuite {
  stores: FreshStores;
  neighbours: Neighbours;
  messenger: Messenger;
  parts: Parts;
  /** A finished turn of a person who said these things. */
  turn(said: string | string[], over?: Partial<ReadTurn>): ReadTurn;
  stop(): Promise<void>;
}

/** Starts it with the exact index, or with Qdrant at `qdrantUrl`; with further settings as an operator gives them, and another space. */
export async function startMemory(
  qdrantUrl?: string,
  environment: Record<string, string> = {},
  space?: EmbeddingSpace,
): Promise<MemorySuite> {
  const stores = await freshStores();
  const neighbours = new Neighbours();
  if (space) neighbours.space = space;
  const config = readSettings(settings, {
    DATABASE_URL: stores.databaseUrl,
    REDIS_URL: stores.redisUrl,
    QDRANT_URL: qdrantUrl,
    ...environment,
  });
  const beside = await makeApp(stores.redisUrl, 'neighbours', {
    module: class NeighbourModule {},
    controllers: [neighbourController(neighbours)],
  });
  await beside.listen();
  const app = await makeApp(stores.redisUrl, 'memory', appModule(config));
  const parts = app.get<Parts>(PARTS);
  // It would do beside a test what the test asks for and counts: delete the points of what is forgotten, order a reindex.
  await parts.upkeep.stop();
  await app.listen();
  // The first query loads Prisma's engine, which Jest allows only while nothing else is going on.
  await parts.database.asSystem((tx) => tx.memory.count());
  const messenger = beside.get(Messenger);
  return {
    stores,
    neighbours,
    messenger,
    parts,
    turn(said, over = {}) {
      const [turnId, now] = [randomUUID(), new Date().toISOString()];
      const ids = {
        turnId,
        conversationId: randomUUID(),
        personId: randomUUID(),
        startedAt: now,
        endedAt: now,
      };
      const messages = [said].flat().map((text, n) => ({ text, externalId: `${turnId}-${n}` }));
      const turn = testingTurn(messages, { ...ids, ...over });
      neighbours.turns.set(turnId, turn);
      return turn;
    },
    stop: async () => {
      await app.close();
      await beside.close();
      await stores.stop();
    },
  };
}
