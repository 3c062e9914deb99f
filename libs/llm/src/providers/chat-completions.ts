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
import { hold } from './bounded-stream.js';
import { endWith, type WrittenCall } from './end-with.js';
import { readStream, type PieceReader } from './read-stream.js';
import { joinDetails, type ReasoningDetail } from './reasoning-details.js';

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
      /** Reasoning as OpenRouter passes it on, with what the model's own host has sealed. */
      reasoning_details?: ReasoningDetail[] | null;
      tool_calls?: WireFragment[];
    };
    finish_reason?: string | null;
  }[];
  /** Not every host fills in all of it. */
  usage?: { prompt_tokens?: number; completion_tokens?: number; total_tokens?: number } | null;
}

/** Writes a history for the model `origin` (`host:model`). */
export function renderMessages(messages: readonly ChatMessage[], origin: string): WireMessage[] {
  return wholeExchanges(messages, origin).map((message) => renderMessage(message, origin));
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
  // DeepSeek, and Gemini behind OpenRouter, refuse calls without the reasoning that led to them; of plain answers nobody
  // wants it back.
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

/** Turns a stream of chunks into parts. @throws ModelError `cut-stream`, `refused`, `garbled` */
export function readChunks(origin: string, chunks: AsyncIterable<WireChunk>): AsyncGenerator<StreamPart> {
  return readStream(origin, chunks, new ChunkReader(origin));
}

/** Tool calls come in fragments and are given out whole at the end. */
class ChunkReader implements PieceReader<WireChunk> {
  /** Thoughts by the fields that they come in. */
  private readonly thoughts: Record<string, string> = {};
  /** Details of the thoughts, in lines of JSON. */
  private details = '';
  private readonly calls: HeldCall[] = [];
  private finish: string | undefined;
  private usage: TokenCounts | null = null;

  constructor(private readonly origin: string) {}

  *read({ choices, usage }: WireChunk): Generator<StreamPart> {
    const counts = usage ? countsOf(usage) : null;
    if (counts) {
      this.usage = counts;
      yield { type: 'counted', usage: counts };
    }
    const choice = choices?.[0];
    const delta = choice?.delta ?? {};
    if (delta.refusal) throw new ModelError('refused', `${this.origin}: the model refused`);
    for (const field of ['reasoning_content', 'reasoning'] as const) {
      const thought: unknown = delta[field];
      if (typeof thought === 'string' && thought !== '') yield this.think(field, thought);
    }
    for (const detail of delta.reasoning_details ?? []) {
      this.details = hold(this.origin, this.details, `${JSON.stringify(detail)}\n`);
      yield { type: 'alive', text: '' };
    }
    if (delta.content) yield* readContent(this.origin, delta.content);
    for (const fragment of delta.tool_calls ?? []) {
      const text = this.write(fragment);
      if (text) yield { type: 'alive', text };
    }
    // Some proxies write an empty reason into each chunk before the last.
    this.finish = choice?.finish_reason || this.finish;
  }

  close(): Iterable<StreamPart> | null {
    const { finish } = this;
    if (finish === undefined || GAVE_UP.has(finish)) return null;
    return this.end(FINISH_REASONS.get(finish) ?? 'stop');
  }

  private think(field: string, thought: string): StreamPart {
    this.thoughts[field] = hold(this.origin, this.thoughts[field] ?? '', thought);
    // Some hosts write it into both, and charge it once.
    return { type: 'alive', text: field === Object.keys(this.thoughts)[0] ? thought : '' };
  }

  /** Adds a fragment to its call. Returns its piece of the arguments. */
  private write(fragment: WireFragment): string {
    const { name, arguments: written } = fragment.function ?? {};
    const call = callOf(this.calls, fragment);
    if (this.calls.length > MAX_CALLS) throw new ModelError('garbled', `${this.origin}: calls without end`);
    // Some hosts write it in each fragment, others null after the first.
    if (name && name !== call.name) call.name = hold(this.origin, call.name, name);
    const text = writtenIn(written);
    call.text = hold(this.origin, call.text, text);
    return text;
  }

  /** Gives the thought first, which is charged also where the calls can't be read. */
  private *end(finishReason: FinishReason): Generator<StreamPart> {
    const { origin, thoughts, calls, usage } = this;
    const details = joinDetails(
      this.details
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as ReasoningDetail),
    );
    const block = { ...thoughts, ...(details.length > 0 && { reasoning_details: details }) };
    const [text = ''] = Object.values(thoughts);
    if (Object.keys(block).length > 0) yield { type: 'reasoning', reasoning: { origin, text, block } };
    yield* endWith(origin, calls, { finishReason, usage });
  }
}

/** Reads a count; null where it lacks a figure. */
function countsOf(usage: NonNullable<WireChunk['usage']>): TokenCounts | null {
  const { prompt_tokens: promptTokens, completion_tokens: told, total_tokens: total = 0 } = usage;
  if (typeof promptTokens !== 'number' || typeof told !== 'number') return null;
  // Some hosts, xAI among them, count the reasoning in the total alone.
  return { promptTokens, completionTokens: Math.max(told, total - promptTokens) };
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

/** Most calls of one answer: many times what any model asks for at once, of which a few are carried out. */
const MAX_CALLS = 1_000;

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
