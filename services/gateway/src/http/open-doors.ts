import { existsSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { lazy } from '@kith/contracts';
import type { NestExpressApplication } from '@nestjs/platform-express';
import express, { type NextFunction, type Request, type Response } from 'express';
import { PARTS, type Parts } from '../parts.js';
import { openChatSocket } from '../socket/open-chat-socket.js';
import { openQueueBoard } from '../queue-board/open-queue-board.js';
import { toAppError } from '../entrance/problem-details.js';
import { refuseSocket, refuseUnreadable } from '../entrance/refuse-socket.js';
import { securityHeaders } from '../entrance/security-headers.js';

const OWN_CONSOLE = join(import.meta.dirname, '../../../../apps/console/dist');

/** Opens what is served beside the routes: the API page, the queue board, the console, the WebSocket. */
export function openDoors(app: NestExpressApplication, consoleDirectory: string | undefined): void {
  app.use(securityHeaders);
  const apiPage = lazy('the page of the API', async () => (await import('./make-api-page.js')).makeApiPage());
  app.use((request: Request, response: Response, next: NextFunction) => {
    if (!/^\/docs(?:\/|$)/i.test(request.path)) {
      next();
      return;
    }
    apiPage().then((show) => show(request, response, next), next);
  });
  const parts = app.get<Parts>(PARTS);
  openQueueBoard(app, parts);
  const pages = consoleDirectory ?? OWN_CONSOLE;
  if (existsSync(pages)) {
    // Vite names built files by content, so they are cached. Only the page itself must be checked for updates.
    app.use('/assets', express.static(join(pages, 'assets'), { immutable: true, maxAge: '1y' }));
    // Not below /v1: `/v1/..%2f` leads to the page.
    app.use(
      /^(?!\/v1(?:\/|$))/i,
      express.static(pages, { setHeaders: (response) => response.setHeader('Cache-Control', 'no-cache') }),
    );
  }
  app.getHttpServer().on('clientError', refuseUnreadable);
  app.getHttpServer().on('checkExpectation', refuseExpectation);
  const close = openChatSocket(app.getHttpServer(), parts);
  app.getHttpServer().once('close', close);
  process.once('SIGTERM', close);
}

/** Refuses expectations other than `100-continue`, which Node sees to itself. */
function refuseExpectation({ method }: IncomingMessage, response: ServerResponse): void {
  response.shouldKeepAlive = false;
  if (response.socket) refuseSocket(response.socket, toAppError({ status: 417 }), method);
}
