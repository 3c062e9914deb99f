import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AppError } from '@kith/contracts';
import { headersOf, problemOf, toAppError } from './problem-details.js';

/** Statuses for requests that Node's parser refuses. Others could not be read at all. */
const UNREADABLE: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};
/** Time in which a client takes a refusal, some hundred bytes: a slow line needs a second or two. */
const MAX_TAKING_MS = 5_000;

/**
 * Refuses what Node leaves to us, and lets go of the socket once that is written or its time is over: none of Node's
 * timeouts applies to it, so a client that never ends its own side, or never reads, would hold it for ever.
 * @param method of the request, where it could be read: to HEAD, words would be taken for an answer of their own
 */
export function refuseSocket(socket: Duplex, error: AppError, method?: string): void {
  const destroy = () => socket.destroy();
  const late = setTimeout(destroy, MAX_TAKING_MS).unref();
  socket.once('close', () => clearTimeout(late));
  socket.once('finish', destroy);
  socket.end(rawProblem(error, method === 'HEAD'));
}

/** Answers on the bare socket what Node's parser refuses, since it never becomes a request. */
export function refuseUnreadable({ code = '' }: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || code === 'ECONNRESET') socket.destroy();
  else refuseSocket(socket, toAppError({ status: UNREADABLE[code] ?? 400 }));
}

/** Writes the whole answer, for a socket that has no response. */
function rawProblem(error: AppError, isWordless: boolean): string {
  const problem = problemOf(error);
  const body = JSON.stringify(problem);
  return [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    ...Object.entries(headersOf(error)).map(([name, value]) => `${name}: ${value}`),
    '',
    isWordless ? '' : body,
  ].join('\r\n');
}
