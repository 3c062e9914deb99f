import { hash } from 'node:crypto';
import { cutText, present, AppError } from '@kith/contracts';
import { isAboutRequest, ModelError, type ModelErrorKind } from '@kith/llm';
import { MicroBatcher } from '@kith/messaging';
import type { RedisVectorCache } from '../cache/redis-vector-cache.js';
import type { EmbeddingProvider, Purpose } from '../providers/embedding-provider.js';
import { withRetries } from './with-retries.js';

/** Calls to a provider under way at once, for each purpose. */
const MAX_CALLS = 4;

/** Length at which no text is too long: that many characters have at most 192 bytes, and no tokenizer makes more tokens. */
const SHORT_CHARACTERS = 64;
/**
 * Text in place of a document that is refused however short: it says nothing, so questions hardly match it. A host that
 * embeds it works.
 */
const STAND_IN = '-';
/** Time that the halves of a refused batch take: their caller waits no longer. */
const STAND_IN_MS = 10_000;

/** Source of a vector: the provider, the cache, or a call that was under way for the same text. */
export type VectorSource = 'provider' | 'cache' | 'in-flight';

export interface EmbedderEvents {
  /** Counts vectors by their source. */
  served(source: VectorSource, count: number): void;
  /** Notes the outcome of a call after all its tries. */
  called(outcome: 'ok' | ModelError, tookMs: number): void;
}

/**
 * Embeds texts with one provider alone: when that fails, so does this, as `unavailable`. The same text asked for twice at
 * once is computed once, and what is costly is cached.
 */
export class Embedder {
  private readonly inFlight = new Map<string, Promise<Float32Array>>();
  private readonly standIns = new Map<Purpose, { until: number; vectors: Promise<Float32Array[]> }>();
  private readonly batchers: Record<Purpose, MicroBatcher<string, Float32Array>>;

  constructor(
    private readonly provider: EmbeddingProvider,
    private readonly cache: Pick<RedisVectorCache, 'read' | 'write' | 'close'>,
    private readonly events: EmbedderEvents,
  ) {
    // A call has one purpose, so each purpose gathers its own.
    this.batchers = { query: this.batcher('query'), document: this.batcher('document') };
  }

  get space() {
    return this.provider.space;
  }

  /**
   * Makes unit-length vectors, in the texts' order. Of a text that the provider refuses, only as much of the beginning
   * as it accepts is embedded.
   * @throws AppError `unavailable` when the provider is, `invalid_request` when it refuses a question, or all documents
   */
  async embed(texts: readonly string[], purpose: Purpose): Promise<Float32Array[]> {
    try {
      // Computing a lexical vector takes less than asking the cache for it.
      return await (this.provider.isCostly ? this.gather(texts, purpose) : this.call(texts, purpose));
    } catch (error) {
      throw error instanceof ModelError ? toAppError(error, this.provider) : error;
    }
  }

  close(): Promise<void> {
    return this.cache.close();
  }

  private async gather(texts: readonly string[], purpose: Purpose): Promise<Float32Array[]> {
    const cut = texts.map((text) => cutText(text, this.provider.maxCharacters));
    const keyed = cut.map((text) => ({ key: this.keyOf(text, purpose), text }));
    const wanted = new Map(keyed.map(({ key, text }) => [key, text]));
    const missing = [...wanted].filter(([key]) => !this.inFlight.has(key));
    this.count('in-flight', wanted.size - missing.length);

    if (missing.length > 0) {
      const cached = this.cache.read(missing.map(([key]) => key));
      missing.forEach(([key, text], index) => {
        const vector = cached.then((vectors) => vectors[index] ?? this.batchers[purpose].add(text));
        this.inFlight.set(key, vector);
        const landed = () => this.inFlight.delete(key);
        vector.then(landed, landed);
      });
      void cached.then((vectors) => this.count('cache', vectors.filter((vector) => vector).length));
    }
    return Promise.all(keyed.map(({ key }) => present(this.inFlight.get(key))));
  }

  /** Makes a vector's key. Where purposes make no difference, recall and remembering share the vector. */
  private keyOf(text: string, purpose: Purpose): string {
    const digest = hash('sha256', text, 'base64url');
    return `${this.space.id}:${this.provider.tellsPurposes ? purpose : 'document'}:${digest}`;
  }

  private batcher(purpose: Purpose): MicroBatcher<string, Float32Array> {
    return new MicroBatcher(
      (texts: string[]) =>
        this.callAndKeep(texts, texts, purpose).catch((error: unknown) =>
          isRefusal(error) ? this.callWithLess(texts, purpose, error) : Promise.reject(error),
        ),
      isRefusal,
      { maxItems: this.provider.batchSize, maxCalls: MAX_CALLS },
    );
  }

