import type { INestApplication } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { SwaggerModule } from '@nestjs/swagger';
import express, { type RequestHandler } from 'express';
import { apiDocument } from './openapi.js';

/** Makes the page of the HTTP API at `/docs`, in an Express of its own. It is large: loaded when asked for. */
export function makeApiPage(): RequestHandler {
  const pages = express();
  pages.disable('x-powered-by');
  const adapter = new ExpressAdapter(pages);
  // As much of an application as Swagger asks of one.
  const app = {
    getHttpAdapter: () => adapter,
    useStaticAssets: (...given: Parameters<ExpressAdapter['useStaticAssets']>): unknown =>
      adapter.useStaticAssets(...given),
  } as unknown as INestApplication;
  SwaggerModule.setup('docs', app, () => apiDocument() as never, { jsonDocumentUrl: 'docs/openapi.json' });
  return pages;
}
