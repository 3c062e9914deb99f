import { ModelError } from '../errors/model-error.js';
import { textOf, ToolArguments, type ChatMessage, type ToolCall, type ToolDefinition } from '../messages.js';
import type { FinishReason, StreamPart, TokenCounts } from '../provider.js';

/* The Chat Completions format, which OpenAI, Groq and most other hosts share. */

type WireMessage =
  | { role: 'system' | 'user'; content: string; name?: string }
  | { role: 'assistant'; content: string | null; name?: string; tool_calls?: WireToolCall[] }
  | { role: 'tool'; content: string; tool_call_id: string };

interface WireToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

/** A piece of a tool call. */
interface WireFragment {
  /** Index of its call. Some hosts leave it out and only give each call an id. */
  index?: number;
  id?: string;
  function?: { name?: string; arguments?: string };
}

interface WireChunk {
  choices?: {
    delta?: {
      content?: string | null;
      tool_calls?: WireFragment[];
    };
    finish_reason?: string | null;
  }[];
  usage?: { prompt_tokens: number; completion_tokens: number } | null;
}

export function renderMessages(messages: readonly ChatMessage[]): WireMessage[] {
  return messages.map(renderMessage);
}

function renderMessage(message: ChatMessage): WireMessage {
  const content = textOf(message.content);
  if (message.role === 'tool') return { role: 'tool', content, tool_call_id: message.toolCallId };
  const name = message.name === undefined ? {} : wireName(message.name);
  if (message.role !== 'assistant') return { role: message.role, content, ...name };
  if (!message.toolCalls?.length) return { role: 'assistant', content, ...name };
  const tool_calls = message.toolCalls.map((call): WireToolCall => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  }));
  return { role: 'assistant', content: content || null, ...name, tool_calls };
}

/** Hosts take letters, digits, `_` and `-`, up to 64; anything else is a 400. */
function wireName(name: string): { name?: string } {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\s+/g, '_')
    .replaceAll(/[^\w-]/g, '')
    .slice(0, 64);
  return plain ? { name: plain } : {};
}

export function renderTools(tools: readonly ToolDefinition[] | undefined) {
  if (!tools?.length) return {};
  return { tools: tools.map((tool) => ({ type: 'function' as const, function: tool })) };
}

/**
 * Turns a stream of chunks into parts. Tool calls come in fragments and are given out whole at the end; without
 * a finish reason there is no `end` part, which tells a cut stream.
 */
export async function* readChunks(
  provider: string,
  chunks: AsyncIterable<WireChunk>,
): AsyncGenerator<StreamPart> {
  const calls: { id: string; name: string; text: string }[] = [];
  let finish: string | undefined;
  let usage: TokenCounts | null = null;
  for await (const chunk of chunks) {
    if (chunk.usage) {
      usage = { promptTokens: chunk.usage.prompt_tokens, completionTokens: chunk.usage.completion_tokens };
    }
    const choice = chunk.choices?.[0];
    if (choice?.delta?.content) yield { type: 'text', text: choice.delta.content };
    for (const { index: given, id, function: part } of choice?.delta?.tool_calls ?? []) {
      const index = given ?? (id === undefined ? Math.max(0, calls.length - 1) : calls.length);
      const call = (calls[index] ??= { id: id ?? `call-${index}`, name: '', text: '' });
      call.name += part?.name ?? '';
      call.text += part?.arguments ?? '';
    }
    finish = choice?.finish_reason ?? finish;
  }
  if (finish === undefined) return;
  for (const { id, name, text } of calls.filter(Boolean)) {
    yield { type: 'tool-call', call: { id, name, arguments: parseArguments(provider, text) } };
  }
  yield { type: 'end', finishReason: finishReasonOf(finish), usage };
}

function parseArguments(provider: string, text: string): ToolCall['arguments'] {
  try {
    return ToolArguments.parse(JSON.parse(text || '{}'));
  } catch (cause) {
    throw new ModelError('garbled', `${provider}: a tool call without readable arguments`, { cause });
  }
}

const FINISH_REASONS: Readonly<Record<string, FinishReason>> = {
  length: 'length',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  content_filter: 'filtered',
};

function finishReasonOf(wire: string): FinishReason {
  return FINISH_REASONS[wire] ?? 'stop';
}
