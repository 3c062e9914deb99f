import { firstOf } from '@kith/contracts';
import type { ToolCall } from '@kith/llm';
import { RESULT_TOKENS } from '../tools/mark-result.js';
import { sorted } from '../tools/tool.js';

/** Calls of one step that are carried out: a model that asks for more has lost its way. */
const MAX_CALLS = 3;
/** Steps in a row that bring the same results, after which a model runs in circles whatever it asks. */
const MAX_SAME_RESULTS = 2;

/** Most that one turn's reasoning may take, over all tries of the turn. */
export interface ReasoningLimits {
  /** Steps in which tools are called. */
  maxSteps: number;
  /** Tokens of all steps, prompts and answers. */
  maxTokens: number;
  /** Time of this try, after which it is to speak. */
  maxMs: number;
  /** US dollars of all steps, as far as prices are known; 0: any. */
  maxCost: number;
}

/** Course of a turn's reasoning so far. */
interface Progress {
  /** Steps that called tools. */
  steps: number;
  tokens: number;
  elapsedMs: number;
  /** US dollars, as far as prices are known. */
  cost: number;
  /** Calls that were made, as `signatureOf` gives them. */
  made: ReadonlySet<string>;
  /** Steps in a row, up to the last one, that brought the same results. */
  sameResults: number;
  /** Tokens that the model's context has beside the next prompt and a reply. */
  room: number;
}

/** Bound that reasoning has come to. */
export type Bound = 'cost' | 'context' | 'steps' | 'tokens' | 'time' | 'repeated' | 'circles';

/** Decides whether tools are offered for the next step; returns the bound where they are not. Pure. */
export function findBound(progress: Progress, limits: ReasoningLimits): Bound | null {
  if (limits.maxCost > 0 && progress.cost >= limits.maxCost) return 'cost';
  if (progress.room < RESULT_TOKENS) return 'context';
  if (progress.steps >= limits.maxSteps) return 'steps';
  if (progress.tokens >= limits.maxTokens) return 'tokens';
  if (progress.elapsedMs >= limits.maxMs) return 'time';
  return progress.sameResults >= MAX_SAME_RESULTS ? 'circles' : null;
}

/**
 * Chooses the calls of a step to carry out, without repeats: those would bring the same answer, or change the
 * same thing twice. None are left where all were made before. Counts those beyond what one step may make. Pure.
 * @param room tokens that the context has for their results: one call is carried out all the same
 */
export function freshCalls(
  calls: readonly ToolCall[],
  made: ReadonlySet<string>,
  room: number,
): { calls: ToolCall[]; leftOut: number } {
  const fresh = Map.groupBy(
    calls.filter((call) => !made.has(signatureOf(call))),
    signatureOf,
  );
  const max = Math.max(1, Math.min(MAX_CALLS, Math.floor(room / RESULT_TOKENS)));
  const firsts = [...fresh.values()].map(firstOf);
  return { calls: firsts.slice(0, max), leftOut: Math.max(0, firsts.length - max) };
}

/** Two calls with one signature ask the same. */
export function signatureOf({ name, arguments: given }: Pick<ToolCall, 'name' | 'arguments'>): string {
  return `${name} ${JSON.stringify(sorted(given))}`;
}
