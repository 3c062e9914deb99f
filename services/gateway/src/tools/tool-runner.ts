import type { ToolCall, ToolDefinition } from '@kith/llm';
import type { Tool, ToolCallContext } from './tool.js';

/** Outcome of a call: what the model is told, and what the trace keeps. */
export interface ToolResult {
  content: string;
  ok: boolean;
  tookMs: number;
}

/** Characters that one tool may tell: more would crowd out the conversation. */
const MAX_TOOL_CHARACTERS = 4_000;

/** Carries out what a model asks for during one turn. The only way from a model's words to a tool. */
export class ToolRunner {
  constructor(private readonly tools: readonly Tool[]) {}

  /** Tools as models are told of them. */
  get definitions(): ToolDefinition[] {
    return this.tools.map(({ definition }) => definition);
  }

  /** Carries out a call. Never throws for a tool's sake: the model is told, and may do better, or without. */
  async run(call: ToolCall, context: ToolCallContext): Promise<ToolResult> {
    const started = performance.now();
    const tool = this.tools.find(({ definition }) => definition.name === call.name);
    let content: string;
    let ok = false;
    try {
      content = tool ? await tool.call(call.arguments, context) : `There is no tool ${call.name}.`;
      ok = tool !== undefined;
    } catch (error) {
      content = `That did not work: ${error instanceof Error ? error.name : 'unknown error'}. Answer without it.`;
    }
    return {
      content: content.slice(0, MAX_TOOL_CHARACTERS),
      ok,
      tookMs: Math.round(performance.now() - started),
    };
  }
}
