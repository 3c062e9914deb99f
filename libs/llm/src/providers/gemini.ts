import type { GenerateContentConfig, ThinkingLevel } from '@google/genai';
import { readFailure } from '../errors/read-failure.js';
import type { ModelProvider, OfferedModel, ProviderRequest, StreamPart } from '../provider.js';
import { traitsOf } from './model-traits.js';
import { renderGemini } from './render-gemini.js';
import { readGemini } from './read-gemini.js';

/** The process's own fetch: the SDK would bring a connection pool of its own. */
const plainFetch: typeof fetch = (input, init) => fetch(input, init);

/** All of Google's models in one answer: it lists some fifty, 50 a page unless told. */
const LIST_PAGE = 1_000;

/** Google Gemini over `streamGenerateContent`. */
export function geminiProvider({ apiKey, baseUrl }: { apiKey: string; baseUrl: string }): ModelProvider {
  const opening = import('@google/genai').then(
    ({ GoogleGenAI }) => new GoogleGenAI({ apiKey, vertexai: false }),
  );
  return {
    name: 'gemini',
    async list(signal): Promise<OfferedModel[]> {
      try {
        const client = await opening;
        const config = {
          abortSignal: signal,
          httpOptions: { baseUrl, fetch: plainFetch },
          pageSize: LIST_PAGE,
        };
        const offered: OfferedModel[] = [];
        for await (const { name, supportedActions, inputTokenLimit } of await client.models.list({
          config,
        })) {
          // An embedding or picture model does not generate content.
          if (!name || (supportedActions && !supportedActions.includes('generateContent'))) continue;
          offered.push({
            id: name.replace(/^models\//, ''),
            contextTokens: inputTokenLimit ?? null,
            ...{ createdAtMs: null, retiresOn: null, price: null },
          });
        }
        return offered;
      } catch (error) {
        throw readFailure(error, { provider: 'gemini', opened: false });
      }
    },
    async *stream(request: ProviderRequest): AsyncGenerator<StreamPart> {
      let opened = false;
      let retryAfter: string | null = null;
      // The SDK's error keeps no headers; a wrapped fetch is the way to see them.
      const seeingFetch: typeof fetch = async (input, init) => {
        const answer = await fetch(input, init);
        retryAfter = answer.headers.get('retry-after');
        return answer;
      };
      try {
        const { system, contents } = renderGemini(request.messages, request.model);
        const client = await opening;
        const chunks = await client.models.generateContentStream({
          model: request.model,
          contents,
          config: { ...configOf(request, system), httpOptions: { baseUrl, fetch: seeingFetch } },
        });
        opened = true;
        yield* readGemini(chunks);
      } catch (error) {
        throw readFailure(error, { provider: 'gemini', opened, retryAfter });
      }
    },
  };
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
    // eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment
    ...(reasoningEffort === null ? {} : { thinkingConfig: { thinkingLevel: 'LOW' as ThinkingLevel } }),
    ...(json ? { responseMimeType: 'application/json' } : {}),
    ...(tools?.length
      ? {
          tools: [
            {
              functionDeclarations: tools.map(({ name, description, parameters }) => ({
                name,
                description,
                parametersJsonSchema: parameters,
              })),
            },
          ],
        }
      : {}),
  };
}
