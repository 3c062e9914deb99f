import type { ToolCall } from '@kith/llm';

/** Steps of one turn in which tools may be called: enough to look twice and think, not enough to run in circles. */
const MOST_TOOL_STEPS = 3;
/** Calls of one step that are carried out. */
const MOST_CALLS = 3;

export type StepDecision =
  /** Carry these out and ask again. */
  | { kind: 'call'; calls: ToolCall[] }
  /** Ask once more without tools: a text is wanted now. */
  | { kind: 'speak' };

/**
 * What to do with the tools a model asks for. The same call again would bring the same answer. Pure.
 * @param step from 1
 * @param made the calls of earlier steps, as `signatureOf` gives them
 */
export function decideStep(
  calls: readonly ToolCall[],
  step: number,
  made: ReadonlySet<string>,
): StepDecision {
  const fresh = calls.filter((call) => !made.has(signatureOf(call)));
  if (step >= MOST_TOOL_STEPS || fresh.length === 0) return { kind: 'speak' };
  return { kind: 'call', calls: fresh.slice(0, MOST_CALLS) };
}

/** Two calls with one signature ask the same. */
export function signatureOf({ name, arguments: given }: ToolCall): string {
  return `${name} ${JSON.stringify(Object.entries(given).toSorted(([a], [b]) => a.localeCompare(b)))}`;
}
