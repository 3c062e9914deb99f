import { join } from 'node:path';
import type { ModelFolder } from '@kith/local-models';
import { ReaderEnded, ReadingThread } from '@kith/reading';
import { ModelError } from '@kith/llm';
import { spaceId, type EmbeddingProvider } from '../embedding-provider.js';
import { readVectors } from '../read-vectors.js';

/** Compiled module of the thread: a thread runs no TypeScript. */
const MODULE = join(import.meta.dirname, '../../../dist/providers/local/encode.js');
const LIMITS = {
  /** A small encoder loads in a second or two, and takes one for a batch of long texts on a slow machine. */
  deadlineMs: 30_000,
  /** Time without a call after which the encoder's 100 to 400 MB are freed; it loads again within a second or two. */
  idleMs: 30 * 60_000,
  /** Twice the heap of a tokenizer of 250,000 words; the encoder itself lies outside of the heap. */
  maxMegabytes: 512,
};
/** Texts of one call: with more, a question waits longer behind documents. */
const BATCH_SIZE = 16;
/** Characters that a token seldom exceeds: a text beyond its share of them would be cut as tokens anyway. */
const CHARACTERS_PER_TOKEN = 8;

/** Embeds with an encoder from a folder of this machine, in a thread. */
export function localProvider(folder: ModelFolder, { threads }: { threads: number }): EmbeddingProvider {
  const { dimensions, maxTokens, prefixes } = folder.description;
  const thread = new ReadingThread<typeof import('./encode.js')>(MODULE, LIMITS);
  return {
    name: 'local',
    space: { id: spaceId('local', folder.name, dimensions), dimensions, kind: 'semantic' },
    isCostly: true,
    tellsPurposes: prefixes.query !== prefixes.document,
    batchSize: BATCH_SIZE,
    maxCharacters: CHARACTERS_PER_TOKEN * maxTokens,
    keySetting: 'EMBEDDING_PROVIDER',
    charged: null,
    async embed(texts, purpose) {
      const prefixed = texts.map((text) => prefixes[purpose] + text);
      const vectors = await thread.call('encode', folder, threads, prefixed).catch((cause: unknown) => {
        throw toFailure(folder, cause);
      });
      return readVectors(vectors, texts.length, dimensions);
    },
  };
}

function toFailure({ name, modelFile }: ModelFolder, cause: unknown): ModelError {
  if (cause instanceof ReaderEnded)
    return new ModelError('overloaded', `the local model ${name} did not answer in time`, { cause });
  const { code, message } =
    cause instanceof Error ? (cause as NodeJS.ErrnoException) : { message: String(cause) };
  const why =
    code === 'ERR_MODULE_NOT_FOUND' || /thread for rules does not start/.test(message)
      ? 'onnxruntime-node is not installed: run npm ci without --omit=optional'
      : `${modelFile}: ${message}`;
  return new ModelError('garbled', `the local model ${name} can't be used: ${why}`, { cause });
}
