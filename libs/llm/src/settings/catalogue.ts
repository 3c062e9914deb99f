import type { ModelProvider } from '../provider.js';
import { geminiProvider } from '../providers/gemini.js';
import { groqProvider } from '../providers/groq.js';
import { openAiCompatibleProvider } from '../providers/openai-compatible.js';
import { rehearsalProvider } from '../providers/rehearsal.js';
import type { ModelSettings } from './model-settings.js';

/** A provider as the settings know it. */
export interface CatalogueEntry {
  name: string;
  /** The setting without which it can't be used, named in errors; null when there is none. */
  needs: string | null;
  /** Is it taken when a list is empty and it is set up? Its models are chosen by `model-families.ts` then. */
  hasDefaults: boolean;
  /** Null when what it needs is not set. */
  open: (settings: ModelSettings) => ModelProvider | null;
}

/** Every provider, in the order in which they are preferred for chat. A new one is a file and a line here. */
export const CATALOGUE: readonly CatalogueEntry[] = [
  {
    name: 'chutes',
    needs: 'CHUTES_API_KEY',
    hasDefaults: true,
    open: ({ chutes: { apiKey, baseUrl } }) =>
      apiKey
        ? openAiCompatibleProvider({
            name: 'chutes',
            apiKey,
            baseUrl,
            maxTokensField: 'max_tokens',
            jsonMode: true,
          })
        : null,
  },
  {
    name: 'openai',
    needs: 'OPENAI_API_KEY',
    hasDefaults: true,
    open: ({ openai: { apiKey, baseUrl } }) =>
      apiKey
        ? openAiCompatibleProvider({
            name: 'openai',
            apiKey,
            baseUrl,
            maxTokensField: 'max_completion_tokens',
            jsonMode: true,
          })
        : null,
  },
  {
    name: 'groq',
    needs: 'GROQ_API_KEY',
    hasDefaults: true,
    open: ({ groq: { apiKey, baseUrl } }) => (apiKey ? groqProvider({ apiKey, baseUrl }) : null),
  },
  {
    name: 'gemini',
    needs: 'GEMINI_API_KEY',
    hasDefaults: true,
    open: ({ gemini: { apiKey, baseUrl } }) => (apiKey ? geminiProvider({ apiKey, baseUrl }) : null),
  },
  {
    name: 'compatible',
    needs: 'COMPATIBLE_BASE_URL',
    hasDefaults: false, // no model is the same on every such host
    open: ({ compatible: { apiKey, baseUrl } }) =>
      baseUrl
        ? openAiCompatibleProvider({
            name: 'compatible',
            apiKey,
            baseUrl,
            maxTokensField: 'max_tokens',
            jsonMode: false,
          })
        : null,
  },
  { name: 'rehearsal', needs: null, hasDefaults: false, open: () => rehearsalProvider() },
];
