import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';

export type ModelApi = 'openai' | 'groq' | 'gemini';

/** A request as it came, read alike for every API. */
export interface ScriptedRequest {
  kind: 'chat' | 'embedding';
  api: ModelApi;
  path: string;
  model: string;
  stream: boolean;
  /** Chat: system, user, assistant, tool (Gemini's `model` is `assistant`). */
  messages: { role: string; text: string }[];
  /** Embeddings: what is to be embedded. */
  texts: string[];
  headers: IncomingHttpHeaders;
  /** The parsed body, unchanged. */
  body: Record<string, unknown>;
}

const OpenAiChat = z.looseObject({
  model: z.string(),
  stream: z.boolean().default(false),
  messages: z
    .array(
      z.looseObject({
        role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
        content: z
          .union([z.string(), z.array(z.looseObject({ text: z.string().default('') }))])
          .nullish()
          .transform((content) =>
            typeof content === 'string' ? content : (content ?? []).map(({ text }) => text).join(''),
          ),
      }),
    )
    .min(1),
});

/** The newer form of the same, which is answered whole: nothing here streams it. */
const OpenAiResponse = z.looseObject({
  model: z.string(),
  stream: z.literal(false).default(false),
  input: z.array(
    z.looseObject({
      role: z.enum(['system', 'developer', 'user', 'assistant']),
      content: z
        .union([z.string(), z.array(z.looseObject({ text: z.string().default('') }))])
        .transform((content) =>
          typeof content === 'string' ? content : content.map(({ text }) => text).join(''),
        ),
    }),
  ),
});

const OpenAiEmbedding = z.looseObject({
  model: z.string(),
  input: z.union([z.string().transform((text) => [text]), z.array(z.string()).min(1)]),
});

const GeminiParts = z.array(z.looseObject({ text: z.string().default('') }));
const GeminiContent = z.looseObject({ role: z.string().optional(), parts: GeminiParts });
const GeminiChat = z.looseObject({
  systemInstruction: GeminiContent.optional(),
  contents: z.array(GeminiContent).min(1),
});
const GeminiEmbedding = z.looseObject({
  requests: z.array(z.looseObject({ content: GeminiContent })).min(1),
});

interface Incoming {
  path: string;
  headers: IncomingHttpHeaders;
  body: unknown;
}

/** Reads a request; null when no API has this path. Throws a zod error when its body is not in the API's form. */
export function readScriptedRequest({ path, headers, body }: Incoming): ScriptedRequest | null {
  const url = new URL(path, 'http://model');
  const gemini = /^\/v1(?:beta)?\/models\/([^:]+):(\w+)$/.exec(url.pathname);
  const common = { path, headers, body: body as Record<string, unknown>, messages: [], texts: [] };
  if (gemini) return readGemini(common, decodeURIComponent(gemini[1] ?? ''), gemini[2] ?? '', url);
  const api = url.pathname.startsWith('/openai/v1/') ? 'groq' : 'openai';
  if (url.pathname.endsWith('/chat/completions')) {
    const { model, stream, messages } = OpenAiChat.parse(body);
    const said = messages.map(({ role, content }) => ({ role, text: content }));
    return { ...common, kind: 'chat', api, model, stream, messages: said };
  }
  if (url.pathname.endsWith('/responses')) {
    const { model, stream, input } = OpenAiResponse.parse(body);
    const said = input.map(({ role, content }) => ({ role, text: content }));
    return { ...common, kind: 'chat', api, model, stream, messages: said };
  }
  if (url.pathname.endsWith('/embeddings')) {
    const { model, input } = OpenAiEmbedding.parse(body);
    return { ...common, kind: 'embedding', api, model, stream: false, texts: input };
  }
  return null;
}

type Common = Pick<ScriptedRequest, 'path' | 'headers' | 'body' | 'messages' | 'texts'>;

function readGemini(common: Common, model: string, verb: string, url: URL): ScriptedRequest | null {
  const base = { ...common, api: 'gemini', model } as const;
  if (verb === 'batchEmbedContents') {
    const texts = GeminiEmbedding.parse(common.body).requests.map(({ content }) => textOf(content.parts));
    return { ...base, kind: 'embedding', stream: false, texts };
  }
  const stream = verb === 'streamGenerateContent';
  // Without `alt=sse` the real API streams a JSON array, which nothing here reads.
  if (verb !== 'generateContent' && !(stream && url.searchParams.get('alt') === 'sse')) return null;
  const { systemInstruction, contents } = GeminiChat.parse(common.body);
  const system = systemInstruction ? [{ role: 'system', text: textOf(systemInstruction.parts) }] : [];
  const said = contents.map(({ role, parts }) => ({
    role: role === 'model' ? 'assistant' : 'user',
    text: textOf(parts),
  }));
  return { ...base, kind: 'chat', stream, messages: [...system, ...said] };
}

function textOf(parts: { text: string }[]): string {
  return parts.map(({ text }) => text).join('\n');
}
