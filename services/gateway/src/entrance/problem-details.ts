import { HttpException } from '@nestjs/common';
import { AppError, receiptOf, type ErrorCode, type Problem } from '@kith/contracts';
import { currentCorrelationId } from '@kith/messaging';

export const PROBLEMS: Readonly<Record<ErrorCode, { status: number; title: string }>> = {
  invalid_request: { status: 400, title: 'The request is not valid' },
  unauthorized: { status: 401, title: 'A valid API key is needed' },
  forbidden: { status: 403, title: 'This key may not do that' },
  not_found: { status: 404, title: 'Not found' },
  conflict: { status: 409, title: 'That conflicts with what is there' },
  rate_limited: { status: 429, title: 'Too many requests' },
  unavailable: { status: 503, title: 'Out of reach for now' },
  internal: { status: 500, title: 'Something went wrong here' },
};

/** The RFC 9457 problem of an error. A bug's own message stays in the log. */
export function problemOf(error: AppError): Problem {
  const { code, details } = error;
  const { status, title } = PROBLEMS[code];
  const field = details?.['field'];
  const errors =
    (details?.['errors'] as Problem['errors']) ??
    (typeof field === 'string' ? [{ field, message: error.message }] : undefined);
  const receipt = receiptOf(error);
  const correlationId = currentCorrelationId();
  return {
    type: `urn:kith:problem:${code}`,
    title,
    status: typeof details?.['status'] === 'number' ? details['status'] : status,
    detail: code === 'internal' ? 'The error was logged under the correlation id.' : error.message,
    code,
    ...(errors ? { errors } : {}),
    ...(receipt === undefined ? {} : { receipt }),
    ...(correlationId ? { correlationId } : {}),
  };
}

/** Makes the headers that an error brings along: what else to ask for, or when. */
export function headersOf({ details }: AppError): Record<string, string> {
  const retryAfter = details?.['retryAfterS'];
  return {
    ...(details?.['headers'] as Record<string, string> | undefined),
    ...(typeof retryAfter === 'number' && { 'Retry-After': String(retryAfter) }),
  };
}

/** Refusals by Nest and Express in our words: theirs may tell of a path, or of an input. */
const REFUSED: Readonly<Record<number, string>> = {
  408: 'the request took too long to arrive',
  405: 'this address does not take that method',
  406: 'this address has no such form',
  412: 'it has changed: a condition of the request does not hold',
  413: 'the body is too large',
  414: 'the address is too long',
  415: 'the body is in a form that is not read here',
  416: 'the range lies outside of what there is',
  417: 'what the request expects is not done here',
  431: 'the headers are too large',
};

/**
 * Turns whatever was thrown into an AppError. Nest, Express, the body parser and the file server say with a status what
 * was wrong with a request; all else is a bug of ours.
 */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const status = statusOf(thrown);
  // A path that leads out of what is served is refused as forbidden: no key would change that.
  if (status === 403 || status === 404)
    return new AppError('not_found', 'there is nothing at this address', undefined, { cause: thrown });
  if (status >= 400 && status < 500) {
    const words = wordsOfParser(thrown) ?? REFUSED[status] ?? 'the request could not be read';
    return new AppError('invalid_request', words, { status, ...rangeOf(thrown) }, { cause: thrown });
  }
  return new AppError('internal', 'unexpected error', undefined, { cause: thrown });
}

/** Words what the body parser refused; null where something else refused. */
function wordsOfParser(thrown: unknown): string | null {
  const { type, limit } = (thrown ?? {}) as { type?: string; limit?: number };
  if (type === 'encoding.unsupported') return 'send the body unpacked, without Content-Encoding';
  if (type !== 'entity.too.large' || limit === undefined) return null;
  const size = limit < 1_000_000 ? `${limit / 1_000} kB` : `${Math.floor(limit / 1_000_000)} MB`;
  return `the body is larger than ${size}`;
}

/** Finds the status that an error names; 500 where it names none. */
function statusOf(thrown: unknown): number {
  if (thrown instanceof HttpException) return thrown.getStatus();
  // Express throws it for an address that it can't decode.
  if (thrown instanceof URIError) return 400;
  const { status } = (thrown ?? {}) as { status?: unknown };
  return typeof status === 'number' ? status : 500;
}

/** Keeps the header that tells the size of the file where a range is refused. */
function rangeOf(thrown: unknown): { headers?: Record<string, string> } {
  const range = (thrown as { headers?: Record<string, string> }).headers?.['Content-Range'];
  return range === undefined ? {} : { headers: { 'Content-Range': range } };
}
