import type { ToolQuestion } from '@kith/contracts';
import { wordQuestion } from './word-question.js';

/** Shows a question about a call to its person. */
export function viewQuestion(call: {
  id: string;
  tool: string;
  arguments: Record<string, unknown>;
  expiresAt: Date | null;
}): ToolQuestion {
  return {
    ...{ id: call.id, tool: call.tool, arguments: call.arguments },
    text: wordQuestion(call.tool, call.arguments),
    expiresAt: (call.expiresAt ?? new Date(0)).toISOString(),
  };
}
