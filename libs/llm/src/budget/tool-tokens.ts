import { estimateTokens } from '../estimate-tokens.js';
import type { ToolDefinition } from '../messages.js';

/** Tokens by tool, since each turn is offered the same tools and counting them takes 30 µs. */
const KNOWN = new WeakMap<ToolDefinition, number>();

/** Estimates what the descriptions of tools add to a prompt. */
export function toolTokens(tools: readonly ToolDefinition[]): number {
  return tools.reduce((sum, tool) => {
    const tokens = KNOWN.get(tool) ?? estimateTokens(JSON.stringify(tool));
    KNOWN.set(tool, tokens);
    return sum + tokens;
  }, 0);
}
