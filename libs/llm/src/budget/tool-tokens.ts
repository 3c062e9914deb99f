import { estimateTokens } from '../estimate-tokens.js';
import type { ToolDefinition } from '../messages.js';

/** Tokens by tool: a turn is offered the same ones as the turn before, and reading them again takes 30 µs. */
const KNOWN = new WeakMap<ToolDefinition, number>();

/** Estimates what the descriptions of tools add to a prompt. */
export function toolTokens(tools: readonly ToolDefinition[]): number {
  return tools.reduce((sum, tool) => {
    const tokens = KNOWN.get(tool) ?? estimateTokens(JSON.stringify(tool));
    KNOWN.set(tool, tokens);
    return sum + tokens;
  }, 0);
}
