import type { Response, ResponseOutputItem, ResponseStreamEvent } from 'openai/resources/responses/responses';
import { ModelError } from '../errors/model-error.js';
import type { FinishReason, StreamPart } from '../provider.js';
import { endWith, type WrittenCall } from './end-with.js';
import { readStream, saying } from './read-stream.js';

/** Turns a stream of events into parts. @throws ModelError `cut-stream`, `refused`, `garbled` */
export function readResponse(
  origin: string,
  events: AsyncIterable<ResponseStreamEvent>,
): AsyncGenerator<StreamPart> {
  const calls: WrittenCall[] = [];
  return readStream(origin, events, { read: (event) => partsOf(event, origin, calls) });
}

/** Reads an event. @param calls calls that came whole, to which it adds */
function partsOf(event: ResponseStreamEvent, origin: string, calls: WrittenCall[]): StreamPart[] {
  switch (event.type) {
    case 'response.output_text.delta':
      return saying('text', event.delta);
    case 'response.function_call_arguments.delta':
      return saying('alive', event.delta);
    case 'response.output_item.added':
      // The only sign of a thought: no words of it are asked for.
      return event.item.type === 'reasoning' ? [{ type: 'alive', text: '' }] : [];
    case 'response.refusal.delta':
      throw new ModelError('refused', `${origin}: the model refused`);
    case 'response.output_item.done': {
      const { item } = event;
      if (item.type === 'function_call')
        calls.push({ id: item.call_id, name: item.name, text: item.arguments });
      return reasoningOf(origin, item);
    }
    case 'response.completed':
    case 'response.incomplete':
      return endWith(origin, calls, {
        finishReason: finishReasonOf(event.response, calls.length),
        usage: usageOf(event.response),
      });
    case 'response.failed':
      throw failureOf(event.response.error);
    case 'error':
      throw failureOf(event);
    default:
      return []; // the API tells every step; these are the ones that count
  }
}

/** Kept in the form of an SDK's error, so that it is classified as those are. */
function failureOf(error: { code: string | null; message: string } | null): Error {
  return Object.assign(new Error(error?.message ?? ''), { code: error?.code ?? '' });
}

function reasoningOf(origin: string, item: ResponseOutputItem): StreamPart[] {
  // Without its seal nobody could give it back: nothing of it is stored there.
  if (item.type !== 'reasoning' || !item.encrypted_content) return [];
  const { type, id, summary, encrypted_content } = item;
  const text = summary.map((part) => part.text).join('\n');
  const block = { type, id, summary, encrypted_content };
  return [{ type: 'reasoning', reasoning: { origin, text, block } }];
}

function finishReasonOf({ incomplete_details }: Response, calls: number): FinishReason {
  if (incomplete_details?.reason === 'content_filter') return 'filtered';
  if (incomplete_details?.reason === 'max_output_tokens') return 'length';
  return calls > 0 ? 'tool-calls' : 'stop';
}

function usageOf({ usage }: Response) {
  return usage ? { promptTokens: usage.input_tokens, completionTokens: usage.output_tokens } : null;
}
