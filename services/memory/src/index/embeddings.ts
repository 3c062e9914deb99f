import { hash } from 'node:crypto';
import { setImmediate as breathe } from 'node:timers/promises';
import {
  AppError,
  decodeVector,
  embeddingContract,
  type EmbeddingSpace,
  healthContract,
  isUnavailable,
} from '@kith/contracts';
import { embedFormerly, embedLexically, FORMER_LEXICAL_SPACE, LEXICAL_SPACE } from '@kith/lexical-embedding';
import type { Database } from '@kith/database';
import type { Messenger } from '@kith/messaging';
import type { DegradedStates } from '@kith/service-host';
import { decideSpaces } from './decide-spaces.js';
import { questionTexts, questionVector } from './question-vector.js';
import { RecentValues } from '../words/recent-values.js';

const IN_USE = { role: 'in-use' };

interface EmbeddedTexts {
  space: EmbeddingSpace;
  vectors: Float32Array[];
}

const WITHOUT_EMBEDDING = { part: 'embedding', effect: 'recall goes by words in common, not by meaning' };

/** Longest wait for an embedding service that was away: one that answers within it is back. */
const AWAY_TIMEOUT_MS = 100;

/** Bounds of the vectors of questions: ten minutes and 4 MB at most, which is 2,700 of 384 numbers or 340 of 3,072. */
const ASKED = {
  holdMs: 5 * 60_000,
  maxSize: 2 * 1024 * 1024,
  sizeOf: (_key: string, { byteLength }: Float32Array) => byteLength,
};

/** Texts that are embedded here before other work gets a turn: some 3 ms. */
const TEXTS_A_BREATH = 16;

/** Embedders of the spaces whose vectors are made here, by their ids. */
const OWN_EMBEDDERS = new Map<string, { space: EmbeddingSpace; embed: typeof embedFormerly }>([
  [LEXICAL_SPACE.id, { space: LEXICAL_SPACE, embed: embedLexically }],
  [FORMER_LEXICAL_SPACE.id, { space: FORMER_LEXICAL_SPACE, embed: embedFormerly }],
]);

/**
 * Asks the embedding service for vectors, and knows the space of its last answer. The offline embedder's vectors are made
 * here: they are the same on every machine, and to ask for them would take ten times as long.
 */
export class Embeddings {
  private space: EmbeddingSpace | undefined;
  private next: EmbeddingSpace | null = null;
  /** Vectors of questions by a hash of their words: one that is asked again needs no embedding service. */
  private readonly asked = new RecentValues<Float32Array>(ASKED);

  constructor(
    private readonly messenger: Messenger,
    private readonly states: DegradedStates,
    private readonly database: Database,
  ) {}

  /** Space of the last answer; undefined before the first. */
  get knownSpace(): EmbeddingSpace | undefined {
    return this.space;
  }

  /** The space that is being filled to replace the one in use. */
  get nextSpace(): EmbeddingSpace | null {
    return this.next;
  }

  /** The space in use, where its vectors are made here and no other is written to; else null. */
  get ownSpace(): EmbeddingSpace | null {
    return this.space?.id === LEXICAL_SPACE.id && this.next === null ? LEXICAL_SPACE : null;
  }

  /** Gives vectors of memories, in their order. Throws `unavailable` while embedding is out of reach. */
  async documents(texts: string[]): Promise<EmbeddedTexts> {
    return this.embedDocuments(texts, await this.spaceToAsk());
  }

  /**
   * Gives vectors of memories in another space. Throws `unavailable` also when no embedder is configured for it any
   * more.
   */
  async documentsIn(space: EmbeddingSpace, texts: string[]): Promise<Float32Array[]> {
    const embedded = await this.embedDocuments(texts, space.id);
    if (embedded.space.id !== space.id)
      throw new AppError('unavailable', `no embedder is configured for space ${space.id}`);
    return embedded.vectors;
  }

  private async embedDocuments(texts: string[], space: string | undefined): Promise<EmbeddedTexts> {
    const own = OWN_EMBEDDERS.get(space ?? '');
    if (!own) return this.embed(texts, 'document', { space });
    const vectors: Float32Array[] = [];
    for (const text of texts) {
      vectors.push(own.embed(text, 'document'));
      if (vectors.length % TEXTS_A_BREATH === 0) await breathe();
    }
    return { space: own.space, vectors };
  }

