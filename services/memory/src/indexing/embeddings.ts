import { decodeVector, embeddingContract, type EmbeddingSpace } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';

interface Embedded {
  space: EmbeddingSpace;
  vectors: Float32Array[];
}

/** The embedding service as memory sees it, and the space its last answer was in. */
export class Embeddings {
  #space: EmbeddingSpace | undefined;

  constructor(private readonly messenger: Messenger) {}

  /** The space last heard of; undefined before the first answer. */
  get knownSpace(): EmbeddingSpace | undefined {
    return this.#space;
  }

  /** Vectors of memories, in their order. Throws `unavailable` while embedding is out of reach. */
  documents(texts: string[]): Promise<Embedded> {
    return this.#embed(texts, 'document');
  }

  /** The vector of a question, within a time that leaves the asker some of theirs. */
  async query(text: string, timeoutMs: number): Promise<{ space: EmbeddingSpace; vector: Float32Array }> {
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
    const { space, vectors } = await this.messenger.ask(embeddingContract.embed, { texts, purpose }, options);
    this.#space = space;
    return { space, vectors: vectors.map(decodeVector) };
  }
}
