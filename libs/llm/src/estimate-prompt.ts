import { textOf, type ChatMessage } from './messages.js';
import { estimateTokens } from './estimate-tokens.js';

/** Estimates the tokens of a prompt. A talk that goes on has the same objects for most of its messages. */
export function estimatePrompt(messages: readonly ChatMessage[]): number {
  return messages.reduce((sum, message) => sum + estimateTokens(textOf(message.content), { of: message }), 0);
}
