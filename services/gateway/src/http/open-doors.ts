import { existsSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import {
  AppError,
  chatRoutes,
  lazy,
  MAX_CHARACTER_BYTES,
  MAX_SENT_PICTURE_BYTES,
  personaRoutes,
} from '@kith/contracts';
import { Messenger } from '@kith/messaging';
import type { NestExpressApplication } from '@nestjs/platform-express';
import express, { type NextFunction, type Request, type Response } from 'express';
import { ApiKeys } from '../people/api-keys.js';
import { TurnEvents } from '../signals/turn-events.js';
import { openChatSocket } from '../socket/chat-socket.js';
import { ChatService } from '../intake/chat.service.js';
import { Entrance } from '../entrance/entrance.js';
import { isNestedDeeper, MAX_DEPTH } from '../entrance/is-nested-deeper.js';
import { openQueueBoard } from '../queue-board/open-queue-board.js';
import { rawProblem, toAppError } from '../entrance/problem-details.js';
import { RateLimit } from '../entrance/rate-limit.js';
import { securityHeaders } from '../entrance/security-headers.js';

const MAX_BODY = '1mb';
/** A character's file as base64, and what is said beside it. */
const MAX_CHARACTER_BODY = Math.ceil(MAX_CHARACTER_BYTES / 3) * 4 + 10_000;
/** A message's pictures as base64, and what is said beside them. */
const MAX_CHAT_BODY = Math.ceil(MAX_SENT_PICTURE_BYTES / 3) * 4 + 100_000;
const OWN_CONSOLE = join(import.meta.dirname, '../../../../apps/console/dist');

/** Opens what is served beside the routes: the API page, the queue board, the console, the WebSocket. Reads bodies. */
export function openDoors(app: NestExpressApplication, consoleDirectory: string | undefined): void {
  app.use(securityHeaders);
  const readBody = express.json({ limit: MAX_BODY, strict: true });
  const readers = new Map<string, typeof readBody>([
    [personaRoutes.import.path, express.json({ limit: MAX_CHARACTER_BODY, strict: true })],
    [chatRoutes.say.path, express.json({ limit: MAX_CHAT_BODY, strict: true })],
  ]);
  app.use('/v1', (request: Request, response: Response, next: NextFunction) => {
    const [path = ''] = request.originalUrl.split('?', 1);
    const read = readers.get(path) ?? readBody;
    // Express's request is Node's own, with more to it: it sets the prototype, and calls no constructor.
    // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment
    read(request, response, (error?: unknown) => {
      // Told as our own error at once: Nest would flatten every refusal of the parser to a 400 of its words.
      if (error) return next(toAppError(error));
      next(isNestedDeeper(request.body, MAX_DEPTH) ? tooDeep() : undefined);
    });
  });
  const apiPage = lazy('the page of the API', async () => (await import('./api-page.js')).makeApiPage());
  app.use((request: Request, response: Response, next: NextFunction) => {
    if (!/^\/docs(?:\/|$)/i.test(request.path)) {
      next();
      return;
    }
    apiPage().then((show) => show(request, response, next), next);
  });
  const entrance = app.get(Entrance);
  openQueueBoard(app, { messenger: app.get(Messenger), entrance, limit: app.get(RateLimit) });
  const pages = consoleDirectory ?? OWN_CONSOLE;
  if (existsSync(pages)) {
    // Vite names what it builds by content, so only the page itself must be asked for anew.
    app.use('/assets', express.static(join(pages, 'assets'), { immutable: true, maxAge: '1y' }));
    app.use(express.static(pages, { index: 'index.html', cacheControl: false, etag: true }));
  }
  app.getHttpServer().on('clientError', refuseUnreadable);
  app.getHttpServer().on('checkExpectation', refuseExpectation);
  const close = openChatSocket(app.getHttpServer(), {
    chat: app.get(ChatService),
    keys: app.get(ApiKeys),
    entrance,
    limit: app.get(RateLimit),
    events: app.get(TurnEvents),
  });
  app.getHttpServer().once('close', close);
  process.once('SIGTERM', close);
}

function tooDeep(): AppError {
  return new AppError('invalid_request', `the body is nested more than ${MAX_DEPTH} deep`, { field: 'body' });
}

const UNREADABLE: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Only `100-continue` is expected of servers today, and Node sees to that. */
function refuseExpectation(_: IncomingMessage, response: ServerResponse): void {
  response.shouldKeepAlive = false;
  response.socket?.end(rawProblem(toAppError({ status: 417 })));
}

/** Answers on the bare socket what Node's parser refuses, since it never becomes a request. */
function refuseUnreadable({ code = '' }: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || code === 'ECONNRESET') socket.destroy();
  else socket.end(rawProblem(toAppError({ status: UNREADABLE[code] ?? 400 })));
}
