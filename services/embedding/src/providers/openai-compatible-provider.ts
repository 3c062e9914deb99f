import { isTokenCount, namesOf, openAiClient } from '@kith/llm';
import { z } from 'zod';
import { spaceId, type EmbeddingProvider, type HostSettings } from './embedding-provider.js';
import { readAnswer, readVectors, failureOf } from './read-vectors.js';

interface OpenAiCompatibleSettings extends HostSettings {
  /** Absent for hosts that want none, such as Ollama. */
  apiKey: string | undefined;
  /** Setting that the key comes from. */
  keySetting: string;
}

type Host = Pick<OpenAiCompatibleSettings, 'apiKey' | 'baseUrl'>;

/** Answer of a host, as far as it is read. */
const Answer = z.object({
  data: z.array(z.object({ index: z.int().nonnegative().nullish(), embedding: z.array(z.number()) })),
  usage: z.object({ prompt_tokens: z.number() }).nullish().catch(null),
});

/** Lists the ids of all models that the key may use. */
export async function listOpenAiModels({ timeoutMs, ...host }: Host & { timeoutMs: number }) {
  const client = await openAiClient(host);
  const { data } = await client.models.list({ signal: AbortSignal.timeout(timeoutMs) });
  return data.flatMap(({ id }) => namesOf(id));
}

/** Embeds with any host that speaks OpenAI's `POST /embeddings`. */
export function openAiCompatibleProvider(settings: OpenAiCompatibleSettings): EmbeddingProvider {
  const { model, dimensions, tryTimeoutMs } = settings;
  const opening = openAiClient(settings);
  // Whoever has a text embedded hears of an SDK that can't be loaded. Unheard until then, it would end the process.
  opening.catch(() => undefined);
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
    keySetting: settings.keySetting,
    charged: `openai:${model}`,
    async embed(texts, _purpose, onCounted) {
      const client = await opening;
      // The SDK's own timeout ends with the headers: a host that stalls behind them would hold all others up.
      const signal = AbortSignal.timeout(tryTimeoutMs);
      const answer: unknown = await client.embeddings
        // Base64, the SDK's default, is a quarter of the size, but not every host knows it.
        .create({ model, input: [...texts], encoding_format: 'float', ...shortened }, { signal })
        .catch((error: unknown) => {
          throw failureOf(error, signal, { provider: 'openai' });
        });
      const { data, usage } = readAnswer(Answer, answer);
      if (usage && isTokenCount(usage.prompt_tokens)) onCounted?.(usage.prompt_tokens);
      // A host may answer in any order; `index` says which text a vector belongs to. Google leaves it out where it is 0,
      // and others always: those answer in order.
      const vectors: (number[] | undefined)[] = Array.from({ length: texts.length });
      for (const [place, { index, embedding }] of data.entries()) vectors[index ?? place] = embedding;
      return readVectors(vectors, texts.length, dimensions);
    },
  };
}
