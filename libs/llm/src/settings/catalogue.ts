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
  /** Models taken when a list is empty and the provider is set up; null: never taken by itself. */
  defaults: { chat: string; fast: string } | null;
  /** Null when what it needs is not set. */
  open(settings: ModelSettings): ModelProvider | null;
}

/** Every provider, in the order in which they are preferred for chat. A new one is a file and a line here. */
export const CATALOGUE: readonly CatalogueEntry[] = [
  {
    name: 'chutes',
    needs: 'CHUTES_API_KEY',
    defaults: { chat: 'deepseek-ai/DeepSeek-V3', fast: 'deepseek-ai/DeepSeek-V3' },
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
    defaults: { chat: 'gpt-4.1', fast: 'gpt-4.1-mini' },
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
    defaults: { chat: 'llama-3.3-70b-versatile', fast: 'llama-3.1-8b-instant' },
    open: ({ groq: { apiKey, baseUrl } }) => (apiKey ? groqProvider({ apiKey, baseUrl }) : null),
  },
  {
    name: 'gemini',
    needs: 'GEMINI_API_KEY',
    defaults: { chat: 'gemini-2.5-flash', fast: 'gemini-2.5-flash-lite' },
    open: ({ gemini: { apiKey, baseUrl } }) => (apiKey ? geminiProvider({ apiKey, baseUrl }) : null),
  },
  {
    name: 'compatible',
    needs: 'COMPATIBLE_BASE_URL',
    defaults: null, // no model is the same on every such host
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
  { name: 'rehearsal', needs: null, defaults: null, open: () => rehearsalProvider() },
];
