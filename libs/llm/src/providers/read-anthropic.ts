import type { MessageDeltaUsage, RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import { ModelError } from '../errors/model-error.js';
import type { FinishReason, StreamPart, TokenCounts } from '../provider.js';
import { cutStream, hold } from './bounded-stream.js';
import { endWith, type WrittenCall } from './end-with.js';

type Block = Extract<RawMessageStreamEvent, { type: 'content_block_start' }>['content_block'];

interface OpenBlock {
  block: Block;
  /** JSON of a call's arguments, or words of a thought, as far as they came. */
  text: string;
  signature: string;
}

const THOUGHTS: ReadonlySet<Block['type']> = new Set(['thinking', 'redacted_thinking']);

const FINISH_REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool-calls'],
]);

/**
 * Turns a stream of events into parts.
 * @throws ModelError `cut-stream` where events came, but not the last one
 */
export async function* readAnthropic(
  origin: string,
  events: AsyncIterable<RawMessageStreamEvent>,
): AsyncGenerator<StreamPart> {
  const open = new Map<number, OpenBlock>();
  const calls: WrittenCall[] = [];
  const usage: TokenCounts = { promptTokens: 0, completionTokens: 0 };
  let began = false;
  let finish: string | null = null;
  for await (const event of events) {
    began = true;
    switch (event.type) {
      case 'message_start':
        Object.assign(usage, promptOf(event.message.usage));
        yield { type: 'counted', usage: { ...usage } };
        break;
      case 'content_block_start': {
        const { content_block: block } = event;
        open.set(event.index, { block, text: '', signature: '' });
        // The only sign of a thought whose words the host keeps to itself, as it does for newer models.
        if (THOUGHTS.has(block.type)) yield { type: 'alive', text: '' };
        if (block.type === 'text' && block.text) yield { type: 'text', text: block.text };
        const whole = wholeInput(block);
        if (whole) yield { type: 'alive', text: whole };
        break;
      }
      case 'content_block_delta': {
        const { delta } = event;
        const into = open.get(event.index);
        if (delta.type === 'text_delta' && delta.text) yield { type: 'text', text: delta.text };
        else if (delta.type === 'input_json_delta' && delta.partial_json && into) {
          into.text = hold(origin, into.text, delta.partial_json);
          yield { type: 'alive', text: delta.partial_json };
        } else if (delta.type === 'thinking_delta' && delta.thinking && into) {
          into.text = hold(origin, into.text, delta.thinking);
          yield { type: 'alive', text: delta.thinking };
        } else if (delta.type === 'signature_delta' && into)
          into.signature = hold(origin, into.signature, delta.signature);
        break;
      }
      case 'content_block_stop': {
        const ended = open.get(event.index);
        // Only the end of the stream says whether a call was cut.
        if (ended?.block.type === 'tool_use')
          calls.push({ ...ended.block, text: ended.text || wholeInput(ended.block) });
        const part = reasoningOf(origin, ended);
        if (part) yield part;
        break;
      }
      case 'message_delta': {
        finish = event.delta.stop_reason ?? finish;
        const prompt = promptOf(event.usage);
        // Some hosts have not counted the prompt yet as the answer begins.
        if (prompt.promptTokens > (usage.promptTokens || 0)) Object.assign(usage, prompt);
        usage.completionTokens = event.usage.output_tokens;
        yield { type: 'counted', usage: { ...usage } };
        break;
      }
      case 'message_stop':
        // What was said until then is not to be used: Anthropic's own advice.
        if (finish === 'refusal')
          throw new ModelError('refused', `${origin}: stopped by its filter`, { usage });
        yield* endWith(origin, calls, { finishReason: FINISH_REASONS.get(finish ?? '') ?? 'stop', usage });
        return;
      default:
        break; // events that come later must not end a turn
    }
  }
  if (began) throw cutStream(origin);
}

/** JSON of arguments that a host wrote as it opened the call; empty where it writes them piece by piece, or none. */
function wholeInput(block: Block): string {
  if (block.type !== 'tool_use') return '';
  const input: unknown = block.input;
  if (typeof input === 'string') return input;
  const isEmpty =
    !input || typeof input !== 'object' || Array.isArray(input) || Object.keys(input).length === 0;
  return isEmpty ? '' : JSON.stringify(input);
}

/** Adds up a prompt, also what is cached of it; NaN where the host does not say. */
function promptOf(
  usage: Pick<MessageDeltaUsage, 'input_tokens' | 'cache_creation_input_tokens' | 'cache_read_input_tokens'>,
): Omit<TokenCounts, 'completionTokens'> {
  const written = usage.cache_creation_input_tokens ?? 0;
  const promptTokens = (usage.input_tokens ?? NaN) + written + (usage.cache_read_input_tokens ?? 0);
  return { promptTokens, ...(written > 0 ? { cacheWriteTokens: written } : {}) };
}

function reasoningOf(origin: string, ended: OpenBlock | undefined): StreamPart | null {
  if (!ended) return null;
  const { block, text, signature } = ended;
  if (block.type === 'thinking') {
    const thinking = block.thinking + text;
    const kept = { type: 'thinking', thinking, signature: block.signature + signature };
    return { type: 'reasoning', reasoning: { origin, text: thinking, block: kept } };
  }
  if (block.type === 'redacted_thinking') {
    const { type, data } = block;
    return { type: 'reasoning', reasoning: { origin, text: '', block: { type, data } } };
  }
  return null;
}
