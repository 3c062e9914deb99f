import type {
  MessageDeltaUsage,
  RawContentBlockDelta,
  RawMessageStreamEvent,
} from '@anthropic-ai/sdk/resources/messages';
import { ModelError } from '../errors/model-error.js';
import type { FinishReason, StreamPart, TokenCounts } from '../provider.js';
import { hold } from './bounded-stream.js';
import { endWith, type WrittenCall } from './end-with.js';
import { readStream, saying, type PieceReader } from './read-stream.js';

type Block = Extract<RawMessageStreamEvent, { type: 'content_block_start' }>['content_block'];

interface OpenBlock {
  block: Block;
  /** JSON of a call's arguments, or words of a thought, as far as they came. */
  text: string;
  signature: string;
}

const FINISH_REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool-calls'],
]);

/** Turns a stream of events into parts. @throws ModelError `cut-stream`, `refused`, `garbled` */
export function readAnthropic(
  origin: string,
  events: AsyncIterable<RawMessageStreamEvent>,
): AsyncGenerator<StreamPart> {
  return readStream(origin, events, new AnthropicReader(origin));
}

class AnthropicReader implements PieceReader<RawMessageStreamEvent> {
  private readonly blocks = new Map<number, OpenBlock>();
  private readonly calls: WrittenCall[] = [];
  private readonly usage: TokenCounts = { promptTokens: 0, completionTokens: 0 };
  private finish: string | null = null;

  constructor(private readonly origin: string) {}

  read(event: RawMessageStreamEvent): StreamPart[] {
    switch (event.type) {
      case 'message_start':
        Object.assign(this.usage, promptOf(event.message.usage));
        return [{ type: 'counted', usage: { ...this.usage } }];
      case 'content_block_start':
        this.blocks.set(event.index, { block: event.content_block, text: '', signature: '' });
        return openingOf(event.content_block);
      case 'content_block_delta':
        return this.add(event.delta, this.blocks.get(event.index));
      case 'content_block_stop': {
        const ended = this.blocks.get(event.index);
        // Only the end of the stream says whether a call was cut.
        if (ended?.block.type === 'tool_use')
          this.calls.push({ ...ended.block, text: ended.text || wholeInput(ended.block.input) });
        return reasoningOf(this.origin, ended);
      }
      case 'message_delta':
        this.finish = event.delta.stop_reason ?? this.finish;
        this.count(event.usage);
        return [{ type: 'counted', usage: { ...this.usage } }];
      case 'message_stop':
        return this.end();
      default:
        return []; // events that come later must not end a turn
    }
  }

  private add(delta: RawContentBlockDelta, into: OpenBlock | undefined): StreamPart[] {
    if (delta.type === 'text_delta') return saying('text', delta.text);
    if (!into) return [];
    if (delta.type === 'signature_delta') into.signature = hold(this.origin, into.signature, delta.signature);
    const words =
      delta.type === 'input_json_delta'
        ? delta.partial_json
        : delta.type === 'thinking_delta'
          ? delta.thinking
          : '';
    if (words) into.text = hold(this.origin, into.text, words);
    return saying('alive', words);
  }

  private count(told: MessageDeltaUsage): void {
    const prompt = promptOf(told);
    // Some hosts have not counted the prompt yet as the answer begins.
    if (prompt.promptTokens > (this.usage.promptTokens || 0)) Object.assign(this.usage, prompt);
    this.usage.completionTokens = told.output_tokens;
  }

  private end(): StreamPart[] {
    const { origin, calls, finish, usage } = this;
    // What was said until then is not to be used: Anthropic's own advice.
    if (finish === 'refusal') throw new ModelError('refused', `${origin}: stopped by its filter`, { usage });
    return endWith(origin, calls, { finishReason: FINISH_REASONS.get(finish ?? '') ?? 'stop', usage });
  }
}

/** Reads what a block has as it is opened, which is nothing yet at most hosts. */
function openingOf(block: Block): StreamPart[] {
  // The only sign of a thought whose words the host keeps to itself, as it does for newer models.
  if (block.type === 'thinking' || block.type === 'redacted_thinking') return [{ type: 'alive', text: '' }];
  if (block.type === 'text') return saying('text', block.text);
  return block.type === 'tool_use' ? saying('alive', wholeInput(block.input)) : [];
}

/** JSON of arguments that a host wrote as it opened the call; empty where it writes them piece by piece, or none. */
function wholeInput(input: unknown): string {
  if (typeof input === 'string') return input;
  const isEmpty =
    !input || typeof input !== 'object' || Array.isArray(input) || Object.keys(input).length === 0;
  return isEmpty ? '' : JSON.stringify(input);
}

/** Adds up a prompt, also what is cached of it; NaN where the host does not say. */
function promptOf(usage: MessageDeltaUsage): Omit<TokenCounts, 'completionTokens'> {
  const written = usage.cache_creation_input_tokens ?? 0;
  const promptTokens = (usage.input_tokens ?? NaN) + written + (usage.cache_read_input_tokens ?? 0);
  return { promptTokens, ...(written > 0 ? { cacheWriteTokens: written } : {}) };
}

function reasoningOf(origin: string, ended: OpenBlock | undefined): StreamPart[] {
  if (!ended) return [];
  const { block, text, signature } = ended;
  if (block.type === 'thinking') {
    const thinking = block.thinking + text;
    const kept = { type: 'thinking', thinking, signature: block.signature + signature };
    return [{ type: 'reasoning', reasoning: { origin, text: thinking, block: kept } }];
  }
  if (block.type === 'redacted_thinking') {
    const { type, data } = block;
    return [{ type: 'reasoning', reasoning: { origin, text: '', block: { type, data } } }];
  }
  return [];
}
