import { readFailure } from '@kith/llm';
import OpenAI from 'openai';
import { spaceId, type EmbeddingProvider, type HostSettings } from './provider.js';
import { readVectors } from './read-vectors.js';

interface OpenAiCompatibleSettings extends HostSettings {
  /** Absent for hosts that want none, such as Ollama. */
  apiKey: string | undefined;
}

type Host = Pick<OpenAiCompatibleSettings, 'apiKey' | 'baseUrl'>;

/** Lists the ids of all models that the key may use. */
export async function listOpenAiModels({
  timeoutMs,
  ...host
}: Host & { timeoutMs: number }): Promise<string[]> {
  return (await clientOf(host, timeoutMs).models.list()).data.map(({ id }) => id);
}

/** Makes a client without tries of its own: ours are counted and bounded together. */
function clientOf({ apiKey = 'none', baseUrl }: Host, timeout: number): OpenAI {
  return new OpenAI({ apiKey, baseURL: baseUrl, timeout, maxRetries: 0 });
}

/** Embeds with any host that speaks OpenAI's `POST /embeddings`. */
export function openAiCompatibleProvider(settings: OpenAiCompatibleSettings): EmbeddingProvider {
  const { model, dimensions } = settings;
  const client = clientOf(settings, settings.tryTimeoutMs);
  // Only these can be shortened on request; other hosts refuse the field.
  const shortened = model.startsWith('text-embedding-3') ? { dimensions } : {};

  return {
    name: 'openai',
    space: { id: spaceId('openai', model, dimensions), dimensions, kind: 'semantic' },
    isCostly: true,
    tellsPurposes: false,
    // OpenAI takes 2,048, smaller hosts choke on that; at 96 the call's own overhead no longer shows.
    batchSize: 96,
    maxCharacters: settings.maxCharacters,
    keySetting: 'EMBEDDING_API_KEY',
    charged: `openai:${model}`,
    async embed(texts, _purpose, onCounted) {
      const response = await client.embeddings
        // Base64, the SDK's default, is a quarter of the size, but not every host knows it.
        .create({ model, input: [...texts], encoding_format: 'float', ...shortened })
        .catch((error: unknown) => {
          throw readFailure(error, { provider: 'openai', opened: false });
        });
      const tokens = (response.usage as typeof response.usage | undefined)?.prompt_tokens;
      if (tokens !== undefined) onCounted?.(tokens);
      // A host may answer in any order; `index` says which text a vector belongs to.
      const vectors: (number[] | undefined)[] = Array.from({ length: texts.length });
      for (const { index, embedding } of (response.data as typeof response.data | undefined) ?? [])
        vectors[index] = embedding;
      return readVectors(vectors, texts.length, dimensions);
    },
  };
}
