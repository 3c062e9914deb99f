import type { ToolCall } from '@kith/llm';

/** Steps of one turn in which tools may be called: enough to look twice and think, not enough to run in circles. */
const MAX_TOOL_STEPS = 3;
/** Calls of one step that are carried out: a model that asks for more has lost its way. */
const MAX_CALLS = 3;

export type StepDecision =
  /** Carry these out and ask again. */
  | { kind: 'call'; calls: ToolCall[] }
  /** Ask once more without tools: a text is wanted now. */
  | { kind: 'speak' };

/**
 * Decides what to do with the tools a model asks for. The same call again would bring the same answer. Pure.
 * @param step from 1
 * @param made the calls of earlier steps, as `signatureOf` gives them
 */
export function decideStep(
  calls: readonly ToolCall[],
  step: number,
  made: ReadonlySet<string>,
): StepDecision {
  const fresh = calls.filter((call) => !made.has(signatureOf(call)));
  if (step >= MAX_TOOL_STEPS || fresh.length === 0) return { kind: 'speak' };
  return { kind: 'call', calls: fresh.slice(0, MAX_CALLS) };
}

/** Two calls with one signature ask the same. */
export function signatureOf({ name, arguments: given }: ToolCall): string {
  return `${name} ${JSON.stringify(Object.entries(given).toSorted(([a], [b]) => a.localeCompare(b)))}`;
}
