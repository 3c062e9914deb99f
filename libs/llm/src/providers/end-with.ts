import { ModelError } from '../errors/model-error.js';
import { ToolArguments } from '../messages.js';
import type { FinishReason, StreamPart, TokenCounts } from '../provider.js';

/** A call as a model writes it. */
export interface WrittenCall {
  id: string;
  name: string;
  /** JSON of its arguments. */
  text: string;
}

/**
 * Ends an answer with its calls; one without any arguments has an empty object. Leaves out what can't be read where the
 * token limit or the host's filter cut the answer: the same request would come to the same end.
 * @throws ModelError `garbled`
 */
export function endWith(
  origin: string,
  calls: readonly WrittenCall[],
  { finishReason, usage }: { finishReason: FinishReason; usage: TokenCounts | null },
): StreamPart[] {
  const isCut = finishReason === 'length' || finishReason === 'filtered';
  // Cut before its arguments, a call is not one without any.
  const none = isCut ? '' : '{}';
  const parts = calls.flatMap(({ id, name, text }): StreamPart[] => {
    try {
      const args = ToolArguments.parse(JSON.parse(text || none));
      return [{ type: 'tool-call', call: { id, name, arguments: args } }];
    } catch (cause) {
      if (isCut) return [];
      throw new ModelError('garbled', `${origin}: a tool call without readable arguments`, { cause, usage });
    }
  });
  return [...parts, { type: 'end', finishReason, usage }];
}
