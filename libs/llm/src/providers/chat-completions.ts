import { ModelError } from '../errors/model-error.js';
import {
  reasoningFor,
  textOf,
  type ChatMessage,
  type MessageContent,
  type ToolDefinition,
} from '../messages.js';
import type { FinishReason, StreamPart, TokenCounts } from '../provider.js';
import { wholeExchanges } from '../whole-exchanges.js';
import { cutStream, hold } from './bounded-stream.js';
import { endWith, type WrittenCall } from './end-with.js';

/* The Chat Completions format, which OpenAI, Groq and most other hosts share. */

type WirePart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };

type WireMessage =
  | { role: 'system'; content: string; name?: string }
  | { role: 'user'; content: string | WirePart[]; name?: string }
  | { role: 'assistant'; content: string | null; name?: string; tool_calls?: WireToolCall[] }
  | { role: 'tool'; content: string; tool_call_id: string };

interface WireToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

/** A piece of a tool call. */
interface WireFragment {
  /** Index of its call. Some hosts leave it out, and some write 0 for every call. */
  index?: number;
  /** Some hosts write it in the first fragment alone, some in each, and some a new one in each. */
  id?: string;
  function?: { name?: string | null; arguments?: string | object | null };
}

/** A part of what is said, as Mistral's models write it that think first. */
type WireSaid = { type: 'text'; text?: string | null } | { type: 'thinking'; thinking?: WireSaid[] };

interface WireChunk {
  choices?: {
    delta?: {
      content?: string | WireSaid[] | null;
      /** The model's own word that it will not answer. */
      refusal?: string | null;
      /** Reasoning, by the name DeepSeek gave it, and by the one that Groq and newer hosts use. */
      reasoning_content?: string | null;
      reasoning?: string | null;
      tool_calls?: WireFragment[];
    };
    finish_reason?: string | null;
  }[];
  /** Not every host fills in all of it. */
  usage?: { prompt_tokens?: number; completion_tokens?: number; total_tokens?: number } | null;
}

/** Writes a history for the model `origin` (`host:model`). */
export function renderMessages(messages: readonly ChatMessage[], origin: string): WireMessage[] {
  return wholeExchanges(messages).map((message) => renderMessage(message, origin));
}

function renderMessage(message: ChatMessage, origin: string): WireMessage {
  const content = textOf(message.content);
  if (message.role === 'tool') return { role: 'tool', content, tool_call_id: message.toolCallId };
  const name = message.name === undefined ? {} : wireName(message.name);
  if (message.role === 'system') return { role: 'system', content, ...name };
  if (message.role === 'user') return { role: 'user', content: renderContent(message.content), ...name };
  if (!message.toolCalls?.length) return { role: 'assistant', content, ...name };
  const tool_calls = message.toolCalls.map((call): WireToolCall => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  }));
  // DeepSeek refuses calls without the reasoning that led to them; of plain answers nobody wants it back.
  const reasoning = Object.assign({}, ...reasoningFor(origin, message).map(({ block }) => block)) as object;
  return { role: 'assistant', content: content || null, ...name, ...reasoning, tool_calls };
}

