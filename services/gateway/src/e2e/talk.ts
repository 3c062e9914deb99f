import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll } from '@jest/globals';
import type { Audience, ModelUsage, RecalledMemory } from '@kith/contracts';
import { Database } from '@kith/database';
import { estimateTokens } from '@kith/llm';
import { Broadcasts, Neighbours } from '@kith/messaging';
import { pino, type Logger } from 'pino';
import { eventually, freshStores, type FreshStores, silentLogger } from '@kith/testing';
import type { FinishedTurn } from '../answer/finished-turn.js';
import { Conversations, type Speaker } from '../conversations/conversations.js';
import { TalkReader } from '../conversations/talk-reader.js';
import { ForgetOrders } from '../forgetting/forget-orders.js';
import { OrderLocks } from '../forgetting/order-locks.js';
import { TranscriptRedactor } from '../redaction/transcript-redactor.js';
import { acceptMessage, type IncomingMessage } from '../inbox/accept-message.js';
import { commitTurn } from '../outcome/commit-turn.js';
import { claimBurst, type TurnStores } from '../inbox/claim-burst.js';
import { AccountMarks } from '../people/account-marks.js';
import { Identities } from '../people/identities.js';
import type { Claim } from '../inbox/claim.js';

/** Other services that have made nothing of an erased person's words. */
export const NOTHING_MADE = {
  forgetNotesOfAll: async () => undefined,
  forgetRepeatsOfLost: async () => undefined,
  forgetReplies: async () => undefined,
};
export const LIMITS = { debounceMs: 0, maxTokens: 2_000, count: estimateTokens, pictureTokens: 100 };
/** Place at Discord where a reply goes. */
const TARGET = { userId: '1', channelId: '2' };
export const marks = new AccountMarks('a secret of this suite');
export const broadcasts = new Broadcasts({
  redisUrl: '',
  service: 'gateway',
  neighbours: new Neighbours(),
  logger: silentLogger,
});

/** Answer of a memory that holds nothing of what is forgotten. */
export const NOTHING_FORGOTTEN = { rows: 0, points: 0, memories: [], sources: [], memoryIds: [], others: [] };

