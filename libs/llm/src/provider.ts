import type { CallAccount, HookRun } from './hooks/hook.js';
import type { ChatMessage, Reasoning, ToolCall, ToolDefinition } from './messages.js';

export interface ModelRequest {
  messages: readonly ChatMessage[];
  tools?: readonly ToolDefinition[];
  /** Most tokens the answer may have. */
  maxTokens?: number;
  /** 0 to 2; the model's own default when absent. */
  temperature?: number;
  /** Asks for a JSON object, where the host can be made to write nothing else. */
  json?: boolean;
  /** Ends the request; what it was given as its reason is thrown. */
  signal?: AbortSignal;
  /** Person and turn that it is for. Passed to hooks, and never to the host. */
  account?: CallAccount;
  /** Hears of each run of an operator's hook. */
  onHook?: (run: HookRun) => void;
}

/** Reason the model stopped: its end, the token limit, tools to be called, or the host's filter. */
export type FinishReason = 'stop' | 'length' | 'tool-calls' | 'filtered';

export interface TokenCounts {
  promptTokens: number;
  completionTokens: number;
  /** Part of the prompt that the host keeps for the next one, and charges extra for. */
  cacheWriteTokens?: number;
}

export type StreamPart =
  | { type: 'text'; text: string }
  | { type: 'tool-call'; call: ToolCall }
  /**
   * Sign of life: a thought began or goes on, or arguments of a call came. They are told once they are whole, and `text`
   * is what came of them now, as far as the host shows it. A call that was merely opened is no sign: a host that stalls
   * there has said nothing.
   */
  | { type: 'alive'; text: string }
  /** Count of the host so far, which holds where the stream never ends. No sign of life: some count before they speak. */
  | { type: 'counted'; usage: TokenCounts }
  /** A step of reasoning, whole, before what it led to or at the end. */
  | { type: 'reasoning'; reasoning: Reasoning }
  /** The last part. `usage` is null when the host does not count. */
  | { type: 'end'; finishReason: FinishReason; usage: TokenCounts | null };

/** One try at one model. */
export interface ProviderRequest extends ModelRequest {
  model: string;
  signal: AbortSignal;
}

/** US dollars for a million tokens. */
export interface ModelPrice {
  input: number;
  output: number;
}

/** A model as its host lists it. Null: the host does not say. */
export interface OfferedModel {
  id: string;
  /** When it was first offered, in milliseconds since 1970. */
  createdAtMs: number | null;
  /** The announced day of its end, as YYYY-MM-DD. */
  retiresOn: string | null;
  contextTokens: number | null;
  price: ModelPrice | null;
}

/**
 * A host of models. Stateless: everything the model is to know stands in the request. Sends once: retries,
 * timeouts and fallbacks are the chain's. Failures are thrown as `ModelError`.
 *
 * There is no second, unstreamed way: a whole answer is a stream read to its end, so that each failure is met
 * in one place and a silent host is noticed by its first token.
 */
export interface ModelProvider {
  readonly name: string;
  /** True where its counts of prompts leave out what it had kept: nothing is learned from them. */
  readonly omitsKept?: boolean;
  /** A stream that just ends, without an `end` part, was cut; one that also gave no part never began. */
  stream(request: ProviderRequest): AsyncIterable<StreamPart>;
  /** The models that the key may use now. Throws a `ModelError` when the host does not say. */
  list(signal: AbortSignal): Promise<OfferedModel[]>;
}