/** Plain text where there is no picture: small hosts know nothing else. */
function renderContent(content: MessageContent): string | WirePart[] {
  if (typeof content === 'string' || content.every(({ type }) => type === 'text')) return textOf(content);
  const parts = content.filter((part) => part.type === 'image' || part.text !== '');
  return parts.map((part): WirePart =>
    part.type === 'text'
      ? { type: 'text', text: part.text }
      : { type: 'image_url', image_url: { url: `data:${part.mediaType};base64,${part.data}` } },
  );
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
 * Turns a stream of chunks into parts. Tool calls come in fragments and are given out whole at the end.
 * @throws ModelError `cut-stream` where chunks came, but no reason for their end, or that of a host that gave up
 */
export async function* readChunks(
  origin: string,
  chunks: AsyncIterable<WireChunk>,
): AsyncGenerator<StreamPart> {
  const thoughts: Record<string, string> = {};
  const calls: HeldCall[] = [];
  let began = false;
  let finish: string | undefined;
  let usage: TokenCounts | null = null;
  for await (const chunk of chunks) {
    began = true;
    const {
      prompt_tokens: promptTokens,
      completion_tokens: told,
      total_tokens: total = 0,
    } = chunk.usage ?? {};
    if (typeof promptTokens === 'number' && typeof told === 'number') {
      // Some hosts, xAI among them, count the reasoning in the total alone.
      usage = { promptTokens, completionTokens: Math.max(told, total - promptTokens) };
      yield { type: 'counted', usage };
    }
    const choice = chunk.choices?.[0];
    if (choice?.delta?.refusal) throw new ModelError('refused', `${origin}: the model refused`);
    for (const field of ['reasoning_content', 'reasoning'] as const) {
      const thought: unknown = choice?.delta?.[field];
      if (typeof thought !== 'string' || thought === '') continue;
      thoughts[field] = hold(origin, thoughts[field] ?? '', thought);
      // Some hosts write it into both, and charge it once.
      yield { type: 'alive', text: field === Object.keys(thoughts)[0] ? thought : '' };
    }
    const content = choice?.delta?.content;
    if (content) yield* readContent(origin, content);
    for (const fragment of choice?.delta?.tool_calls ?? []) {
      const { name, arguments: written } = fragment.function ?? {};
      const call = callOf(calls, fragment);
      // Some hosts write it in each fragment, others null after the first.
      if (name && name !== call.name) call.name = hold(origin, call.name, name);
      const text = writtenIn(written);
      call.text = hold(origin, call.text, text);
      if (text) yield { type: 'alive', text };
    }
    // Some proxies write an empty reason into each chunk before the last.
    finish = choice?.finish_reason || finish;
  }
  if (finish === undefined && !began) return;
  if (finish === undefined || GAVE_UP.has(finish)) throw cutStream(origin);
  const [thought] = Object.values(thoughts);
  if (thought !== undefined)
    yield { type: 'reasoning', reasoning: { origin, text: thought, block: thoughts } };
  yield* endWith(origin, calls, { finishReason: FINISH_REASONS.get(finish) ?? 'stop', usage });
}

/** Reads what a piece says, aloud or in thoughts. @throws ModelError `garbled` where it is nothing that can be read */
function* readContent(origin: string, content: string | readonly WireSaid[]): Generator<StreamPart> {
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
  if (!Array.isArray(parts)) throw new ModelError('garbled', `${origin}: an answer that is no text`);
  for (const part of parts as readonly WireSaid[])
    yield { type: part.type === 'text' ? 'text' : 'alive', text: wordsOf(part) };
}

function wordsOf(part: WireSaid): string {
  return part.type === 'text' ? (part.text ?? '') : (part.thinking ?? []).map(wordsOf).join('');
}

/** Reads a piece of a call's arguments: small hosts write them as they are, and not as JSON of them. */
function writtenIn(text: string | object | null | undefined): string {
  return typeof text === 'string' ? text : text ? JSON.stringify(text) : '';
}

/** A call as far as it came. */
interface HeldCall extends WrittenCall {
  index: number | undefined;
}

/** Finds the call that a fragment belongs to, or begins one: with a name and an id of its own it is another call's first. */
function callOf(calls: HeldCall[], { index, id, function: part }: WireFragment): HeldCall {
  const near = calls.filter((call) => (index ?? call.index) === call.index);
  const known = near.findLast((call) => call.id === id) ?? (id && part?.name ? undefined : near.at(-1));
  if (known) return known;
  const begun = { index, id: id || `call-${calls.length}`, name: '', text: '' };
  calls.push(begun);
  return begun;
}

/** Reasons of a host that ended the answer before its model did: vLLM's and SGLang's, and those of Mistral and proxies. */
const GAVE_UP: ReadonlySet<string> = new Set(['abort', 'error']);

const FINISH_REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['length', 'length'],
  ['tool_calls', 'tool-calls'],
  ['function_call', 'tool-calls'],
  ['content_filter', 'filtered'],
]);
