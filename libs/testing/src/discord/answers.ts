import type { Json } from './discord-world.js';

/** A file of a form, under the number of its part: `files[0]`. */
export interface UploadedFile {
  number: string;
  filename: string;
  contentType: string;
  bytes: Buffer;
}

/** One request to the REST side, read. */
export interface RestRequest {
  method: string;
  /** Decoded, without `/api/v10`. */
  path: string;
  query: URLSearchParams;
  body: unknown;
  /** Files of a form with attachments. */
  files: readonly UploadedFile[];
  authorization: string | undefined;
}

export interface RestAnswer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

export function ok(body: unknown): RestAnswer {
  return { status: 200, body };
}

/** 204 must come without a body and without a JSON content type. */
export const NO_CONTENT: RestAnswer = { status: 204 };

/** Discord's error shape. */
export function refusal(status: number, code: number, message: string, errors?: Json): RestAnswer {
  return { status, body: { message, code, ...(errors ? { errors } : {}) } };
}

export function badForm(field: string, code: string, message: string): RestAnswer {
  return refusal(400, 50035, 'Invalid Form Body', { [field]: { _errors: [{ code, message }] } });
}

export const UNKNOWN_CHANNEL = refusal(404, 10003, 'Unknown Channel');
export const ARCHIVED_THREAD = refusal(400, 50083, 'Thread is archived');
export const UNKNOWN_MESSAGE = refusal(404, 10008, 'Unknown Message');

/** A 429 as Discord sends it: seconds in the header, seconds in the body, and the bucket's headers. */
export function rateLimited(retryAfterMs: number, global: boolean): RestAnswer {
  const seconds = String(retryAfterMs / 1_000);
  return {
    status: 429,
    body: { message: 'You are being rate limited.', retry_after: retryAfterMs / 1_000, global },
    headers: {
      'retry-after': seconds,
      'x-ratelimit-scope': global ? 'global' : 'user',
      ...(global
        ? { 'x-ratelimit-global': 'true' }
        : {
            'x-ratelimit-limit': '5',
            'x-ratelimit-remaining': '0',
            'x-ratelimit-reset-after': seconds,
            'x-ratelimit-bucket': 'double',
          }),
    },
  };
}

export function asJson(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

/** The text of a field of a request, as Discord takes it: a number too, and none as an empty text. */
export function textOf(field: unknown): string {
  return typeof field === 'string' || typeof field === 'number' ? String(field) : '';
}

type Answerer = (request: RestRequest, ...groups: string[]) => RestAnswer;

/** A method, a path with groups, and what they are answered with. */
export interface Route {
  method: string;
  path: RegExp;
  answer: Answerer;
  /** True for a route that needs no bot token, such as one that has a secret of its own in its path. */
  isOpen: boolean;
}

export function route(method: string, path: RegExp, answer: Answerer): Route {
  return { method, path, answer, isOpen: false };
}

export function openRoute(method: string, path: RegExp, answer: Answerer): Route {
  return { method, path, answer, isOpen: true };
}
