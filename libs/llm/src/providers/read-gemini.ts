import type { GenerateContentResponse, Part } from '@google/genai';
import { ModelError } from '../errors/model-error.js';
import type { ToolCall } from '../messages.js';
import type { FinishReason, StreamPart, TokenCounts } from '../provider.js';
import { cutStream } from './bounded-stream.js';

/** Reasons of the host's filter. It is asked for no pictures, and may tell of some all the same. */
const FILTERED: ReadonlySet<string> = new Set([
  'SAFETY',
  'RECITATION',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
  'IMAGE_OTHER',
]);

/** Reasons of a model that wrote what its host can't read, or called what it was not given. */
const GARBLED: ReadonlySet<string> = new Set([
  'MALFORMED_FUNCTION_CALL',
  'MALFORMED_RESPONSE',
  'UNEXPECTED_TOOL_CALL',
]);

/**
 * Reads a stream of Gemini as events of ours.
 * @throws ModelError `cut-stream` where chunks came, but no finish reason
 */
export async function* readGemini(
  chunks: AsyncIterable<GenerateContentResponse>,
): AsyncGenerator<StreamPart> {
  let began = false;
  let finish: string | undefined;
  let usage: TokenCounts | null = null;
  let calls = 0;
  for await (const { candidates, promptFeedback, usageMetadata } of chunks) {
    began = true;
    if (promptFeedback?.blockReason) throw new ModelError('refused', 'gemini: the prompt was blocked');
    if (usageMetadata) {
      usage = {
        promptTokens: usageMetadata.promptTokenCount ?? 0,
        completionTokens: (usageMetadata.candidatesTokenCount ?? 0) + (usageMetadata.thoughtsTokenCount ?? 0),
      };
      yield { type: 'counted', usage };
    }
    for (const part of candidates?.[0]?.content?.parts ?? []) {
      if (part.functionCall) yield { type: 'tool-call', call: callOf(part, calls++) };
      else if (part.text) yield { type: part.thought ? 'alive' : 'text', text: part.text };
    }
    finish = candidates?.[0]?.finishReason ?? finish;
  }
  if (finish === undefined) {
    if (began) throw cutStream('gemini');
    return;
  }
  if (GARBLED.has(finish)) throw new ModelError('garbled', `gemini: ${finish.toLowerCase()}`, { usage });
  yield { type: 'end', finishReason: calls > 0 ? 'tool-calls' : finishReasonOf(finish), usage };
}

function callOf({ functionCall, thoughtSignature }: Part, index: number): ToolCall {
  return {
    id: functionCall?.id ?? `call-${index}`,
    name: functionCall?.name ?? '',
    arguments: functionCall?.args ?? {},
    ...(thoughtSignature === undefined ? {} : { signature: thoughtSignature }),
  };
}

function finishReasonOf(finish: string): FinishReason {
  // The second could be asked to go on, which nobody does.
  if (finish === 'MAX_TOKENS' || finish === 'CONTINUATION') return 'length';
  return FILTERED.has(finish) ? 'filtered' : 'stop';
}
