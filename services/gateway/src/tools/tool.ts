import type { ToolDefinition } from '@kith/llm';

/** Circumstances of one call. */
export interface ToolCallContext {
  /** Idempotency key: the same for the same call of the same turn, also when the turn is taken again. */
  key: string;
  /** Aborted when the turn is pointless. */
  signal: AbortSignal;
}

/** Tool that a model may use during a turn. Whose turn it is comes from the claim, never from the model. */
export interface Tool {
  definition: ToolDefinition;
  /** Carries out a call. Returns what the model is told. */
  call(given: Record<string, unknown>, context: ToolCallContext): Promise<string>;
}

/** Describes a tool to a model; every property is required. */
export function definition(
  name: string,
  description: string,
  properties: Record<string, object>,
): ToolDefinition {
  return {
    name,
    description,
    parameters: { type: 'object', properties, required: Object.keys(properties) },
  };
}
