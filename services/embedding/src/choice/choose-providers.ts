import { join, resolve } from 'node:path';
import { SettingsError } from '@kith/service-host/settings';
import type { RedisKeptModel } from './redis-kept-model.js';
import { chooseEmbeddingModel, describeMissing, type RemoteHost } from './choose-embedding-model.js';
import type { EmbeddingProvider } from '../providers/embedding-provider.js';

type ProviderName = 'gemini' | 'openai' | 'lexical' | `local:${string}`;

interface HostSettings {
  apiKey?: string | undefined;
  baseUrl?: string | undefined;
  model?: string | undefined;
  dimensions: number;
}

interface ChoiceSettings {
  embedding: HostSettings & {
    provider: ProviderName | 'auto';
    next: HostSettings & { provider?: ProviderName | undefined };
    local: { directory: string; threads: number };
    maxCharacters: number;
    tryTimeoutMs: number;
  };
  gemini: { apiKey?: string | undefined; baseUrl: string };
}

const LOCAL = 'local:';
/** Root of the checkout, from which a setting's relative path goes. */
const CHECKOUT = join(import.meta.dirname, '../../../..');
const OPENAI = 'https://api.openai.com/v1';

/** Time that a start waits for a host's list of models, once in an install's life. */
const LIST_MS = 5_000;

/** Memory of the first choice, and a way to warn when its host no longer lists it. */
export interface ModelMemory {
  kept: Pick<RedisKeptModel, 'read' | 'keep'>;
  warn: (message: string) => void;
}

/**
 * Makes the providers that these settings name, fixed until the process ends: the one in use, and the one that will
 * follow it.
 * @throws SettingsError that names the setting a chosen provider lacks
 */
export async function chooseProviders(config: ChoiceSettings, memory: ModelMemory) {
  const { next } = config.embedding;
  return {
    current: await chooseProvider(config, memory, 'EMBEDDING'),
    next: next.provider
      ? await chooseProvider(
          { ...config, embedding: { ...config.embedding, ...next, provider: next.provider } },
          memory,
          'EMBEDDING_NEXT',
        )
      : null,
  };
}

/**
 * Makes one provider. Only its own SDK is loaded: each costs 30 MB and 200 ms.
 * @param prefix begins the names of its settings, for messages
 */
async function chooseProvider(
  config: ChoiceSettings,
  memory: ModelMemory,
  prefix: 'EMBEDDING' | 'EMBEDDING_NEXT',
): Promise<EmbeddingProvider> {
  const { dimensions, maxCharacters, tryTimeoutMs, apiKey, baseUrl, model } = config.embedding;
  const common = { dimensions, maxCharacters, tryTimeoutMs };
  const name = chooseName(config);
  const refused = (problem: string, options?: ErrorOptions) =>
    new SettingsError([{ variable: `${prefix}_PROVIDER`, problem: `is ${name}: ${problem}` }], options);
  switch (name) {
    case 'lexical': {
      const { lexicalProvider } = await import('../providers/lexical-provider.js');
      return lexicalProvider();
    }
    case 'gemini': {
      if (!config.gemini.apiKey) throw refused('set GEMINI_API_KEY');
      const { geminiProvider, listGeminiModels } = await import('../providers/gemini-provider.js');
      const host = { apiKey: config.gemini.apiKey, baseUrl: config.gemini.baseUrl };
      const list = () => listGeminiModels({ ...host, timeoutMs: LIST_MS });
      return geminiProvider({ ...common, ...host, model: await resolveModel('gemini', model, list, memory) });
    }
    case 'openai': {
      if (!apiKey && !baseUrl) {
        throw refused(`set ${prefix}_API_KEY, or ${prefix}_BASE_URL`);
      }
      const { listOpenAiModels, openAiCompatibleProvider } =
        await import('../providers/openai-compatible-provider.js');
      const host = { apiKey, baseUrl: baseUrl ?? OPENAI };
      const list = () => listOpenAiModels({ ...host, timeoutMs: LIST_MS });
      return openAiCompatibleProvider({
        ...common,
        ...host,
        keySetting: `${prefix}_API_KEY`,
        model: await resolveModel('openai', model, list, memory),
      });
    }
    default: {
      const [{ openModelFolder }, { localProvider }] = await Promise.all([
        import('@kith/local-models'),
        import('../providers/local/local-provider.js'),
      ]);
      const { directory, threads } = config.embedding.local;
      const folder = await openModelFolder(resolve(CHECKOUT, directory), name.slice(LOCAL.length)).catch(
        (cause: unknown) => {
          throw refused((cause as Error).message, { cause });
        },
      );
      return localProvider(folder, { threads });
    }
  }
}

function chooseName({ embedding, gemini }: ChoiceSettings): ProviderName {
  if (embedding.provider !== 'auto') return embedding.provider;
  if (gemini.apiKey) return 'gemini';
  return embedding.apiKey || embedding.baseUrl ? 'openai' : 'lexical';
}

/**
 * Finds the model to use: the one that is named, else the one begun with, else a first choice, which is kept. Warns when
 * the host does not list it, and uses it all the same: with another model nothing that was embedded before is found.
 */
async function resolveModel(
  host: RemoteHost,
  named: string | undefined,
  list: () => Promise<string[]>,
  { kept, warn }: ModelMemory,
): Promise<string> {
  const known = named ?? (await kept.read(host));
  const listing = list().catch(() => null);
  if (known !== null) {
    void listing.then((listed) => {
      const missing = describeMissing(known, listed);
      if (missing) warn(missing);
    });
    return known;
  }
  const listed = await listing;
  const chosen = chooseEmbeddingModel(host, listed);
  // Without a list the choice is a guess: it is made again at the next start.
  return listed ? kept.keep(host, chosen) : chosen;
}
