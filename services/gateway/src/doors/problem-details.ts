import { ArgumentsHost, Catch, HttpException, type ExceptionFilter } from '@nestjs/common';
import { AppError, type ErrorCode, type Problem } from '@kith/contracts';
import { currentCorrelationId } from '@kith/messaging';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';

const STATUS: Record<ErrorCode, number> = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  rate_limited: 429,
  unavailable: 503,
  internal: 500,
};

const TITLE: Record<ErrorCode, string> = {
  invalid_request: 'The request is not valid',
  unauthorized: 'A valid API key is needed',
  forbidden: 'This key may not do that',
  not_found: 'Not found',
  conflict: 'That conflicts with what is there',
  rate_limited: 'Too many requests',
  unavailable: 'Out of reach for now',
  internal: 'Something went wrong here',
};

/** The RFC 9457 problem of an error. A bug's own message stays in the log. */
export function problemOf(error: AppError): Problem {
  const { code, details } = error;
  const field = details?.['field'];
  const errors =
    (details?.['errors'] as Problem['errors']) ??
    (typeof field === 'string' ? [{ field, message: error.message }] : undefined);
  const correlationId = currentCorrelationId();
  return {
    type: `urn:kith:problem:${code}`,
    title: TITLE[code],
    status: STATUS[code],
    detail: code === 'internal' ? 'The error was logged under the correlation id.' : error.message,
    code,
    ...(errors ? { errors } : {}),
    ...(correlationId ? { correlationId } : {}),
  };
}

/** Turns whatever was thrown into an AppError: what Nest and the body parser throw has a meaning of its own. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { type, status } = error as { type?: string; status?: number };
  if (type === 'entity.too.large')
    return new AppError('invalid_request', 'the body is larger than 1 MB', { status: 413 });
  if (type === 'entity.parse.failed') return new AppError('invalid_request', 'the body is not valid JSON');
  if (type?.startsWith('encoding.') || type?.startsWith('charset.') || type === 'request.aborted') {
    return new AppError('invalid_request', 'the body could not be read');
  }
  const httpStatus = error instanceof HttpException ? error.getStatus() : status;
  if (httpStatus === 404) return new AppError('not_found', 'there is nothing at this address');
  if (httpStatus === 400 || httpStatus === 413) {
    return new AppError('invalid_request', (error as Error).message);
  }
  return new AppError('internal', 'unexpected error', undefined, { cause: error });
}

@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    if (host.getType() !== 'http') throw thrown;
    const response = host.switchToHttp().getResponse<Response>();
    const request = host.switchToHttp().getRequest<Request>();
    const error = toAppError(thrown);
    const problem = problemOf(error);
    const special = error.details?.['status'];
    if (typeof special === 'number') problem.status = special;
    if (error.code === 'internal') {
      this.logger.error(
        { err: error.cause ?? thrown, method: request.method, path: request.path },
        'request failed',
      );
    }
    if (response.headersSent) {
      response.end();
      return;
    }
    const retryAfter = error.details?.['retryAfterS'];
    if (typeof retryAfter === 'number') response.setHeader('Retry-After', String(retryAfter));
    if (error.code === 'unauthorized') response.setHeader('WWW-Authenticate', 'Bearer realm="kith"');
    response.status(problem.status).type('application/problem+json').send(JSON.stringify(problem));
  }
}
