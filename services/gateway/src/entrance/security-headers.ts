import type { NextFunction, Request, Response } from 'express';

/** The console: all of it is files of its own, and it talks to nobody else. */
const PAGE =
  "default-src 'self'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; object-src 'none'; " +
  "base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
/** Swagger styles itself inline, and pictures of its own stand in its styles. */
const API_PAGE = `${PAGE}; style-src 'self' 'unsafe-inline'`;
/** Answers of the API are no pages: opened as one, they load and run nothing. */
const NO_PAGE = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const ALWAYS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=()',
};

/** Sets what browsers hold an answer to, with a reverse proxy in front or without. */
export function securityHeaders(request: Request, response: Response, next: NextFunction): void {
  for (const [name, value] of Object.entries(ALWAYS)) response.setHeader(name, value);
  response.setHeader('Content-Security-Policy', policyOf(request.path));
  next();
}

function policyOf(path: string): string {
  if (/^\/docs(?:\/|$)/i.test(path)) return API_PAGE;
  return /^\/(?:v1|health|metrics)(?:\/|$)/i.test(path) ? NO_PAGE : PAGE;
}
