import { classifyError, type FailureFacts } from './classify-error.js';
import { ModelError } from './model-error.js';

interface FailureContext {
  provider: string;
  /** True where the answer had begun with a 200. */
  opened: boolean;
  /** The retry-after header, where the SDK's error does not keep it. */
  retryAfter?: string | null;
}

/** Turns whatever an SDK threw into a `ModelError`. */
export function readFailure(error: unknown, seen: FailureContext): ModelError {
  if (error instanceof ModelError) return error;
  const facts = factsOf(error, seen);
  const kind = classifyError(facts);
  const told = [facts.status, safeCode(facts.code)].filter((part) => part !== undefined).join(' ');
  return new ModelError(kind, `${seen.provider}: ${kind}${told ? ` (${told})` : ''}`, {
    retryAfterMs: facts.retryAfterMs,
    cause: error,
  });
}

function factsOf(error: unknown, { opened, retryAfter }: FailureContext): FailureFacts {
  const said = levelsOf(error);
  const message = hostsWordsOf(error);
  const header = retryAfter ?? headersOf(error)?.get('retry-after');
  return {
    status: numberIn(error, 'status') ?? said.map(statusIn).find((status) => status !== undefined),
    code: said.flatMap((from) => textIn(from, 'code') ?? textIn(from, 'type') ?? [])[0],
    message,
    retryAfterMs: readRetryAfter(header, new Date()) ?? readRetryDelay(message),
    opened,
    unreadable: error instanceof SyntaxError || /JSON/.test(message),
  };
}

/**
 * Reads the host's own words of a failure. An SDK may write the whole body into its message, and Groq writes what its
 * model said into the body: nothing is to be read from that.
 */
export function hostsWordsOf(error: unknown): string {
  const [words = String(error)] = levelsOf(error)
    .toReversed()
    .flatMap((level) => textIn(level, 'message') || []);
  return words;
}

/**
 * Lists an SDK's error and those within it, the outermost first: some keep the host's error, and Groq's and Anthropic's
 * the body of a refusal, which has it one level further down.
 */
function levelsOf(error: unknown): unknown[] {
  const within = fieldOf(error, 'error');
  return [error, within, fieldOf(within, 'error')];
}

/** Seconds or an HTTP date, as milliseconds from `now`; undefined when it is neither. */
export function readRetryAfter(header: string | null | undefined, now: Date): number | undefined {
  if (!header) return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}

/** Google writes the wait into the body: `"retryDelay": "7s"`, with quotes escaped where it is quoted itself. */
function readRetryDelay(body: string): number | undefined {
  const seconds = /retryDelay\W{1,8}(\d{1,9}(?:\.\d{1,9})?)s/.exec(body)?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1_000;
}

/** A code is a word; anything longer may hold what was said. */
function safeCode(code: string | undefined): string | undefined {
  return code !== undefined && /^[\w.-]{1,60}$/.test(code) ? code : undefined;
}

function headersOf(error: unknown): Headers | undefined {
  const headers = fieldOf(error, 'headers');
  return headers instanceof Headers ? headers : undefined;
}

/** Status as some hosts write it into a stream: as the code of a failure. */
function statusIn(error: unknown): number | undefined {
  const code = numberIn(error, 'code');
  return code !== undefined && code >= 400 && code < 600 ? code : undefined; // others are a DOMException's
}

function numberIn(error: unknown, field: string): number | undefined {
  const value = fieldOf(error, field);
  return typeof value === 'number' ? value : undefined;
}

function textIn(error: unknown, field: string): string | undefined {
  const value = fieldOf(error, field);
  return typeof value === 'string' ? value : undefined;
}

function fieldOf(error: unknown, field: string): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, field) : undefined;
}
