import type { ModelProvider } from '../provider.js';
import { anthropicProvider } from './anthropic-provider.js';
import { geminiProvider } from './gemini-provider.js';
import { groqProvider } from './groq-provider.js';
import { ollamaProvider } from './ollama-provider.js';
import { openAiCompatibleProvider } from './openai-compatible-provider.js';
import { openAiResponsesProvider } from './openai-responses-provider.js';

/** Every provider at one host, for tests, with a model whose rules are strict. */
export const EVERY_PROVIDER: Readonly<
  Record<string, { model: string; open: (apiKey: string, url: string) => ModelProvider }>
> = {
  'openai-compatible': {
    model: 'deepseek-ai/DeepSeek-V3.2',
    open: (apiKey, url) =>
      openAiCompatibleProvider({
        name: 'openai-compatible',
        apiKey,
        baseUrl: `${url}/v1`,
        maxTokensField: 'max_tokens',
        jsonMode: true,
      }),
  },
  'openai-responses': {
    model: 'o4',
    open: (apiKey, url) =>
      openAiResponsesProvider({ name: 'openai-responses', apiKey, baseUrl: `${url}/v1` }),
  },
  anthropic: {
    model: 'claude-sonnet-5-5',
    open: (apiKey, baseUrl) => anthropicProvider({ apiKey, baseUrl }),
  },
  groq: {
    model: 'openai/gpt-oss-120b',
    open: (apiKey, url) => groqProvider({ apiKey, baseUrl: `${url}/openai/v1` }),
  },
  gemini: { model: 'gemini-3.8-flash', open: (apiKey, baseUrl) => geminiProvider({ apiKey, baseUrl }) },
  ollama: {
    model: 'gpt-oss:20b',
    open: (apiKey, baseUrl) => ollamaProvider({ apiKey, baseUrl, contextTokens: 8_192 }),
  },
};
