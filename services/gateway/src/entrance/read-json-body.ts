import {
  AppError,
  chatRoutes,
  findExcess,
  MAX_CHARACTER_BYTES,
  MAX_SENT_PICTURE_BYTES,
  personaRoutes,
  type Route,
} from '@kith/contracts';
import express, { type Request, type Response } from 'express';
import { toAppError } from './problem-details.js';

const MAX_BYTES = 1024 * 1024;
/** Largest body without a key: that of a sign-in code. */
const MAX_BYTES_WITHOUT_KEY = 10_000;
const MAX_BYTES_OF = new Map<Route, number>([
  // A character's file as base64, and what is said beside it.
  [personaRoutes.import, Math.ceil(MAX_CHARACTER_BYTES / 3) * 4 + 10_000],
  // A message's pictures as base64, and what is said beside them.
  [chatRoutes.say, Math.ceil(MAX_SENT_PICTURE_BYTES / 3) * 4 + 100_000],
]);

/**
 * Reads the body of a request after its caller was let in, so that nothing is unpacked or parsed for strangers.
 * @returns its JSON; undefined where there is none
 * @throws AppError `invalid_request` where it is too large, too deep, too many values, no JSON, or sent as another type
 */
export async function readJsonBody(route: Route, request: Request, response: Response): Promise<unknown> {
  if (!route.body) return undefined;
  const limit = route.scope === 'no-key' ? MAX_BYTES_WITHOUT_KEY : (MAX_BYTES_OF.get(route) ?? MAX_BYTES);
  await new Promise<void>((resolve, reject) => {
    // Express's request is Node's own, with more to it: it sets the prototype, and calls no constructor.
    // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment
    express.raw({ limit, type: 'application/json' })(request, response, (error?: unknown) => {
      if (error) reject(toAppError(error));
      else resolve();
    });
  });
  const bytes = request.body as unknown;
  // A request may wait for a minute, and its bytes would be in memory with it.
  request.body = undefined;
  if (!Buffer.isBuffer(bytes)) {
    if (!sendsAnything(request)) return undefined;
    // As `curl -d` sends it, unless it is told the type.
    const message = 'send the body as JSON, with the header Content-Type: application/json';
    throw new AppError('invalid_request', message, { field: 'body' });
  }
  if (bytes.length === 0) return undefined;
  const excess = findExcess(bytes);
  if (excess !== null) throw new AppError('invalid_request', `the body ${excess}`, { field: 'body' });
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch (cause) {
    throw new AppError('invalid_request', 'the body is not valid JSON', { field: 'body' }, { cause });
  }
}

function sendsAnything({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
