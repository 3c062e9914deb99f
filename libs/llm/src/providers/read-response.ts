import type { Response, ResponseOutputItem, ResponseStreamEvent } from 'openai/resources/responses/responses';
import { ModelError } from '../errors/model-error.js';
import type { FinishReason, StreamPart } from '../provider.js';
import { cutStream } from './bounded-stream.js';
import { endWith, type WrittenCall } from './end-with.js';

/**
 * Turns a stream of events into parts.
 * @throws ModelError `cut-stream` where events came, but not the last one
 */
export async function* readResponse(
  origin: string,
  events: AsyncIterable<ResponseStreamEvent>,
): AsyncGenerator<StreamPart> {
  const calls: WrittenCall[] = [];
  let began = false;
  for await (const event of events) {
    began = true;
    switch (event.type) {
      case 'response.output_text.delta':
        if (event.delta) yield { type: 'text', text: event.delta };
        break;
      case 'response.output_item.added':
        // The only sign of a thought: no words of it are asked for.
        if (event.item.type === 'reasoning') yield { type: 'alive', text: '' };
        break;
      case 'response.function_call_arguments.delta':
        if (event.delta) yield { type: 'alive', text: event.delta };
        break;
      case 'response.refusal.delta':
        throw new ModelError('refused', `${origin}: the model refused`);
      case 'response.output_item.done': {
        const { item } = event;
        if (item.type === 'function_call')
          calls.push({ id: item.call_id, name: item.name, text: item.arguments });
        const part = reasoningOf(origin, item);
        if (part) yield part;
        break;
      }
      case 'response.completed':
      case 'response.incomplete':
        yield* endWith(origin, calls, {
          finishReason: finishReasonOf(event.response, calls.length),
          usage: usageOf(event.response),
        });
        return;
      case 'response.failed':
        throw failureOf(event.response.error?.code ?? '', event.response.error?.message ?? '');
      case 'error':
        throw failureOf(event.code ?? '', event.message);
      default:
        break; // the API tells every step; these are the ones that count
    }
  }
  if (began) throw cutStream(origin);
}

/** Kept in the form of an SDK's error, so that it is classified as those are. */
function failureOf(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

function reasoningOf(origin: string, item: ResponseOutputItem): StreamPart | null {
  // Without its seal nobody could give it back: nothing of it is stored there.
  if (item.type !== 'reasoning' || !item.encrypted_content) return null;
  const { type, id, summary, encrypted_content } = item;
  const text = summary.map((part) => part.text).join('\n');
  return { type: 'reasoning', reasoning: { origin, text, block: { type, id, summary, encrypted_content } } };
}

function finishReasonOf({ incomplete_details }: Response, calls: number): FinishReason {
  if (incomplete_details?.reason === 'content_filter') return 'filtered';
  if (incomplete_details?.reason === 'max_output_tokens') return 'length';
  return calls > 0 ? 'tool-calls' : 'stop';
}

function usageOf({ usage }: Response) {
  return usage ? { promptTokens: usage.input_tokens, completionTokens: usage.output_tokens } : null;
}
