import { z } from 'zod';

/** The closed set of codes: a code decides retry, HTTP status, log level and what the person is told. */
export const ErrorCode = z.enum([
  'invalid_request',
  'unauthorized',
  'forbidden',
  'not_found',
  'conflict',
  'rate_limited',
  'unavailable',
  'internal',
]);
export type ErrorCode = z.infer<typeof ErrorCode>;

/** Parts of an error that cross between services: never classes, never stacks. */
export const WireError = z.object({
  code: ErrorCode,
  message: z.string(),
  details: z.record(z.string(), z.unknown()).optional(),
});
export type WireError = z.infer<typeof WireError>;

/** The one error class of the suite. Anything else that is thrown is a bug and travels as `internal`. */
export class AppError extends Error {
  override readonly name = 'AppError';
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details?: Record<string, unknown>,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

const RETRYABLE: ReadonlySet<ErrorCode> = new Set(['rate_limited', 'unavailable', 'internal']);

/** Tells whether the same request may succeed later. */
export function isRetryable(code: ErrorCode): boolean {
  return RETRYABLE.has(code);
}

/** Makes the error that refuses a write for a person who has been erased. */
export function erasedError(cause: unknown): AppError {
  return new AppError('not_found', 'this person was erased', { erased: true }, { cause });
}

/** Tells whether work failed because its person has been erased. There is nothing left to do then. */
export function isErased(error: unknown): boolean {
  return error instanceof AppError && error.details?.['erased'] === true;
}
