import { estimateTokens } from './estimate-tokens.js';
import { reasoningFor, textOf, type ChatMessage, type ToolCall, type ToolDefinition } from './messages.js';
import type { ModelRequest } from './provider.js';

/** Tokens of a picture: hosts count some 250 to 1,600. */
export const PICTURE_TOKENS = 1_500;

/** Tokens by tool or call: each turn has the same ones, and counting one takes 30 µs. */
const KNOWN = new WeakMap<ToolDefinition | ToolCall, number>();

/**
 * Estimates the tokens of a prompt. A talk that goes on has the same objects for most of its messages.
 * @param model the one that is asked, as `host:model`: it is sent its own reasoning alone
 */
export function estimatePrompt({ messages, tools = [] }: ModelRequest, model: string): number {
  return messages.reduce((sum, message) => sum + messageTokens(message, model), jsonTokens(tools));
}

/** Estimates what tools, or calls of them, take in JSON. */
export function jsonTokens(parts: readonly (ToolDefinition | ToolCall)[]): number {
  return parts.reduce((sum, part) => {
    const tokens = KNOWN.get(part) ?? estimateTokens(JSON.stringify(part));
    KNOWN.set(part, tokens);
    return sum + tokens;
  }, 0);
}

function messageTokens(message: ChatMessage, model: string): number {
  const { content } = message;
  const pictures = typeof content === 'string' ? 0 : content.filter(({ type }) => type === 'image').length;
  const said = estimateTokens(textOf(content), { of: message }) + pictures * PICTURE_TOKENS;
  if (message.role !== 'assistant') return said;
  return reasoningFor(model, message).reduce(
    (sum, step) => sum + estimateTokens(step.text, { of: step }),
    said + jsonTokens(message.toolCalls ?? []),
  );
}
