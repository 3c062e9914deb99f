import type { GenerateContentResponse, GenerateContentResponseUsageMetadata, Part } from '@google/genai';
import { ModelError } from '../errors/model-error.js';
import type { ToolCall } from '../messages.js';
import type { FinishReason, StreamPart, TokenCounts } from '../provider.js';
import { readStream, type PieceReader } from './read-stream.js';

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

/** Reads a stream of Gemini as events of ours. @throws ModelError `cut-stream`, `refused`, `garbled` */
export function readGemini(chunks: AsyncIterable<GenerateContentResponse>): AsyncGenerator<StreamPart> {
  return readStream('gemini', chunks, new GeminiReader());
}

class GeminiReader implements PieceReader<GenerateContentResponse> {
  private calls = 0;
  private finish: string | undefined;
  private usage: TokenCounts | null = null;

  *read({ candidates, promptFeedback, usageMetadata }: GenerateContentResponse): Generator<StreamPart> {
    if (promptFeedback?.blockReason) throw new ModelError('refused', 'gemini: the prompt was blocked');
    if (usageMetadata) {
      this.usage = countsOf(usageMetadata);
      yield { type: 'counted', usage: this.usage };
    }
    for (const part of candidates?.[0]?.content?.parts ?? []) {
      if (part.functionCall) yield { type: 'tool-call', call: callOf(part, this.calls++) };
      else if (part.text) yield { type: part.thought ? 'alive' : 'text', text: part.text };
    }
    this.finish = candidates?.[0]?.finishReason ?? this.finish;
  }

  close(): StreamPart[] | null {
    const { calls, finish, usage } = this;
    if (finish === undefined) return null;
    if (GARBLED.has(finish)) throw new ModelError('garbled', `gemini: ${finish.toLowerCase()}`, { usage });
    return [{ type: 'end', finishReason: calls > 0 ? 'tool-calls' : finishReasonOf(finish), usage }];
  }
}

function countsOf(usage: GenerateContentResponseUsageMetadata): TokenCounts {
  return {
    promptTokens: usage.promptTokenCount ?? 0,
    completionTokens: (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0),
  };
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
