import type { FunctionDeclaration, GenerateContentConfig, ThinkingLevel } from '@google/genai';
import type { ToolDefinition } from '../messages.js';
import type { ModelProvider, OfferedModel, ProviderRequest } from '../provider.js';
import { eventFetch } from './host-fetch.js';
import { hostProvider } from './host-provider.js';
import { traitsOf } from './model-traits.js';
import { renderGemini } from './render-gemini.js';
import { readGemini } from './read-gemini.js';

/** The process's own fetch: the SDK would bring a connection pool of its own. */
const plainFetch: typeof fetch = (input, init) => fetch(input, init);

/** All of Google's models in one answer: it lists some fifty, 50 a page unless told. */
const LIST_PAGE = 1_000;

/** Google Gemini over `streamGenerateContent`. */
export function geminiProvider({ apiKey, baseUrl }: { apiKey: string; baseUrl: string }): ModelProvider {
  return hostProvider({
    name: 'gemini',
    opening: import('@google/genai').then(({ GoogleGenAI }) => new GoogleGenAI({ apiKey, vertexai: false })),
    async list(client, signal) {
      const config = {
        abortSignal: signal,
        httpOptions: { baseUrl, fetch: plainFetch },
        pageSize: LIST_PAGE,
      };
      const offered: OfferedModel[] = [];
      for await (const { name, supportedActions, inputTokenLimit } of await client.models.list({ config })) {
        // An embedding or picture model does not generate content.
        if (!name || (supportedActions && !supportedActions.includes('generateContent'))) continue;
        offered.push({
          id: name.replace(/^models\//, ''),
          contextTokens: inputTokenLimit ?? null,
          createdAtMs: null,
          retiresOn: null,
          price: null,
        });
      }
      return offered;
    },
    async send(client, request) {
      let headers: Headers | undefined;
      const notingFetch: typeof fetch = async (input, init) => {
        const answer = await eventFetch(input, init);
        headers = answer.headers;
        return answer;
      };
      const { system, contents } = renderGemini(request.messages, request.model);
      try {
        return await client.models.generateContentStream({
          model: request.model,
          contents,
          config: { ...configOf(request, system), httpOptions: { baseUrl, fetch: notingFetch } },
        });
      } catch (error) {
        // The SDK's error keeps no headers, of which one tells how long to wait.
        throw Object.assign(error as Error, { headers });
      }
    },
    read: (_origin, chunks) => readGemini(chunks),
  });
}

function configOf(request: ProviderRequest, system: string): GenerateContentConfig {
  const { model, tools, maxTokens, temperature, json, signal } = request;
  const { reasoningEffort, extraTokens } = traitsOf(model);
  return {
    abortSignal: signal,
    ...(system ? { systemInstruction: system } : {}),
    ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens + extraTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    // The SDK is loaded when it is first used, and its enum with it.
    // oxlint-disable-next-line typescript/no-unsafe-enum-assignment
    ...(reasoningEffort === null ? {} : { thinkingConfig: { thinkingLevel: 'LOW' as ThinkingLevel } }),
    ...(json ? { responseMimeType: 'application/json' } : {}),
    ...(tools?.length ? { tools: [{ functionDeclarations: tools.map(declare) }] } : {}),
  };
}

function declare({ name, description, parameters }: ToolDefinition): FunctionDeclaration {
  return { name, description, parametersJsonSchema: parameters };
}
