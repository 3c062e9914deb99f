import { z } from 'zod';

const Milliseconds = z.number().int().positive();
const Host = z.object({ apiKey: z.string().optional(), baseUrl: z.string() });

/**
 * Models to use and times to wait for them. The services read it from their environment; the
 * variable of each is named where `CHAT_MODELS` is, in the service host's `modelSettings`.
 */
export const ModelSettings = z.object({
  /** `provider:model`, comma-separated, best first. Empty: by the keys that are set. */
  chatModels: z.string(),
  fastModels: z.string(),
  tryTimeoutMs: Milliseconds,
  firstTokenTimeoutMs: Milliseconds,
  budgetMs: Milliseconds,
  maxTries: z.number().int().positive(),
  maxTokens: z.number().int().positive(),
  /** JSON of limits and prices by `provider:model`, which go before the catalogue's. */
  cards: z.string().optional(),
  chutes: Host,
  openai: Host.extend({
    /** API that OpenAI's models are asked over. */
    api: z.enum(['chat', 'responses']).optional(),
  }),
  anthropic: Host.optional(),
  groq: Host,
  gemini: Host,
  ollama: Host.partial().extend({ contextTokens: z.number().int().positive().optional() }).optional(),
  compatible: Host.partial().extend({
    /** Addresses of more such hosts, by the operator's own names for them. */
    hosts: z.record(z.string(), z.string()).optional(),
    /** Keys of those that ask for one. */
    keys: z.record(z.string(), z.string()).optional(),
  }),
});
export type ModelSettings = z.infer<typeof ModelSettings>;