  /** Gives the vector of a question. Only the first question after the embedding service went away waits fully. */
  async query(text: string, timeoutMs: number): Promise<{ space: EmbeddingSpace; vector: Float32Array }> {
    const wantedSpace = await this.spaceToAsk();
    const own = OWN_EMBEDDERS.get(wantedSpace ?? '');
    if (own) return { space: own.space, vector: own.embed(text, 'query') };
    const known = this.space && this.asked.get(keyOf(this.space.id, text));
    if (this.space && known) return { space: this.space, vector: known };
    const isAway = this.states.lacks(WITHOUT_EMBEDDING.part);
    const wanted = {
      space: wantedSpace,
      timeoutMs: isAway ? Math.min(AWAY_TIMEOUT_MS, timeoutMs) : timeoutMs,
    };
    const { space, vectors } = await this.embed(questionTexts(text), 'query', wanted);
    const vector = questionVector(vectors);
    this.asked.put(keyOf(space.id, text), vector);
    return { space, vector };
  }

  /** Finds the space in use now, by what the embedding service offers and what was switched to. */
  async currentSpace(): Promise<EmbeddingSpace> {
    const offered = await this.messenger.ask(embeddingContract.spaces, {});
    const held = await this.heldSpace();
    const { use, fill } = decideSpaces(offered, held);
    // Left by its settings, it is stale: where they name it again, it is filled before it is used again.
    if (held !== null && held !== use.id)
      await this.database.writer('system').$executeRaw`
        DELETE FROM memory_spaces WHERE role = ${IN_USE.role} AND space = ${held}`;
    this.space = use;
    this.next = fill;
    return use;
  }

  /** Gives the ids of the spaces that are used, or that the settings still name. */
  async usedSpaces(): Promise<Set<string>> {
    const { id } = await this.currentSpace();
    const { current, next } = await this.messenger.ask(embeddingContract.spaces, {});
    return new Set([id, current.id, ...(next ? [next.id] : [])]);
  }

  /**
   * Makes recall search the next space, which holds everything by now. Other replicas follow at their next check. Rows
   * that are marked with the former space are found by their words as well, until they are marked again.
   */
  async switchTo(next: EmbeddingSpace): Promise<void> {
    await this.database.asSystem((tx) => {
      const data = { space: next.id, since: new Date() };
      return tx.memorySpace.upsert({ where: IN_USE, create: { ...IN_USE, ...data }, update: data });
    });
    this.space = next;
    this.next = null;
  }

  /** Finds the space to embed into. Before the first look at the settings it is the one that was switched to. */
  private async spaceToAsk(): Promise<string | undefined> {
    return this.space?.id ?? (await this.heldSpace()) ?? undefined;
  }

  /** Reads which space was switched to; null where none was. */
  private async heldSpace(): Promise<string | null> {
    const [held] = await this.database.reader('system').$queryRaw<{ space: string }[]>`
      SELECT space FROM memory_spaces WHERE role = ${IN_USE.role}`;
    return held?.space ?? null;
  }

  private async embed(
    texts: string[],
    purpose: 'query' | 'document',
    { space: wanted, timeoutMs }: { space: string | undefined; timeoutMs?: number },
  ): Promise<EmbeddedTexts> {
    const options = timeoutMs === undefined ? {} : { timeoutMs, ifThere: true };
    const ask = () => this.messenger.ask(embeddingContract.embed, { texts, purpose, space: wanted }, options);
    const part = { ...WITHOUT_EMBEDDING, probe: () => this.probe() };
    // Questions go on in the space in use while another one can't be filled, which the embedding service itself tells.
    const isOther = this.space !== undefined && wanted !== undefined && wanted !== this.space.id;
    const { space, vectors } = await (isOther ? ask() : this.states.using(part, ask, isUnavailable));
    // Where the space in use is no longer offered, the answer is in another one, which takes its place.
    if (!this.space || wanted === this.space.id) this.space = space;
    return { space, vectors: vectors.map(decodeVector) };
  }

  /** Asks the embedding service whether its provider is back. */
  private async probe(): Promise<void> {
    const { degraded } = await this.messenger.ask(healthContract('embedding'), {});
    if (degraded.some(({ part }) => part === WITHOUT_EMBEDDING.part)) throw new Error('still down');
  }
}

function keyOf(spaceId: string, question: string): string {
  return `${spaceId} ${hash('sha256', question, 'base64url')}`;
}
