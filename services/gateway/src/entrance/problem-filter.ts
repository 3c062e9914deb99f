import { ArgumentsHost, Catch, type ExceptionFilter, NotFoundException } from '@nestjs/common';
import { AppError, chatSocket } from '@kith/contracts';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { methodsAt } from './methods-at.js';
import { headersOf, problemOf, toAppError } from './problem-details.js';

/** Answers with the problem. */
export function sendProblem(response: Response, error: AppError): void {
  const problem = problemOf(error);
  const headers = headersOf(error);
  if (error.code === 'unauthorized' && !response.hasHeader('WWW-Authenticate'))
    headers['WWW-Authenticate'] = 'Bearer realm="kith"';
  // Headers set for another answer do not describe this one.
  for (const name of ['Content-Encoding', 'Content-Length', 'ETag', 'Last-Modified'])
    response.removeHeader(name);
  response
    .set({ 'Cache-Control': 'no-store', ...headers })
    .status(problem.status)
    .type('application/problem+json')
    .send(JSON.stringify(problem));
}

@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    if (host.getType() !== 'http') throw thrown;
    const response = host.switchToHttp().getResponse<Response>();
    const request = host.switchToHttp().getRequest<Request>();
    const error = thrown instanceof NotFoundException ? explainNoRoute(request) : toAppError(thrown);
    if (error.code === 'internal') {
      this.logger.error(
        { err: error.cause ?? thrown, method: request.method, path: request.path },
        'a request failed',
      );
    }
    if (response.headersSent) response.end();
    else sendProblem(response, error);
  }
}

/** Tells a wrong method, and a WebSocket's address, from a wrong address: Nest found no route for any of them. */
function explainNoRoute({ path }: Request): AppError {
  if (path === chatSocket.path)
    return new AppError('invalid_request', 'this address takes a WebSocket alone', {
      status: 426,
      headers: { Connection: 'Upgrade', Upgrade: 'websocket' },
    });
  const methods = methodsAt(path).join(', ');
  if (methods === '') return toAppError({ status: 404 });
  return new AppError('invalid_request', `this address takes ${methods}`, {
    status: 405,
    headers: { Allow: methods },
  });
}
