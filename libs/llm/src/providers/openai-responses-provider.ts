import type { ResponseCreateParamsStreaming } from 'openai/resources/responses/responses';
import type { ModelProvider } from '../provider.js';
import { eventFetch } from './host-fetch.js';
import { hostProvider } from './host-provider.js';
import { traitsOf } from './model-traits.js';
import { openAiClient, type OpenAiHost } from './openai-client.js';
import { readOffered } from './read-offered.js';
import { readResponse } from './read-response.js';
import { RefusedParameters } from './refused-parameters.js';
import { renderResponses, renderResponsesTools } from './render-responses.js';

/**
 * OpenAI over `POST /responses`, its newer API. Nothing is stored there: the whole history stands in each request, and
 * reasoning comes back sealed, for the model alone.
 */
export function openAiResponsesProvider(host: OpenAiHost): ModelProvider {
  const opening = openAiClient(host, eventFetch);
  const refused = new RefusedParameters(['temperature', 'reasoning', 'include', 'text']);
  return hostProvider({
    name: host.name,
    opening,
    list: async (signal) => readOffered((await (await opening).models.list({ signal })).data),
    async send({ model, messages, tools, maxTokens, temperature, json, signal }, origin) {
      const client = await opening;
      const { reasoningEffort, extraTokens } = traitsOf(model);
      const body: ResponseCreateParamsStreaming = {
        model,
        input: renderResponses(messages, origin),
        ...renderResponsesTools(tools),
        ...(maxTokens === undefined ? {} : { max_output_tokens: maxTokens + extraTokens }),
        ...(temperature === undefined ? {} : { temperature }),
        ...(reasoningEffort === null
          ? {}
          : { reasoning: { effort: reasoningEffort }, include: ['reasoning.encrypted_content' as const] }),
        ...(json ? { text: { format: { type: 'json_object' as const } } } : {}),
        store: false,
        stream: true,
      };
      return refused.send(model, body, (allowed) => client.responses.create(allowed, { signal }));
    },
    read: readResponse,
  });
}
