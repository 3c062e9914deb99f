import type { ModelProvider } from '../provider.js';
import { readChunks, renderMessages, renderTools } from './chat-completions.js';
import { eventFetch } from './host-fetch.js';
import { hostProvider } from './host-provider.js';
import { traitsOf } from './model-traits.js';
import { openAiClient, type OpenAiHost } from './openai-client.js';
import { readOffered } from './read-offered.js';
import { RefusedParameters } from './refused-parameters.js';

export interface OpenAiCompatibleHost extends OpenAiHost {
  /** OpenAI's newer models refuse `max_tokens`; most other hosts know nothing else. */
  maxTokensField: 'max_tokens' | 'max_completion_tokens';
  /** True where it can be held to JSON. An unknown host may answer that field with a 400. */
  jsonMode: boolean;
}

/** Any host that speaks OpenAI's `POST /chat/completions`. */
export function openAiCompatibleProvider(host: OpenAiCompatibleHost): ModelProvider {
  const refused = new RefusedParameters();
  return hostProvider({
    name: host.name,
    opening: openAiClient(host, eventFetch),
    list: async ({ models }, signal) => readOffered((await models.list({ signal })).data),
    send(client, { model, messages, tools, maxTokens, temperature, json, signal }, origin) {
      const { reasoningEffort, extraTokens } = traitsOf(model);
      const body = {
        model,
        messages: renderMessages(messages, origin),
        ...renderTools(tools),
        ...(maxTokens === undefined ? {} : { [host.maxTokensField]: maxTokens + extraTokens }),
        ...(temperature === undefined ? {} : { temperature }),
        ...(reasoningEffort === null ? {} : { reasoning_effort: reasoningEffort }),
        ...(json && host.jsonMode ? { response_format: { type: 'json_object' as const } } : {}),
        stream: true as const,
        stream_options: { include_usage: true },
      };
      return refused.send(model, body, (allowed) => client.chat.completions.create(allowed, { signal }));
    },
    read: readChunks,
  });
}
