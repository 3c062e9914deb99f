import type { NextFunction, Request, Response } from 'express';

/** Policy of the console, which loads its own files alone and talks to nobody else. */
const PAGE =
  "default-src 'self'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; object-src 'none'; " +
  "base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
/** Policy of the API's page: Swagger has inline styles, with pictures in them. */
const API_PAGE = `${PAGE}; style-src 'self' 'unsafe-inline'`;
/** Policy of the API's answers: opened as a page, they load and run nothing. */
const NO_PAGE = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const ALWAYS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=()',
};

/** Sets the headers that restrict an answer in browsers, with a reverse proxy or without. */
export function securityHeaders(request: Request, response: Response, next: NextFunction): void {
  for (const [name, value] of Object.entries(ALWAYS)) response.setHeader(name, value);
  response.setHeader('Content-Security-Policy', policyOf(request.path));
  next();
}

function policyOf(path: string): string {
  if (/^\/docs(?:\/|$)/i.test(path)) return API_PAGE;
  return /^\/(?:v1|health|metrics)(?:\/|$)/i.test(path) ? NO_PAGE : PAGE;
}