/** Gives a test file real stores of its own, with people who talk in them. */
export function withTalk() {
  let stores: FreshStores;
  let database: Database;
  const talks = new TalkReader();
  let locks: OrderLocks;
  const turnStores = (): TurnStores => ({ database, talks });
  beforeAll(async () => {
    stores = await freshStores();
    database = new Database({ url: stores.databaseUrl, poolSize: 5 });
    locks = new OrderLocks(database);
  });
  afterAll(async () => {
    await database.close();
    await stores.stop();
  });
  /** Makes a conversation: somebody's own, or a channel. */
  const converse = (personId: string | null, externalId: string = randomUUID()) =>
    new Conversations(database).idOf({
      companionId: 'mira',
      door: 'discord',
      externalId,
      kind: personId === null ? 'channel' : 'direct',
      personId,
    });
  /** Claims what waits of a speaker. */
  const claim = async (speaker: Speaker): Promise<Claim> => {
    const result = await claimBurst(turnStores(), speaker, LIMITS);
    if (result.kind !== 'claimed') throw new Error(`not claimed: ${result.kind}`);
    return result.claim;
  };
  return {
    /** Makes orders to forget of a gateway whose other services are doubles. */
    forgetOrders: (
      ask: unknown,
      {
        logger = pino({ level: 'silent' }),
        tellOpenPages = () => undefined,
      }: { logger?: Logger; tellOpenPages?: (personId: string) => unknown } = {},
    ) =>
      new ForgetOrders({
        database,
        locks,
        transcript: new TranscriptRedactor(database),
        messenger: { ask, enqueue: async () => undefined } as never,
        logger,
        tellOpenPages,
      }),
    get stores() {
      return stores;
    },
    get database() {
      return database;
    },
    get turnStores() {
      return turnStores();
    },
    get locks() {
      return locks;
    },
    claim,
    converse,
    /** Resolves once so many statements wait for locks of others. */
    async someoneWaits(count = 1): Promise<void> {
      await eventually(`${count} wait for a lock`, async () => {
        const waiting = await stores.query(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return waiting.length === count;
      });
    },
    /** Makes somebody, with a conversation of their own. */
    async place(): Promise<Speaker> {
      const account = { door: 'discord' as const, subject: randomUUID() };
      const identities = new Identities(database, broadcasts, marks);
      const { personId } = await identities.resolve({ ...account, displayName: 'Ann' });
      return { conversationId: await converse(personId, account.subject), personId };
    },
    /** Makes another conversation of somebody's own. */
    async placeOf(personId: string): Promise<Speaker> {
      return { conversationId: await converse(personId), personId };
    },
    /** Makes people who speak in one channel. */
    async channelOf(count: number): Promise<Speaker[]> {
      const people = await Promise.all(Array.from({ length: count }, () => this.place()));
      const conversationId = await converse(null);
      return people.map(({ personId }) => ({ conversationId, personId }));
    },
    /** Accepts a message of a speaker at Discord: "hello", but for what is given of it. */
    say(where: Speaker, given: Partial<IncomingMessage> = {}, mayClaim = false) {
      const message: IncomingMessage = {
        ...where,
        door: 'discord',
        externalId: randomUUID(),
        origin: 'message',
        text: 'hello',
        target: TARGET,
        sentAt: new Date(),
      };
      return acceptMessage(turnStores(), { ...message, ...given }, mayClaim);
    },
    /** Accepts a message of a speaker by its id. */
    accept(where: Speaker, externalId: string, mayClaim = false) {
      return this.say(where, { externalId }, mayClaim);
    },
    /** Answers what waits of a speaker. Returns the turn's id. */
    async answer(where: Speaker, reply: string): Promise<string> {
      const turn = { ...answered(), reply };
      await commitTurn(database, await claim(where), turn, false);
      return turn.turnId;
    },
    /** Says something, which is answered. @param changes what is special about the turn */
    async exchange(where: Speaker, changes: Partial<FinishedTurn> = {}) {
      const messageId = randomUUID();
      await this.accept(where, messageId);
      const turn = { ...answered(), ...changes };
      await commitTurn(database, await claim(where), turn, false);
      return { turnId: turn.turnId, messageId };
    },
    /** Says these words, which are answered so. */
    async sayTo(where: Speaker, text: string, reply: string) {
      const messageId = randomUUID();
      await this.say(where, { externalId: messageId, text, target: null });
      return { turnId: await this.answer(where, reply), messageId };
    },
    /** Says these words at Discord, which are answered so there. Returns the reply's id there: one of this moment. */
    async sayAtDiscord(where: Speaker, text: string, reply: string) {
      const messageId: string = randomUUID();
      await this.say(where, { externalId: messageId, text });
      const turnId = await this.answer(where, reply);
      const platformId = String((BigInt(Date.now()) - 1_420_070_400_000n) << 22n);
      await stores.query('UPDATE outbox SET platform_ids = $2 WHERE turn_id = $1', [
        turnId,
        ['1', platformId],
      ]);
      return { messageId, platformId, turnId };
    },
    /** Makes the conversation of a place with another companion. */
    async withAnother({ conversationId, personId }: Speaker): Promise<Speaker> {
      const [made] = await stores.query<{ id: string }>(
        `INSERT INTO conversations (conversation_id, companion_id, door, external_id, kind, audience, person_id)
         SELECT gen_random_uuid(), 'kai', door, external_id, kind, audience, person_id
         FROM conversations WHERE conversation_id = $1 RETURNING conversation_id::text AS id`,
        [conversationId],
      );
      return { conversationId: made!.id, personId };
    },
    /** Reads these columns of what a table has of a conversation, in its order. */
    rowsOf<Row extends Record<string, unknown>>(
      table: string,
      columns: string,
      { conversationId }: Pick<Speaker, 'conversationId'>,
    ) {
      const order = ['inbox', 'transcript'].includes(table) ? 'ORDER BY id' : '';
      const query = `SELECT ${columns} FROM ${table} WHERE conversation_id = $1 ${order}`;
      return stores.query<Row>(query, [conversationId]);
    },
  };
}

/** Makes an answer to whatever was claimed. */
export function answered(): FinishedTurn {
  const now = new Date();
  return {
    turnId: randomUUID(),
    outcome: 'answered',
    reason: null,
    reply: 'hi Ann',
    personName: 'Ann',
    companionName: 'Mira',
    model: 'test',
    rehearsal: false,
    degraded: [],
    isUnheard: false,
    questions: [],
    lastStep: null,
    recalled: [],
    mood: null,
    details: {},
    startedAt: now,
    endedAt: now,
  };
}

/** Makes a memory of these hearers, as a turn recalls it. */
export function memoryOf(audience: Audience): RecalledMemory {
  const at = new Date().toISOString();
  const arms = { denseRank: null, similarity: null, lexicalRank: 1, fused: 1 };
  return {
    id: randomUUID(),
    kind: 'episode',
    text: 'words',
    audience,
    writer: 'person',
    importance: 5,
    saidAt: at,
    createdAt: at,
    lastRecalledAt: null,
    timesRecalled: 0,
    sources: [],
    speaker: null,
    conversation: null,
    fact: null,
    shelf: 'open',
    shelfReason: null,
    pinned: false,
    why: { ...arms, fit: 0, recency: 0, importance: 0, mood: 0, proof: 0, certainty: 1, score: 1 },
  };
}

/** Makes what one call of a model cost, for a speaker. */
export function usageOf({ conversationId, personId }: Speaker): ModelUsage {
  return {
    id: randomUUID(),
    role: 'chat',
    model: 'host:model',
    calls: 1,
    cost: null,
    isEstimated: false,
    conversationId,
    personId,
    companionId: 'mira',
    turnId: null,
    promptTokens: 10,
    completionTokens: 2,
  };
}
