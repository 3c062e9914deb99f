import type { ChatCompletionChunk } from 'groq-sdk/resources/chat/completions';
import type { ModelProvider } from '../provider.js';
import { readChunks, renderMessages, renderTools } from './chat-completions.js';
import { eventFetch } from './host-fetch.js';
import { hostProvider } from './host-provider.js';
import { traitsOf } from './model-traits.js';
import { readOffered } from './read-offered.js';
import { RefusedParameters } from './refused-parameters.js';

/** Groq, over its own SDK. Its JSON mode is not asked for: Groq does not offer it together with streaming. */
export function groqProvider({ apiKey, baseUrl }: { apiKey: string; baseUrl: string }): ModelProvider {
  const refused = new RefusedParameters();
  return hostProvider({
    name: 'groq',
    opening: import('groq-sdk').then(
      ({ Groq }) =>
        new Groq({
          apiKey,
          // The SDK adds `/openai/v1` itself; Groq's documents give the address with it.
          baseURL: baseUrl.replace(/\/openai\/v1\/?$/, ''),
          maxRetries: 0, // ours are counted and bounded together
          logLevel: 'off', // the SDK would print chunks that it can't parse
          fetch: eventFetch,
        }),
    ),
    list: async ({ models }, signal) => readOffered((await models.list({ signal })).data),
    send(client, { model, messages, tools, maxTokens, temperature, signal }, origin) {
      const { reasoningEffort, extraTokens } = traitsOf(model);
      const body = {
        model,
        messages: renderMessages(messages, origin),
        ...renderTools(tools),
        ...(maxTokens === undefined ? {} : { max_completion_tokens: maxTokens + extraTokens }),
        ...(temperature === undefined ? {} : { temperature }),
        ...(reasoningEffort === null ? {} : { reasoning_effort: reasoningEffort }),
        stream: true as const,
      };
      return refused.send(model, body, (allowed) => client.chat.completions.create(allowed, { signal }));
    },
    read: (origin, chunks) => readChunks(origin, withUsage(chunks)),
  });
}

/** Groq tells usage in a field of its own, in the last chunk. */
async function* withUsage(chunks: AsyncIterable<ChatCompletionChunk>) {
  for await (const chunk of chunks)
    yield chunk.x_groq?.usage ? { ...chunk, usage: chunk.x_groq.usage } : chunk;
}
