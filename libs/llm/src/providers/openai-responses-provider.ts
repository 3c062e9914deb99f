import type {
  FunctionTool,
  ResponseCreateParamsStreaming,
  ResponseInputContent,
  ResponseInputItem,
} from 'openai/resources/responses/responses';
import type { ModelProvider } from '../provider.js';
import { eventFetch } from './host-fetch.js';
import { hostProvider } from './host-provider.js';
import { traitsOf } from './model-traits.js';
import { openAiClient, type OpenAiHost } from './openai-client.js';
import { readOffered } from './read-offered.js';
import { readResponse } from './read-response.js';
import { RefusedParameters } from './refused-parameters.js';
import { reasoningFor, textOf, type ChatMessage, type ToolDefinition } from '../messages.js';
import { spokenParts } from '../spoken-parts.js';
import { wholeExchanges } from '../whole-exchanges.js';

/**
 * OpenAI over `POST /responses`, its newer API. Nothing is stored there: the whole history stands in each request, and
 * reasoning comes back sealed, for the model alone.
 */
export function openAiResponsesProvider(host: OpenAiHost): ModelProvider {
  const refused = new RefusedParameters(['temperature', 'reasoning', 'include', 'text']);
  return hostProvider({
    name: host.name,
    opening: openAiClient(host, eventFetch),
    list: async ({ models }, signal) => readOffered((await models.list({ signal })).data),
    send(client, { model, messages, tools, maxTokens, temperature, json, signal }, origin) {
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

/**
 * Writes a history as input items: reasoning, words, calls and results each stand alone.
 * @param origin `host:model`, whose own reasoning goes back to it
 */
export function renderResponses(messages: readonly ChatMessage[], origin: string): ResponseInputItem[] {
  return wholeExchanges(messages).flatMap((message): ResponseInputItem[] => {
    if (message.role === 'tool') {
      return [{ type: 'function_call_output', call_id: message.toolCallId, output: textOf(message.content) }];
    }
    const parts = spokenParts(message);
    const text = textOf(parts);
    if (message.role !== 'assistant') {
      const hasPictures = parts.some(({ type }) => type === 'image');
      return parts.length === 0
        ? []
        : [{ role: message.role, content: hasPictures ? parts.map(renderPart) : text }];
    }
    return [
      // Opaque to us: what the API gave is what it takes.
      ...reasoningFor(origin, message).map(({ block }) => block as unknown as ResponseInputItem),
      ...(text ? [{ role: 'assistant' as const, content: text }] : []),
      ...(message.toolCalls ?? []).map(({ id, name, arguments: args }): ResponseInputItem => ({
        type: 'function_call',
        call_id: id,
        name,
        arguments: JSON.stringify(args),
      })),
    ];
  });
}

function renderPart(part: ReturnType<typeof spokenParts>[number]): ResponseInputContent {
  if (part.type === 'text') return { type: 'input_text', text: part.text };
  const image_url = `data:${part.mediaType};base64,${part.data}`;
  return { type: 'input_image', detail: 'auto', image_url };
}

/** Not strict: our schemas leave properties optional, which strict ones may not. */
function renderResponsesTools(tools: readonly ToolDefinition[] | undefined): { tools?: FunctionTool[] } {
  if (!tools?.length) return {};
  return { tools: tools.map((tool) => ({ type: 'function', ...tool, strict: false })) };
}
