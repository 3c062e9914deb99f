import type { SettingsOf } from '@kith/service-host/settings';
import type { settings } from '../config.js';
import type { KeptModel } from '../cache/kept-model.js';
import { chooseEmbeddingModel, describeMissing, type RemoteHost } from './choose-embedding-model.js';
import type { EmbeddingProvider } from './provider.js';

type Config = Pick<SettingsOf<typeof settings>, 'embedding' | 'gemini'>;

const OPENAI = 'https://api.openai.com/v1';

/** A start waits this long for a host's list of models, once in an install's life. */
const LIST_MS = 5_000;

/** The providers of this process's life: the one in use, and the one that is to follow it. */
export interface Providers {
  current: EmbeddingProvider;
  next: EmbeddingProvider | null;
}

/** Where the first choice is remembered, and who is told when its host no longer lists it. */
export interface ModelMemory {
  kept: KeptModel;
  warn(message: string): void;
}

/** @throws Error that names the setting a chosen provider lacks */
export async function chooseProviders(config: Config, memory: ModelMemory): Promise<Providers> {
  const { next } = config.embedding;
  return {
    current: await chooseProvider(config, memory),
    next: next.provider
      ? await chooseProvider(
          { ...config, embedding: { ...config.embedding, ...next, provider: next.provider } },
          memory,
        )
      : null,
  };
}

/**
 * The provider these settings name. Only its own SDK is loaded: each costs 30 MB and 200 ms.
 * @throws Error that names the setting a chosen provider lacks
 */
export async function chooseProvider(config: Config, memory: ModelMemory): Promise<EmbeddingProvider> {
  const { dimensions, maxCharacters, tryTimeoutMs, apiKey, baseUrl, model } = config.embedding;
  const common = { dimensions, maxCharacters, tryTimeoutMs };
  switch (chooseName(config)) {
    case 'lexical': {
      const { lexicalProvider } = await import('./lexical.js');
      return lexicalProvider();
    }
    case 'gemini': {
      if (!config.gemini.apiKey) throw new Error('EMBEDDING_PROVIDER is gemini: set GEMINI_API_KEY');
      const { geminiProvider, listGeminiModels } = await import('./gemini.js');
      const host = { apiKey: config.gemini.apiKey, baseUrl: config.gemini.baseUrl };
      const list = () => listGeminiModels({ ...host, timeoutMs: LIST_MS });
      return geminiProvider({ ...common, ...host, model: await settleModel('gemini', model, list, memory) });
    }
    case 'openai': {
      if (!apiKey && !baseUrl) {
        throw new Error('EMBEDDING_PROVIDER is openai: set EMBEDDING_API_KEY, or EMBEDDING_BASE_URL');
      }
      const { listOpenAiModels, openAiCompatibleProvider } = await import('./openai-compatible.js');
      const host = { apiKey, baseUrl: baseUrl ?? OPENAI };
      const list = () => listOpenAiModels({ ...host, timeoutMs: LIST_MS });
      return openAiCompatibleProvider({
        ...common,
        ...host,
        model: await settleModel('openai', model, list, memory),
      });
    }
  }
}

function chooseName({ embedding, gemini }: Config): 'gemini' | 'openai' | 'lexical' {
  if (embedding.provider !== 'auto') return embedding.provider;
  if (gemini.apiKey) return 'gemini';
  return embedding.apiKey || embedding.baseUrl ? 'openai' : 'lexical';
}

/**
 * The model that is named, else the one begun with, else a first choice, which is kept. Warns when the host does not
 * list it; it is used all the same, since a model that changed by itself would lose every memory's place.
 */
async function settleModel(
  host: RemoteHost,
  named: string | undefined,
  list: () => Promise<string[]>,
  { kept, warn }: ModelMemory,
): Promise<string> {
  const settled = named ?? (await kept.read(host));
  const listing = list().catch(() => null);
  if (settled !== null) {
    void listing.then((listed) => {
      const missing = describeMissing(settled, listed);
      if (missing) warn(missing);
    });
    return settled;
  }
  const listed = await listing;
  const chosen = chooseEmbeddingModel(host, listed);
  // Without a list the choice is a guess: it is made again at the next start.
  return listed ? kept.keep(host, chosen) : chosen;
}
