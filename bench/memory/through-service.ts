import { randomUUID } from 'node:crypto';
import { lastOf, memoryContract } from '@kith/contracts';
import { Messenger } from '@kith/messaging';
import { QdrantServer, silentLogger } from '@kith/testing';
import { importConversation } from '../import-conversation.ts';
import type { Conversation } from '../locomo.ts';
import { startOwnSuite } from '../own-suite.ts';
import { BLOCK_TOKENS, type Recalled } from './in-process.ts';

/** Further figures of a recall through the service. */
export interface Served extends Recalled {
  tookMs: number;
}

/**
 * A suite of its own that conversations are imported into and asked of.
 * @param index `exact`, or `qdrant`: the server that QDRANT_URL names, or the double
 * @param settings more of them, such as what embeds
 */
export async function startService(index: string, settings: Record<string, string> = {}) {
  const qdrant = index === 'qdrant' ? await QdrantServer.open('bench') : null;
  const suite = await startOwnSuite(() => ({
    ...(qdrant?.environment ?? { VECTOR_INDEX: 'exact' }),
    ...settings,
  }));
  const messenger = new Messenger({
    redisUrl: suite.stack.redis.url,
    service: 'bench',
    logger: silentLogger,
  });
  return {
    async import(conversation: Conversation): Promise<(question: string, limit: number) => Promise<Served>> {
      const personId = randomUUID();
      await importConversation(messenger, personId, conversation);
      const now = new Date(Date.parse(lastOf(conversation.turns).at) + 86_400_000).toISOString();
      return (query, limit) => ask(messenger, { personId, query, limit, now });
    },
    async stop(): Promise<void> {
      await messenger.close();
      await suite[Symbol.asyncDispose]();
      await qdrant?.stop();
    },
  };
}

async function ask(
  messenger: Messenger,
  asked: { personId: string; query: string; limit: number; now: string },
): Promise<Served> {
  const started = performance.now();
  const { memories, passages, wishes, contradictions, degraded } = await messenger.ask(
    memoryContract.recall,
    {
      ...asked,
      companionId: 'mira',
      audience: 'direct',
      countAsUse: false,
      maxTokens: 100_000,
      passageTokens: BLOCK_TOKENS,
    },
  );
  const tookMs = performance.now() - started;
  if (degraded.length > 0) throw new Error(`a recall was degraded: ${degraded.join(', ')}`);
  return {
    tookMs,
    ranked: memories.map(({ sources }) => sources),
    score: Math.max(0, ...memories.map(({ why }) => why.score)),
    contradictions: contradictions.map(({ sides }) => sides.flatMap(({ sources }) => sources)),
    wishes: wishes.flatMap(({ sources }) => sources),
    block: passages.flatMap(({ lines }) => lines.flatMap(({ sources }) => sources)),
  };
}
