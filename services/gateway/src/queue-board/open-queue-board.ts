import { AppError, lazy } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { bearerKey, type Entrance } from '../entrance/entrance.js';
import { toAppError } from '../entrance/problem-details.js';
import { sendProblem } from '../entrance/problem-filter.js';
import type { RateLimit } from '../entrance/rate-limit.js';
import { countedAs, requireScope } from '../people/caller.js';

const PATH = '/admin/queues';
/** Policy of the board, which has inline styles and a base of its own. It loads nothing from elsewhere. */
const POLICY =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; font-src 'self' data:; " +
  "object-src 'none'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'";

/**
 * Bull Board over every service's queues, for operators: an API key with the scope `admin`, as a bearer token or as the
 * password that a browser asks for. It only shows, since any other page can make a browser send that password along.
 */
export function openQueueBoard(
  app: NestExpressApplication,
  { entrance, limit, messenger }: { entrance: Entrance; limit: RateLimit; messenger: Messenger },
) {
  const board = lazy('the board of queues', async () => {
    const { makeQueueBoard } = await import('./make-queue-board.js');
    return makeQueueBoard(messenger, PATH);
  });
  const admit = async (request: Request): Promise<void> => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw new AppError('forbidden', 'the board only shows; kith dead and kith jobs change');
    const authorization = request.header('authorization');
    const key = bearerKey(authorization) ?? password(authorization);
    const address = entrance.addressOf(request);
    await entrance.admit(address);
    if (key === null) throw new AppError('unauthorized', 'send an operator’s API key');
    const caller = await entrance.callerOf(key, address);
    requireScope(caller, 'admin');
    await limit.take(countedAs(caller));
  };
  app.use(PATH, (request: Request, response: Response, next: NextFunction) => {
    const show = async () => {
      await admit(request);
      const handle = await board();
      response.set({ 'Content-Security-Policy': POLICY, 'Cache-Control': 'no-store' });
      await handle(request, response, next);
    };
    show().catch((thrown: unknown) => {
      const error = toAppError(thrown);
      if (error.code === 'unauthorized')
        response.set('WWW-Authenticate', 'Basic realm="kith", charset="UTF-8"');
      sendProblem(response, error);
    });
  });
}

/** The password of HTTP Basic, whatever the name beside it; null when there is none. */
function password(authorization: string | undefined): string | null {
  const encoded = /^Basic (\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  return text.slice(text.indexOf(':') + 1) || null;
}
