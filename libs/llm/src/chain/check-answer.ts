import { storableText } from '@kith/contracts';
import { ModelError } from '../errors/model-error.js';
import type { ToolCall } from '../messages.js';
import type { FinishReason } from '../provider.js';

/** Refuses an answer that is empty, not readable, or cut by its host's filter: a half is no reply. */
export function checkAnswer(
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
