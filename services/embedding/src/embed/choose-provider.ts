import type { SettingsOf } from '@kith/service-host';
import type { settings } from '../config.js';
import type { EmbeddingProvider } from './provider.js';

type Config = Pick<SettingsOf<typeof settings>, 'embedding' | 'gemini'>;

const OPENAI = 'https://api.openai.com/v1';

/** The providers of this process's life: the one in use, and the one that is to follow it. */
export interface Providers {
  current: EmbeddingProvider;
  next: EmbeddingProvider | null;
}

/** @throws Error that names the setting a chosen provider lacks */
export async function chooseProviders(config: Config): Promise<Providers> {
  const { next } = config.embedding;
  return {
    current: await chooseProvider(config),
    next: next.provider
      ? await chooseProvider({
          ...config,
          embedding: { ...config.embedding, ...next, provider: next.provider },
        })
      : null,
  };
}

/**
 * The provider these settings name. Only its own SDK is loaded: each costs 30 MB and 200 ms.
 * @throws Error that names the setting a chosen provider lacks
 */
export async function chooseProvider(config: Config): Promise<EmbeddingProvider> {
  const { dimensions, maxCharacters, tryTimeoutMs, apiKey, baseUrl, model } = config.embedding;
  const common = { dimensions, maxCharacters, tryTimeoutMs };
  switch (chooseName(config)) {
    case 'lexical': {
      const { lexicalProvider } = await import('./lexical.js');
      return lexicalProvider();
    }
    case 'gemini': {
      if (!config.gemini.apiKey) throw new Error('EMBEDDING_PROVIDER is gemini: set GEMINI_API_KEY');
      const { geminiProvider } = await import('./gemini.js');
      return geminiProvider({
        ...common,
        apiKey: config.gemini.apiKey,
        baseUrl: config.gemini.baseUrl,
        model: model ?? 'gemini-embedding-001',
      });
    }
    case 'openai': {
      if (!apiKey && !baseUrl) {
        throw new Error('EMBEDDING_PROVIDER is openai: set EMBEDDING_API_KEY, or EMBEDDING_BASE_URL');
      }
      const { openAiCompatibleProvider } = await import('./openai-compatible.js');
      return openAiCompatibleProvider({
        ...common,
        apiKey,
        baseUrl: baseUrl ?? OPENAI,
        model: model ?? 'text-embedding-3-small',
      });
    }
  }
}

function chooseName({ embedding, gemini }: Config): 'gemini' | 'openai' | 'lexical' {
  if (embedding.provider !== 'auto') return embedding.provider;
  if (gemini.apiKey) return 'gemini';
  return embedding.apiKey || embedding.baseUrl ? 'openai' : 'lexical';
}
