import { PlainError } from '@kith/contracts';
import type { TokenCounts } from '../provider.js';

/** All the ways in which a try of a model, of words or of vectors, can fail. What to do about each: `decideRetry`. */
export type ModelErrorKind =
  /** The host has too much to do, or is broken: 5xx, 529. */
  | 'overloaded'
  /** 429: too fast. Often says how long to wait. */
  | 'rate-limited'
  /** 429 or 402: the money or the quota is used up. Waiting does not help. */
  | 'spend-limit'
  /** The key is missing, wrong, or not allowed this. */
  | 'unauthorized'
  /** The host's filter would not answer this, or cut the answer. */
  | 'refused'
  /** The host does not serve this model, or no longer, or nothing is at its address. */
  | 'no-such-model'
  /** The request itself is malformed. */
  | 'invalid-request'
  /** The prompt is longer than what the host lets the model hold. */
  | 'too-long'
  /** No first token, or no end, in time. */
  | 'timeout'
  /** No connection to the host. */
  | 'unreachable'
  /** The answer began with a 200 and then failed. */
  | 'cut-stream'
  /** The answer has no text and no tool call. */
  | 'empty'
  /** The answer came to its limit before its first word: all of it went into thoughts. */
  | 'out-of-tokens'
  /** The answer can't be read, or is not of the form that was asked for. */
  | 'garbled'
  /** An operator's hook refused the call, or its answer. */
  | 'hook';

/** Failures that say nothing of the host: what was asked had no answer there, and another request may go well. */
const ABOUT_THE_REQUEST: ReadonlySet<ModelErrorKind> = new Set<ModelErrorKind>([
  'refused',
  'invalid-request',
  'too-long',
  'out-of-tokens',
  'hook',
]);

export function isAboutRequest(kind: ModelErrorKind): boolean {
  return ABOUT_THE_REQUEST.has(kind);
}

/** A try that failed. Its message names provider, status and code, and never what was said. */
export class ModelError extends PlainError {
  override readonly name = 'ModelError';
  readonly retryAfterMs: number | undefined;
  /** Tokens that the host had counted when its answer proved unusable. */
  readonly usage: TokenCounts | null;

  constructor(
    readonly kind: ModelErrorKind,
    message: string,
    more: { retryAfterMs?: number | undefined; usage?: TokenCounts | null; cause?: unknown } = {},
  ) {
    super(message, more);
    this.retryAfterMs = more.retryAfterMs;
    this.usage = more.usage ?? null;
  }
}

/** One try, for a turn's trace. */
export interface ModelTry {
  /** As `provider:model`. */
  model: string;
  /** `circuit-open`: it was not asked, because it had failed too often. */
  kind: 'answered' | 'circuit-open' | ModelErrorKind;
  tookMs: number;
  /** Names of tools without which it is asked again, as its host has refused them; absent where it took all. */
  leftOut?: string[];
  /** US dollars; absent where the model's price is not known. */
  cost?: number;
}

/** Every model of a chain failed, or the budget ran out. */
export class ModelChainError extends PlainError {
  override readonly name = 'ModelChainError';
  declare readonly message: `no ${string} model answered: ${string}`;

  constructor(
    readonly role: string,
    readonly tries: readonly ModelTry[],
    options?: { cause?: unknown },
  ) {
    const list = tries.map(({ model, kind }) => `${model} ${kind}`).join(', ');
    super(`no ${role} model answered: ${list || 'no time was left to try'}`, options);
  }
}
