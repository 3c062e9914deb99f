/** What went wrong with a try, as far as it matters for what to do next. */
export type ModelErrorKind =
  /** Too much to do there: back off and try again, a few times. */
  | 'overloaded'
  /** 429 that says when to come back. */
  | 'rate-limited'
  /** 429 for money or quota: no retry helps. */
  | 'spend-limit'
  | 'unauthorized'
  | 'invalid-request'
  | 'timeout'
  /** It broke after it had begun to answer. */
  | 'cut-stream'
  | 'empty'
  | 'garbled';

export class ModelError extends Error {
  override readonly name = 'ModelError';
  constructor(
    readonly kind: ModelErrorKind,
    message: string,
    /** How long the host asked to wait. */
    readonly retryAfterMs: number | null = null,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/** One try of a chain, for the trace. */
export interface Try {
  model: string;
  result: 'answered' | ModelErrorKind;
  tookMs: number;
}

/** Every model of a chain failed. */
export class ModelChainError extends Error {
  override readonly name = 'ModelChainError';
  constructor(
    readonly tries: readonly Try[],
    last: ModelError,
  ) {
    super(`no model answered: ${last.kind}`, { cause: last });
  }
}

interface SdkError {
  status?: number;
  headers?: unknown;
  message?: string;
  code?: string | null;
  name?: string;
}

/**
 * What an SDK's error means. The three SDKs in use carry `status`, two of them `headers`; the third
 * (Gemini's) has its retry delay in the message's JSON.
 * @param begun whether text had come already: then a failure cut the stream, whatever it was
 */
export function classifyError(error: unknown, begun: boolean): ModelError {
  if (error instanceof ModelError) return error;
  const { status, message = String(error), code, name } = error as SdkError;
  const make = (kind: ModelErrorKind, retryAfterMs: number | null = null) =>
    new ModelError(kind, message.slice(0, 300), retryAfterMs, { cause: error });
  if (begun && status === undefined) return make('cut-stream');
  if (name === 'AbortError' || name === 'APIUserAbortError' || name === 'TimeoutError')
    return make('timeout');
  if (status === 429) {
    const retryAfterMs = readRetryAfter((error as SdkError).headers) ?? retryDelayIn(message);
    const isSpend = /insufficient_quota|billing|spend|credit|quota/i.test(`${code ?? ''} ${message}`);
    if (retryAfterMs !== null) return make('rate-limited', retryAfterMs);
    return make(isSpend ? 'spend-limit' : 'overloaded');
  }
  if (status === 401 || status === 403) return make('unauthorized');
  if (status === 402) return make('spend-limit');
  if (status === 408) return make('timeout');
  if (status !== undefined && status >= 400 && status < 500) return make('invalid-request');
  if (begun) return make('cut-stream');
  if (error instanceof SyntaxError) return make('garbled');
  // 5xx, refused and reset connections: the host is not up to it now.
  return make('overloaded');
}

function readRetryAfter(headers: unknown): number | null {
  const read = (name: string): string | null => {
    if (headers instanceof Headers) return headers.get(name);
    const value = (headers as Record<string, unknown> | undefined)?.[name];
    return typeof value === 'string' ? value : null;
  };
  const ms = Number(read('retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(ms)) return ms;
  const seconds = Number(read('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds * 1_000 : null;
}

function retryDelayIn(message: string): number | null {
  const seconds = /"retryDelay"\s*:\s*"([\d.]+)s"/.exec(message)?.[1];
  return seconds === undefined ? null : Number(seconds) * 1_000;
}
