import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Messenger } from '@kith/messaging';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule } from '@nestjs/swagger';
import express, { type NextFunction, type Request, type Response } from 'express';
import { ApiKeys } from '../people/api-keys.js';
import { TurnEvents } from '../turn/turn-events.js';
import { openChatSocket } from './chat-socket.js';
import { Chat } from './chat.service.js';
import { apiDocument } from './openapi.js';
import { toAppError } from './problem-details.js';
import { openQueueBoard } from './queue-board.js';
import { RateLimit } from './rate-limit.js';

const MAX_BODY = '1mb';
const OWN_CONSOLE = join(import.meta.dirname, '../../../../apps/console/dist');

/** What the doors need beside their controllers: bodies, the API page, the operator's board, the console, the WebSocket. */
export function openDoors(app: NestExpressApplication, consoleDirectory: string | undefined): void {
  const readBody = express.json({ limit: MAX_BODY, strict: true });
  app.use('/v1', (request: Request, response: Response, next: NextFunction) => {
    // Told as our own error at once: Nest would flatten every refusal of the parser to a 400 of its words.
    readBody(request, response, (error?: unknown) => next(error && toAppError(error)));
  });
  SwaggerModule.setup('docs', app, () => apiDocument() as never, { jsonDocumentUrl: 'docs/openapi.json' });
  openQueueBoard(app, { messenger: app.get(Messenger), keys: app.get(ApiKeys), limit: app.get(RateLimit) });
  const pages = consoleDirectory ?? OWN_CONSOLE;
  if (existsSync(pages)) {
    // Vite names what it builds by content, so only the page itself must be asked for anew.
    app.use(
      '/assets',
      express.static(join(pages, 'assets'), { immutable: true, maxAge: '1y', fallthrough: false }),
    );
    app.use(express.static(pages, { index: 'index.html', cacheControl: false, etag: true }));
  }
  const close = openChatSocket(app.getHttpServer(), {
    chat: app.get(Chat),
    keys: app.get(ApiKeys),
    limit: app.get(RateLimit),
    events: app.get(TurnEvents),
  });
  app.getHttpServer().once('close', close);
  process.once('SIGTERM', close);
}
