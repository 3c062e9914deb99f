import { GoogleGenAI } from '@google/genai';
import { z } from 'zod';
import { spaceId, type EmbeddingProvider, type HostSettings, type Purpose } from './embedding-provider.js';
import { readAnswer, readVectors, failureOf } from './read-vectors.js';

const TASK_TYPES: Record<Purpose, string> = { query: 'RETRIEVAL_QUERY', document: 'RETRIEVAL_DOCUMENT' };

/** Words before the text that tell its purpose: models after the first take no task type. */
const PREFIXES: Record<Purpose, string> = {
  query: 'task: search result | query: ',
  document: 'title: none | text: ',
};

/** Answer of the API, as far as it is read. */
const Answer = z.object({ embeddings: z.array(z.object({ values: z.array(z.number()) })) });

type GeminiSettings = HostSettings & { apiKey: string };

/** Lists the ids of all models that the key may use. */
export async function listGeminiModels({
  apiKey,
  baseUrl,
  timeoutMs,
}: Pick<GeminiSettings, 'apiKey' | 'baseUrl'> & { timeoutMs: number }): Promise<string[]> {
  const client = new GoogleGenAI({ apiKey, vertexai: false });
  const ids: string[] = [];
  // One page holds all: Google lists some fifty models.
  const plainFetch: typeof fetch = (input, init) => fetch(input, init);
  const config = { httpOptions: { baseUrl, timeout: timeoutMs, fetch: plainFetch }, pageSize: 1_000 };
  for await (const { name } of await client.models.list({ config })) {
    if (name) ids.push(name.replace(/^models\//, ''));
  }
  return ids;
}

/** Embeds with Google's models, by `batchEmbedContents`. */
export function geminiProvider(settings: GeminiSettings): EmbeddingProvider {
  const { apiKey, baseUrl, model, dimensions } = settings;
  const client = new GoogleGenAI({ apiKey, vertexai: false });
  const knowsTaskTypes = model === 'gemini-embedding-001';

  return {
    name: 'gemini',
    space: { id: spaceId('gemini', model, dimensions), dimensions, kind: 'semantic' },
    isCostly: true,
    tellsPurposes: true,
    batchSize: 100, // the API's own limit
    maxCharacters: settings.maxCharacters,
    keySetting: 'GEMINI_API_KEY',
    charged: `gemini:${model}`,
    async embed(texts, purpose) {
      let retryAfter: string | null = null;
      const signal = AbortSignal.timeout(settings.tryTimeoutMs);
      const response = await client.models
        .embedContent({
          model,
          // One content per text: bare strings are merged into one vector by newer models.
          contents: texts.map((text) => ({
            role: 'user',
            parts: [{ text: knowsTaskTypes ? text : PREFIXES[purpose] + text }],
          })),
          config: {
            ...(knowsTaskTypes ? { taskType: TASK_TYPES[purpose] } : {}),
            outputDimensionality: dimensions,
            abortSignal: signal,
            httpOptions: {
              baseUrl,
              // The SDK's error keeps no headers; a wrapped fetch is the way to see them.
              fetch: async (input: string | URL | Request, init?: RequestInit) => {
                const answer = await fetch(input, init);
                retryAfter = answer.headers.get('retry-after');
                return answer;
              },
            },
          },
        })
        .catch((error: unknown) => {
          throw failureOf(error, signal, { provider: 'gemini', retryAfter });
        });
      const { embeddings } = readAnswer(Answer, response);
      return readVectors(
        embeddings.map(({ values }) => values),
        texts.length,
        dimensions,
      );
    },
  };
}
