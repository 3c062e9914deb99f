import { storable, storableText } from '@kith/contracts';
import { ModelError } from '../errors/model-error.js';
import type { CallResponse } from '../hooks/model-call.js';
import type { Reasoning, ToolCall } from '../messages.js';
import type { FinishReason, ModelProvider, ModelRequest, StreamPart, TokenCounts } from '../provider.js';
import { cutStream, MAX_HELD_CHARACTERS } from '../providers/bounded-stream.js';
import { type CallWatch, WatchedCall } from './call-watch.js';
import { withDeadlines } from './with-deadlines.js';

/** Twenty times the longest reply that any door shows: beyond it a model runs in circles. */
const MAX_CHARACTERS = 200_000;

export interface ChainEntry {
  provider: ModelProvider;
  model: string;
}

/** Names a model of a chain: `provider:model`, and plain `rehearsal`. */
export function labelOf({ provider, model }: ChainEntry): string {
  return provider.name === model ? model : `${provider.name}:${model}`;
}

/** Outcome of a try. */
export interface TryReply {
  text: string;
  /** Thoughts before the answer, in words; empty where the model gave none. */
  thought: string;
  toolCalls: ToolCall[];
  /** To be sent back with the calls, as part of the assistant's message. Empty where the host gives none. */
  reasoning: Reasoning[];
  finishReason: FinishReason;
  usage: TokenCounts;
  /** True when the host did not count the tokens and the figures are ours. */
  usageIsEstimated: boolean;
}

type TryEvent =
  /** The host has begun to say something, be it in thoughts. */
  | { type: 'began' }
  | { type: 'text'; text: string }
  /** The text so far was thoughts. */
  | { type: 'restart' }
  | { type: 'reply'; reply: TryReply };

/**
 * Tries a model once: yields the text as it comes, then the whole reply. Throws a `ModelError` when it can't be used.
 * @param onEnd called with how the call ended, whatever way, and its cost
 */
export async function* runTry(
  entry: ChainEntry,
  request: ModelRequest,
  limits: { firstTokenMs: number; totalMs: number },
  watch: CallWatch,
  onEnd: (response: CallResponse) => void = () => undefined,
): AsyncGenerator<TryEvent> {
  const call = new WatchedCall(watch, labelOf(entry), request, onEnd);
  let ended: CallResponse['ended'] = 'stopped';
  try {
    await call.begin();
    yield* readAnswer(entry, request, limits, call);
  } catch (error) {
    if (error instanceof ModelError) {
      ended = error.kind;
      call.count(error.usage);
    }
    throw error;
  } finally {
    // Also where whoever reads has gone away.
    await call.end(ended);
  }
}

async function* readAnswer(
  { provider, model }: ChainEntry,
  request: ModelRequest,
  limits: { firstTokenMs: number; totalMs: number },
  call: WatchedCall,
): AsyncGenerator<TryEvent> {
  const { messages, thoughts, toolCalls } = call;
  let hasBegun = false;
  // Some hosts refuse a whole request for half of a character, which a cut may have left.
  const sent = storable({ messages, ...(request.tools && { tools: request.tools }) });
  const parts = withDeadlines(
    (signal) => {
      call.wasSent = true;
      return provider.stream({ ...request, ...sent, model, signal });
    },
    { ...limits, signal: request.signal },
  );
  for await (const part of parts) {
    if (!hasBegun && isSign(part)) {
      hasBegun = true;
      yield { type: 'began' };
    }
    call.note(part);
    // Not by `hold`: what came last is charged too.
    if (call.came.length > MAX_HELD_CHARACTERS) throw endless(provider);
    if (part.type !== 'text' && part.type !== 'end') continue;
    const { text: said, isAnew } =
      part.type === 'text' ? thoughts.push(part.text) : thoughts.end(toolCalls.length > 0);
    if (isAnew && call.text !== '') {
      call.text = '';
      yield { type: 'restart' };
    }
    if (said) {
      call.text += said;
      if (call.text.length > MAX_CHARACTERS) throw endless(provider);
      yield { type: 'text', text: said };
    }
    if (part.type === 'end') {
      call.count(part.usage);
      checkAnswer(provider.name, call.text, toolCalls, part.finishReason);
      await call.end('answered');
      yield { type: 'reply', reply: replyOf(call, part.finishReason) };
      return;
    }
  }
  throw call.began
    ? cutStream(provider.name)
    : new ModelError('empty', `${provider.name}: a stream without content`);
}

function endless({ name }: ModelProvider): ModelError {
  return new ModelError('garbled', `${name}: an answer without end`);
}

/** Tells whether a part says something, be it in thoughts: blank text does not. */
function isSign(part: StreamPart): boolean {
  return part.type === 'text' ? part.text.trim() !== '' : part.type !== 'end' && part.type !== 'counted';
}

function replyOf(call: WatchedCall, finishReason: FinishReason): TryReply {
  const { text, thoughts, toolCalls, reasoning, usage, counted } = call;
  const usageIsEstimated = counted === null;
  return { text, thought: thoughts.thought, toolCalls, reasoning, finishReason, usage, usageIsEstimated };
}

/** Refuses an answer that is empty, not readable, or cut by its host's filter: a half is no reply. */
function checkAnswer(
  provider: string,
  text: string,
  toolCalls: ToolCall[],
  finishReason: FinishReason,
): void {
  if (isGarbage(text)) throw new ModelError('garbled', `${provider}: the text is not readable`);
  if (toolCalls.length > 0) return;
  if (finishReason === 'filtered') throw new ModelError('refused', `${provider}: stopped by its filter`);
  // A text of unstorable characters alone counts as empty: stored and sent, it would be an empty reply.
  if (storableText(text).trim()) return;
  if (finishReason === 'length')
    throw new ModelError('out-of-tokens', `${provider}: it used up its tokens before a first word`);
  throw new ModelError('empty', `${provider}: neither text nor a tool call`);
}

/** Bytes that are no UTF-8 arrive as U+FFFD. A stray one happens; a tenth of the text is no text. */
function isGarbage(text: string): boolean {
  const replaced = text.split('\uFFFD').length - 1;
  return replaced > 2 && replaced * 10 > text.length;
}
