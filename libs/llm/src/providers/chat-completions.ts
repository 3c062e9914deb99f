import type { ChatMessage, ModelEvent, ModelRequest, ToolCall } from '../message.js';
import { ModelError } from '../model-error.js';

/** The chat completions format, which OpenAI began and Groq, Chutes and most others speak. */

interface WireToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

export type WireMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string; name?: string }
  | { role: 'assistant'; content: string | null; tool_calls?: WireToolCall[] }
  | { role: 'tool'; tool_call_id: string; content: string };

/** What is common to every chat completions request of ours. */
export function chatCompletionsBody(model: string, request: ModelRequest) {
  return {
    model,
    messages: request.messages.map(toWire),
    max_tokens: request.maxTokens,
    stream: true as const,
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(request.json ? { response_format: { type: 'json_object' as const } } : {}),
    ...(request.tools?.length
      ? {
          tools: request.tools.map((tool) => ({
            type: 'function' as const,
            function: { name: tool.name, description: tool.description, parameters: tool.parameters },
          })),
        }
      : {}),
  };
}

function toWire(message: ChatMessage): WireMessage {
  switch (message.role) {
    case 'system':
    case 'user':
      return message;
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
    case 'assistant':
      if (!message.toolCalls?.length) return { role: 'assistant', content: message.content };
      return {
        role: 'assistant',
        content: message.content || null,
        tool_calls: message.toolCalls.map((call) => ({
          id: call.id,
          type: 'function',
          function: { name: call.name, arguments: call.argumentsJson },
        })),
      };
  }
}

interface WireUsage {
  prompt_tokens?: number | undefined;
  completion_tokens?: number | undefined;
}

/** A streamed chunk, as far as we read it. */
export interface WireChunk {
  choices?: {
    delta?: {
      content?: string | null;
      tool_calls?: { index: number; id?: string; function?: { name?: string; arguments?: string } }[];
    };
    finish_reason?: string | null;
  }[];
  usage?: WireUsage | null | undefined;
  x_groq?: { usage?: WireUsage | null | undefined } | null | undefined;
  error?: { message?: string };
}

const FINISH = { length: 'length', tool_calls: 'tool-calls', content_filter: 'filtered' } as const;

/** Reads a chunk stream. Tool calls come in pieces, told apart by their index. */
export async function* readChunks(chunks: AsyncIterable<WireChunk>): AsyncGenerator<ModelEvent> {
  const calls = new Map<number, ToolCall>();
  let finish: string | null = null;
  let usage: WireChunk['usage'] = null;
  for await (const chunk of chunks) {
    // Some hosts report a failure after the 200 as a chunk of its own.
    if (chunk.error) throw new ModelError('cut-stream', chunk.error.message ?? 'the host reported an error');
    usage = chunk.usage ?? chunk.x_groq?.usage ?? usage;
    const choice = chunk.choices?.[0];
    if (choice?.delta?.content) yield { type: 'text', text: choice.delta.content };
    for (const piece of choice?.delta?.tool_calls ?? []) {
      const call = calls.get(piece.index) ?? { id: '', name: '', argumentsJson: '' };
      call.id ||= piece.id ?? '';
      call.name ||= piece.function?.name ?? '';
      call.argumentsJson += piece.function?.arguments ?? '';
      calls.set(piece.index, call);
    }
    finish = choice?.finish_reason ?? finish;
  }
  if (finish === null) return; // cut: the role says so
  for (const call of calls.values()) yield { type: 'tool-call', call };
  yield {
    type: 'end',
    finishReason: finish in FINISH ? FINISH[finish as keyof typeof FINISH] : 'stop',
    usage: usage
      ? { promptTokens: usage.prompt_tokens ?? 0, completionTokens: usage.completion_tokens ?? 0 }
      : null,
  };
}
