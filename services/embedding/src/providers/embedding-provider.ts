import type { EmbeddingSpace } from '@kith/contracts';

/** Purpose of a vector: some models embed a question in another way than the texts that may answer it. */
export type Purpose = 'query' | 'document';

/** One way to turn texts into vectors. Adding one is one file that makes such an object. */
export interface EmbeddingProvider {
  readonly name: string;
  /** Space in which its vectors can be compared; never changes. */
  readonly space: EmbeddingSpace;
  /** True where computing a vector costs more than asking the cache: then vectors are cached, and texts gathered. */
  readonly isCostly: boolean;
  /** True where a question gets another vector than a document of the same words. */
  readonly tellsPurposes: boolean;
  /** Most texts of one call. */
  readonly batchSize: number;
  /** Longest text it reads, in characters; the rest is cut off. */
  readonly maxCharacters: number;
  /** Model as its host charges for it, `host:model`; null where nobody does. */
  readonly charged: string | null;
  /** Setting that an operator puts right when the key is refused, for messages. */
  readonly keySetting: string;
  /**
   * Makes one unit-length vector for each text, in their order, in one call.
   * @param onCounted called with the number of tokens, where the host reports it
   * @throws ModelError when the call fails
   */
  embed(
    texts: readonly string[],
    purpose: Purpose,
    onCounted?: (tokens: number) => void,
  ): Promise<Float32Array[]>;
}

/** Settings of a host that embeds over an API. */
export interface HostSettings {
  baseUrl: string;
  model: string;
  dimensions: number;
  maxCharacters: number;
  tryTimeoutMs: number;
}

/**
 * Names a space by provider, model and length. Models whose names differ in marks alone ("a/b", "a-b") share one: with
 * another name, all existing memories would be embedded again.
 */
export function spaceId(provider: string, model: string, dimensions: number): string {
  const slug = `${provider}-${model}`.toLowerCase().replaceAll(/[^a-z0-9_.-]+/g, '-');
  return `${slug}-${dimensions}`;
}
