import express, { type RequestHandler } from 'express';
import swagger from 'swagger-ui-express';
import { apiDocument } from './api-document.js';

/** Makes the page of the HTTP API at `/docs`, in an Express of its own. Large, so loaded on first use only. */
export function makeApiPage(): RequestHandler {
  const pages = express();
  pages.disable('x-powered-by');
  // Made once: it takes 60 ms of work, and whoever asks needs no key.
  const document = JSON.stringify(apiDocument());
  pages.get('/docs/openapi.json', (_, response) => {
    response.type('json').send(document);
  });
  // Adds the slash: the page's links to its files are relative.
  pages.get(/^\/docs$/, (_, response) => {
    response.redirect('/docs/');
  });
  const options = { swaggerUrl: 'openapi.json' };
  pages.use(
    '/docs',
    swagger.serveFiles(undefined, options),
    swagger.setup(undefined, { ...options, customSiteTitle: 'Kith' }),
  );
  return pages;
}
