import { ModelError, readFailure } from '@kith/llm';

/**
 * Makes the error of a call that an SDK threw for: `timeout` where our own timer had ended it, which an SDK takes for a
 * host out of reach. Such a call was taken up and may be charged, and is not made again.
 * @param timer signal that the call was made with
 */
export function failureOf(
  error: unknown,
  timer: AbortSignal,
  { provider, retryAfter = null }: { provider: string; retryAfter?: string | null },
): ModelError {
  if (timer.aborted) return new ModelError('timeout', `${provider}: no answer in time`, { cause: error });
  return readFailure(error, { provider, opened: false, retryAfter });
}
