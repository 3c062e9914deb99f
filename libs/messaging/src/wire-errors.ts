import { AppError, WireError } from '@kith/contracts';
import type { z } from 'zod';

/** Turns an error into what the other side gets. Any but an `AppError` is a bug, whose text stays inside. */
export function toWireError(error: unknown): WireError {
  if (!(error instanceof AppError)) {
    return { code: 'internal', message: 'the service met an unexpected error' };
  }
  const { code, message, details } = error;
  return details === undefined ? { code, message } : { code, message, details };
}

/** Describes an error in one line for the operator. */
export function describeReason(error: unknown): string {
  return error instanceof AppError ? `${error.code}: ${error.message}` : String(error);
}

/** Turns the other side's error into an `AppError`. An answer that is no `WireError` counts as `internal`. */
export function fromWireError(wire: unknown): AppError {
  const parsed = WireError.safeParse(wire);
  if (!parsed.success) return new AppError('internal', 'the service answered with an unreadable error');
  return new AppError(parsed.data.code, parsed.data.message, parsed.data.details);
}

/** Parses JSON. Text that is none stays as it is: whoever reads it refuses it by its form. */
export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Makes the error of a request that was not answered in time. */
export function lateAnswer(pattern: string, timeoutMs: number): AppError {
  return new AppError('unavailable', `${pattern} did not answer within ${timeoutMs} ms`);
}

/**
 * Parses, or throws an `AppError` of this code that names what is wrong and where, never the values:
 * they may be what people said.
 */
export function parseOrThrow<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  code: 'invalid_request' | 'internal',
  what: string,
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.') || '(root)'}: ${issue.code}`);
  throw new AppError(code, `${what} is malformed`, { problems });
}
