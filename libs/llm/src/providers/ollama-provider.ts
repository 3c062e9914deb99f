import type { ModelProvider, StreamPart } from '../provider.js';
import { renderTools } from './chat-completions.js';
import { hostFetch } from './host-fetch.js';
import { hostProvider } from './host-provider.js';
import { namesOf } from './names-of.js';
import { renderOllama } from './render-ollama.js';
import type { ChatResponse } from 'ollama';
import { ToolArguments } from '../messages.js';
import { hold } from './bounded-stream.js';

export interface OllamaHost {
  baseUrl: string;
  /** Absent for a machine of one's own; ollama.com asks for one. */
  apiKey: string | undefined;
  /** Context that a model is loaded with: Ollama cuts what is longer, silently, and its own default is short. */
  contextTokens: number;
}

/** Some open models can't be told not to think; these know levels. */
const THINKS_IN_LEVELS = /gpt-oss/;
/** Tokens for what such a model thinks at its lowest level. */
const THINKING_TOKENS = 1_000;

/** Ollama over its native `POST /api/chat`, which, unlike its OpenAI form, lets the context be set. */
export function ollamaProvider({ baseUrl, apiKey, contextTokens }: OllamaHost): ModelProvider {
  const headers = apiKey ? { headers: { authorization: `Bearer ${apiKey}` } } : {};
  return hostProvider({
    name: 'ollama',
    // A client for each request: the SDK's own can only be aborted as a whole.
    opening: import('ollama').then(
      ({ Ollama }) =>
        (signal: AbortSignal) =>
          new Ollama({ host: baseUrl, fetch: hostFetch(signal), ...headers }),
    ),
    omitsKept: true,
    async list(connect, signal) {
      const { models } = await connect(signal).list();
      return models.flatMap(({ model, modified_at }) =>
        namesOf(model).map((id) => ({
          id,
          createdAtMs: Date.parse(String(modified_at)) || null,
          // What it is loaded with, whatever the model could hold.
          contextTokens,
          retiresOn: null,
          price: null,
        })),
      );
    },
    send(connect, { model, messages, tools, maxTokens, temperature, json, signal }, origin) {
      const inLevels = THINKS_IN_LEVELS.test(model);
      return connect(signal).chat({
        model,
        messages: renderOllama(messages, origin),
        ...renderTools(tools),
        think: inLevels ? 'low' : false,
        ...(json ? { format: 'json' } : {}),
        options: {
          num_ctx: contextTokens,
          ...(maxTokens === undefined ? {} : { num_predict: maxTokens + (inLevels ? THINKING_TOKENS : 0) }),
          ...(temperature === undefined ? {} : { temperature }),
        },
        stream: true,
      });
    },
    read: readOllama,
  });
}

/** The SDK's type promises figures that come in the last line alone. */
type Chunk = Pick<ChatResponse, 'message' | 'done'> &
  Partial<Pick<ChatResponse, 'done_reason' | 'prompt_eval_count' | 'eval_count'>>;

/** Reads a stream of Ollama as events of ours. */
async function* readOllama(origin: string, chunks: AsyncIterable<Chunk>): AsyncGenerator<StreamPart> {
  let thinking = '';
  let calls = 0;
  for await (const { message, done, done_reason, prompt_eval_count, eval_count } of chunks) {
    thinking = hold(origin, thinking, message.thinking ?? '');
    if (message.thinking) yield { type: 'alive', text: message.thinking };
    if (message.content) yield { type: 'text', text: message.content };
    for (const { function: called } of message.tool_calls ?? []) {
      const id = `call-${calls++}`;
      const args = ToolArguments.parse(called.arguments);
      yield { type: 'tool-call', call: { id, name: called.name, arguments: args } };
    }
    if (!done) continue;
    if (thinking) yield { type: 'reasoning', reasoning: { origin, text: thinking, block: { thinking } } };
    const usage = { promptTokens: prompt_eval_count ?? 0, completionTokens: eval_count ?? 0 };
    const finishReason = calls > 0 ? 'tool-calls' : done_reason === 'length' ? 'length' : 'stop';
    yield { type: 'end', finishReason, usage: prompt_eval_count === undefined ? null : usage };
    return;
  }
}
