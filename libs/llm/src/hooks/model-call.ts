import type { ModelErrorKind } from '../errors/model-error.js';
import type { ToolCall } from '../messages.js';
import type { TokenCounts } from '../provider.js';
import type { CallAccount } from './hook.js';

/** Model call as hooks see it, beside its messages. */
export interface CallPayload {
  /** `chat` or `fast`. */
  role: string;
  /** As `provider:model`. */
  model: string;
  account: CallAccount;
  /** Names of the tools that the model is offered. */
  tools: readonly string[];
  maxTokens: number | null;
  json: boolean;
}

/** End of a model call, whatever way it ended. */
export interface CallResponse extends Pick<CallPayload, 'role' | 'model' | 'account'> {
  /** `answered`, the way it failed, or `stopped`: nobody wanted its answer any more. */
  ended: 'answered' | 'stopped' | ModelErrorKind;
  /** Text as far as it was written. */
  text: string;
  toolCalls: readonly ToolCall[];
  usage: TokenCounts;
  /** True where the host counted nothing, or not to the end. */
  usageIsEstimated: boolean;
  /** US dollars; null where the model's price is not known. */
  cost: number | null;
  tookMs: number;
}

/** Hook of our own behind each call of a model: trusted, so nothing is copied for it, and nothing waits for it. */
export type CallObserver = (response: CallResponse) => void;
