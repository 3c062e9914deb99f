import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { ANTHROPIC_API } from './apis/anthropic-api.js';
import { CHAT_API, GROQ_API } from './apis/chat-api.js';
import { GEMINI_API } from './apis/gemini-api.js';
import { OLLAMA_API } from './apis/ollama-api.js';
import { RESPONSES_API } from './apis/responses-api.js';
import type { RequestMessage, ScriptedApi } from './apis/scripted-api.js';

export type ModelApi = 'openai' | 'responses' | 'anthropic' | 'groq' | 'gemini' | 'ollama';

/** Every API that a double speaks. */
export const APIS: Readonly<Record<ModelApi, ScriptedApi>> = {
  openai: CHAT_API,
  responses: RESPONSES_API,
  anthropic: ANTHROPIC_API,
  groq: GROQ_API,
  gemini: GEMINI_API,
  ollama: OLLAMA_API,
};

/** A request as it came, read alike for every API. */
export interface ScriptedRequest {
  kind: 'chat' | 'embedding';
  api: ModelApi;
  path: string;
  model: string;
  stream: boolean;
  /** Chat: system, user, assistant, tool (Gemini's `model` is `assistant`). */
  messages: RequestMessage[];
  /** Embeddings: what is to be embedded. */
  texts: string[];
  headers: IncomingHttpHeaders;
  /** The parsed body, unchanged. */
  body: Record<string, unknown>;
}

const OpenAiEmbedding = z.looseObject({
  model: z.string(),
  input: z.union([z.string().transform((text) => [text]), z.array(z.string()).min(1)]),
});

const GeminiEmbedding = z.looseObject({
  requests: z
    .array(
      z.looseObject({
        content: z.looseObject({ parts: z.array(z.looseObject({ text: z.string().default('') })) }),
      }),
    )
    .min(1),
});

interface Incoming {
  path: string;
  headers: IncomingHttpHeaders;
  body: unknown;
}

/** APIs that are asked for words, by their paths. Gemini without `alt=sse` streams a JSON array, which nothing reads. */
const CHAT_PATHS: readonly (readonly [RegExp, ModelApi])[] = [
  [/^\/openai\/v1\/chat\/completions$/, 'groq'],
  [/\/chat\/completions$/, 'openai'],
  [/\/responses$/, 'responses'],
  [/^\/v1\/messages$/, 'anthropic'],
  [/^\/api\/chat$/, 'ollama'],
  [/^\/v1(?:beta)?\/models\/[^:]+:(?:generateContent$|streamGenerateContent\?alt=sse$)/, 'gemini'],
];

/** Names the API that a path belongs to; null when none has it. */
export function apiOfPath(path: string): ModelApi | null {
  const { pathname, search } = new URL(path, 'http://model');
  const asked = pathname.endsWith(':streamGenerateContent') ? pathname + search : pathname;
  return CHAT_PATHS.find(([pattern]) => pattern.test(asked))?.[1] ?? null;
}

/**
 * Reads a request; null when no API has this path. Throws when its body is not what the API takes: a zod error of its
 * form, a `RequestRefusal` of its sense.
 */
export function readScriptedRequest({ path, headers, body }: Incoming): ScriptedRequest | null {
  const common = { path, headers, body: body as Record<string, unknown>, messages: [], texts: [] };
  const api = apiOfPath(path);
  if (api) return { ...common, kind: 'chat', api, ...APIS[api].read(body, path) };
  const { pathname } = new URL(path, 'http://model');
  const [, gemini] = /^\/v1(?:beta)?\/models\/([^:]+):batchEmbedContents$/.exec(pathname) ?? [];
  const base = { ...common, kind: 'embedding' as const, stream: false };
  if (gemini) {
    const texts = GeminiEmbedding.parse(body).requests.map(({ content }) =>
      content.parts.map(({ text }) => text).join('\n'),
    );
    return { ...base, api: 'gemini', model: decodeURIComponent(gemini), texts };
  }
  if (pathname.endsWith('/embeddings')) {
    const { model, input } = OpenAiEmbedding.parse(body);
    return { ...base, api: pathname.startsWith('/openai/') ? 'groq' : 'openai', model, texts: input };
  }
  return null;
}
