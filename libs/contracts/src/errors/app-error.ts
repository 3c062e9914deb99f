/** The closed set of codes: a code decides retry, HTTP status, log level and what the person is told. */
export const ERROR_CODES = [
  'invalid_request',
  'unauthorized',
  'forbidden',
  'not_found',
  'conflict',
  'rate_limited',
  'unavailable',
  'internal',
] as const;
type Code = (typeof ERROR_CODES)[number];

/** The one error class of the suite. Anything else that is thrown is a bug and travels as `internal`. */
export class AppError extends Error {
  override readonly name = 'AppError';
  constructor(
    readonly code: Code,
    message: string,
    readonly details?: Record<string, unknown>,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

const RETRYABLE: ReadonlySet<Code> = new Set(['rate_limited', 'unavailable', 'internal']);

/** Tells whether the same request may succeed later. */
export function isRetryable(code: Code): boolean {
  return RETRYABLE.has(code);
}

/** Tells whether work failed because a part of the suite, or a store, did not answer. */
export function isUnavailable(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'unavailable';
}

/** Makes the error of work whose rows somebody else kept locked, or that the store cut off because it took too long. */
export function lockedError(cause: unknown): AppError {
  return new AppError(
    'unavailable',
    'it took too long, or its rows were locked',
    { locked: true },
    { cause },
  );
}

/** Tells whether work failed in that way: the same store may be there for other rows. */
export function isLocked(error: unknown): boolean {
  return error instanceof AppError && error.details?.['locked'] === true;
}

/** Makes the error that refuses a write for a person who has been erased. */
export function erasedError(cause: unknown): AppError {
  return new AppError('not_found', 'this person was erased', { erased: true }, { cause });
}

/** Tells whether work failed because its person has been erased. There is nothing left to do then. */
export function isErased(error: unknown): boolean {
  return error instanceof AppError && error.details?.['erased'] === true;
}

/** Makes the error of an order that is noted, but was broken off: without a receipt where it has no undo. */
export function notedError(message: string, receipt: string | undefined, cause: unknown): AppError {
  return new AppError('unavailable', message, { receipt }, { cause });
}

/** Finds the receipt of an order that was broken off and goes on by itself; undefined for any other error. */
export function receiptOf(error: unknown): string | undefined {
  const receipt = error instanceof AppError ? error.details?.['receipt'] : undefined;
  return typeof receipt === 'string' ? receipt : undefined;
}