  /** Embeds texts, or their shortened forms, and caches the vectors under the whole texts. */
  private async callAndKeep(texts: readonly string[], rests: readonly string[], purpose: Purpose) {
    const vectors = await this.call(rests, purpose);
    void this.cache.write(
      texts.map((text, index) => ({ key: this.keyOf(text, purpose), vector: present(vectors[index]) })),
    );
    return vectors;
  }

  /**
   * Embeds as much of a refused text as the provider takes: most are too long in its tokens. One document must not keep
   * later ones from being found. The stand-in is not cached: a question with the same words should be refused.
   * @throws the refusal where no part is accepted, or several texts must be tried one by one
   * @throws AppError where the provider refuses the stand-in, and thus everything: trying texts one by one is no use
   */
  private async callWithLess(texts: readonly string[], purpose: Purpose, refusal: ModelError) {
    const standIn = await this.standIn(purpose);
    if (texts.length > 1) throw refusal;
    const text = present(texts[0]);
    for (let most = text.length; most > SHORT_CHARACTERS;) {
      try {
        return await this.callAndKeep(texts, [cutText(text, (most >>= 1))], purpose);
      } catch (error) {
        if (!isRefusal(error)) throw error;
      }
    }
    if (purpose === 'document') return standIn;
    throw refusal;
  }

  /** Embeds the stand-in, once for all halves of a refused batch. Later it may be refused: its vector is not kept. */
  private standIn(purpose: Purpose): Promise<Float32Array[]> {
    const last = this.standIns.get(purpose);
    if (last && performance.now() < last.until) return last.vectors;
    const vectors = this.call([STAND_IN], purpose).catch((error: unknown) => {
      this.standIns.delete(purpose);
      throw isRefusal(error) ? toAppError(error, this.provider) : error;
    });
    this.standIns.set(purpose, { until: performance.now() + STAND_IN_MS, vectors });
    return vectors;
  }

  private async call(texts: readonly string[], purpose: Purpose): Promise<Float32Array[]> {
    const started = performance.now();
    try {
      const ask = () => this.provider.embed(texts, purpose);
      const vectors = await withRetries(ask).catch(async (error: unknown) => {
        const isSlow = error instanceof ModelError && error.kind === 'timeout' && texts.length > 1;
        if (!(isSlow || mayBeTexts(error)) || !(await this.isHostWell(purpose))) throw error;
        if (isSlow) throw asRefusal(error);
        return ask().catch((again: unknown) => {
          throw mayBeTexts(again) ? asRefusal(again) : again;
        });
      });
      this.events.called('ok', performance.now() - started);
      this.count('provider', texts.length);
      return vectors;
    } catch (error) {
      if (error instanceof ModelError) this.events.called(error, performance.now() - started);
      throw error;
    }
  }

  private isHostWell(purpose: Purpose): Promise<boolean> {
    return this.provider.embed([STAND_IN], purpose).then(
      () => true,
      () => false,
    );
  }

  private count(source: VectorSource, count: number): void {
    if (count > 0) this.events.served(source, count);
  }
}

/**
 * Tells whether a failure may be the texts' fault, though it looks like the host's own: Ollama and llama.cpp answer 500
 * where their model makes no numbers of some words, or where a text is too long for it, and others no numbers at all.
 */
function mayBeTexts(error: unknown): error is ModelError {
  if (!(error instanceof ModelError)) return false;
  const { status } = (error.cause ?? {}) as { status?: unknown };
  return error.kind === 'garbled' || (error.kind === 'overloaded' && status === 500);
}

/** Makes the refusal of texts that a host which works does not embed, or not so many at once within its time. */
function asRefusal(failure: ModelError): ModelError {
  return new ModelError('refused', failure.message, { cause: failure });
}

function isRefusal(error: unknown): error is ModelError {
  return error instanceof ModelError && isAboutRequest(error.kind);
}

/**
 * Makes the error that leaves this service: `invalid_request` for a text that the provider refuses, `unavailable` for all
 * else. Another provider's vector would not help: it would find nothing in the index.
 */
function toAppError(failure: ModelError, provider: EmbeddingProvider): AppError {
  const mend: Partial<Record<ModelErrorKind, string>> = {
    unauthorized: `the key was refused: set ${provider.keySetting} to a valid key`,
    'no-such-model':
      'the model is not there: check EMBEDDING_MODEL, or EMBEDDING_NEXT_MODEL for the next one. The log names what the host offers; EMBEDDING_NEXT_MODEL moves to another',
    'spend-limit': 'the quota is used up: raise it at the provider',
  };
  const hint = mend[failure.kind] ?? failure.message;
  return new AppError(
    isAboutRequest(failure.kind) ? 'invalid_request' : 'unavailable',
    `embedding with ${provider.name} failed: ${hint}`,
    { provider: provider.name, kind: failure.kind },
    { cause: failure },
  );
}
