import { AppError } from '@kith/contracts';

/** Gives the HTTP status of the client's error. */
export function statusOf(error: unknown): number | undefined {
  const status = (error as { status?: unknown } | undefined)?.status;
  return typeof status === 'number' ? status : undefined;
}

/** Tells whether a collection is missing. */
export const isNotFound = (error: unknown): boolean => statusOf(error) === 404;

/** Makes a handler that answers with `nothing` where a collection is missing: it was never written to, or was lost. */
export function ifNotFound<T>(nothing: T): (error: unknown) => T {
  return (error) => {
    if (isNotFound(error)) return nothing;
    throw error;
  };
}

/** Runs work, and throws `unavailable` where Qdrant is out of reach. A refused request is a bug: its error is thrown as it is. */
export async function reaching<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const status = statusOf(cause);
    if (status !== undefined && status < 500 && status !== 429 && status !== 408) throw cause;
    if (cause instanceof Error && status === undefined && !isTransportError(cause)) throw cause;
    throw new AppError('unavailable', 'Qdrant does not answer', undefined, { cause });
  }
}

/** Tells whether an answer is missing or partial, or the client's own error without a status, as of a busy server. */
function isTransportError(error: Error): boolean {
  return /QdrantClient|retryAfter|fetch failed|terminated|SyntaxError|Timeout|Abort|ECONN|socket/i.test(
    `${error.name} ${error.message}`,
  );
}
