import { setImmediate as breathe } from 'node:timers/promises';
import {
  AppError,
  decodeVector,
  embeddingContract,
  healthContract,
  type EmbeddingSpace,
} from '@kith/contracts';
import { embedLexically, LEXICAL_SPACE } from '@kith/lexical-embedding';
import type { Messenger } from '@kith/messaging';
import type { DegradedStates } from '@kith/service-host';

interface Embedded {
  space: EmbeddingSpace;
  vectors: Float32Array[];
}

const WITHOUT_EMBEDDING = {
  part: 'embedding',
  effect: 'recall goes by words in common, not by meaning',
};

/** What is embedded here before others get a turn: some 3 ms. */
const TEXTS_A_BREATH = 16;

/**
 * The embedding service as memory sees it, and the space its last answer was in. The offline embedder's vectors are
 * made here: they are the same on every machine, and asking for them would take ten times as long.
 */
export class Embeddings {
  #space: EmbeddingSpace | undefined;

  constructor(
    private readonly messenger: Messenger,
    private readonly states: DegradedStates,
  ) {}

  /** The space last heard of; undefined before the first answer. */
  get knownSpace(): EmbeddingSpace | undefined {
    return this.#space;
  }

  /** Vectors of memories, in their order. Throws `unavailable` while embedding is out of reach. */
  async documents(texts: string[]): Promise<Embedded> {
    if (this.#space?.id !== LEXICAL_SPACE.id) return this.#embed(texts, 'document');
    const vectors: Float32Array[] = [];
    for (const text of texts) {
      vectors.push(embedLexically(text, 'document'));
      if (vectors.length % TEXTS_A_BREATH === 0) await breathe();
    }
    return { space: LEXICAL_SPACE, vectors };
  }

  /** The vector of a question, within a time that leaves the asker some of theirs. */
  async query(text: string, timeoutMs: number): Promise<{ space: EmbeddingSpace; vector: Float32Array }> {
    if (this.#space?.id === LEXICAL_SPACE.id) {
      return { space: LEXICAL_SPACE, vector: embedLexically(text, 'query') };
    }
    const { space, vectors } = await this.#embed([text], 'query', timeoutMs);
    return { space, vector: vectors[0]! };
  }

  /** The space in use now. */
  async currentSpace(): Promise<EmbeddingSpace> {
    this.#space = await this.messenger.ask(embeddingContract.space, {});
    return this.#space;
  }

  async #embed(texts: string[], purpose: 'query' | 'document', timeoutMs?: number): Promise<Embedded> {
    const options = timeoutMs === undefined ? {} : { timeoutMs };
    const { space, vectors } = await this.states.using(
      { ...WITHOUT_EMBEDDING, probe: () => this.#probe() },
      () => this.messenger.ask(embeddingContract.embed, { texts, purpose }, options),
      (error) => error instanceof AppError && error.code === 'unavailable',
    );
    this.#space = space;
    return { space, vectors: vectors.map(decodeVector) };
  }

  /** Whether its provider is back is the embedding service's to find out. */
  async #probe(): Promise<void> {
    const { degraded } = await this.messenger.ask(healthContract('embedding'), {});
    if (degraded.some(({ part }) => part === WITHOUT_EMBEDDING.part)) throw new Error('still down');
  }
}
