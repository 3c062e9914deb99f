import { AppError } from '@kith/contracts';
import type { EmbeddingProvider } from './provider.js';

/**
 * Failure of a provider:
 * `overloaded` and `network` may pass; `limited` is a 429 that says when to come back; `spent` is a 429 that
 * does not, which is a quota and stays; `auth`, `model` and `shape` need the operator; `refused` is about the text.
 */
export type FailureKind =
  'overloaded' | 'network' | 'limited' | 'spent' | 'auth' | 'model' | 'shape' | 'refused';

/** A call to a provider that did not yield vectors. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';
  constructor(
    readonly failureKind: FailureKind,
    message: string,
    readonly retryAfterMs: number | null = null,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/** Classifies an HTTP status. Gemini says 400 for a key it does not know. */
export function failureKindOf(status: number, body: string, retryAfterMs: number | null): FailureKind {
  if (status === 401 || status === 403 || /API_KEY_INVALID|API key not valid/i.test(body)) return 'auth';
  if (status === 404) return 'model';
  if (status === 402 || /insufficient_quota/.test(body)) return 'spent';
  if (status === 429) return retryAfterMs === null ? 'spent' : 'limited';
  if (status === 408 || status === 409 || status >= 500) return 'overloaded';
  return 'refused';
}

/** Reads a `retry-after` header: seconds or an HTTP date. Null when absent or unreadable. */
export function readRetryAfter(header: string | null | undefined, now: Date): number | null {
  if (!header) return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - now.getTime());
}

/**
 * The error that leaves this service. Never a vector from another space instead: what is indexed could not be
 * found by it. Only a text the provider refuses is the caller's fault; the rest is `unavailable`.
 */
export function toAppError(failure: ProviderFailure, provider: EmbeddingProvider): AppError {
  const mend: Partial<Record<FailureKind, string>> = {
    auth: `the key was refused: set ${provider.keySetting} to a valid key, or EMBEDDING_PROVIDER=lexical to work without one`,
    model:
      'the model is not there: check EMBEDDING_MODEL. The log names what the host offers; EMBEDDING_NEXT_MODEL moves to another',
    spent: 'the quota is used up: raise it at the provider',
  };
  const hint = mend[failure.failureKind] ?? failure.message;
  return new AppError(
    failure.failureKind === 'refused' ? 'invalid_request' : 'unavailable',
    `embedding with ${provider.name} failed: ${hint}`,
    { provider: provider.name, kind: failure.failureKind },
    { cause: failure },
  );
}
