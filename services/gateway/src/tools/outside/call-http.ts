import { AppError, cutText } from '@kith/contracts';
import { refusesRequest } from '../../web/refuses-request.js';

/** Request of an operation, without what a call gives. */
export interface HttpOperation {
  base: string;
  path: string;
  method: string;
  headers: Readonly<Record<string, string>>;
  inPath: readonly string[];
  /** `between` stands between the items of a list; null where each is an argument of its own. */
  inQuery: readonly { name: string; between: string | null }[];
}

/** Bytes of an answer that are read: many times what a model is told of it. */
const MAX_BYTES = 65_536;

/**
 * Calls an operation, at the operator's address and nowhere else.
 * @throws AppError for any answer but success: `invalid_request` where it refuses what was given, else `unavailable`
 */
export async function callHttp(
  operation: HttpOperation,
  given: Readonly<Record<string, unknown>>,
  key: string,
  signal: AbortSignal,
): Promise<string> {
  const url = addressOf(operation, given);
  const body = ownOf(given, 'body');
  const send = async () =>
    fetch(url, {
      method: operation.method.toUpperCase(),
      headers: headersOf(operation, key),
      ...(body !== undefined && operation.method !== 'get' && { body: JSON.stringify(body) }),
      // A redirect would lead to an address that nobody allowed: it counts as a refusal.
      redirect: 'manual',
      signal,
    });
  const response = await send().catch((cause: unknown) => {
    signal.throwIfAborted();
    // "fetch failed" tells nobody anything, and the address is the operator's business.
    throw new AppError('unavailable', 'its host does not answer', undefined, { cause });
  });
  const text = await readSome(response);
  if (!response.ok) {
    const code = refusesRequest(response.status) ? 'invalid_request' : 'unavailable';
    const details = { answered: response.status };
    throw new AppError(code, `HTTP ${response.status}: ${cutText(text, 200)}`, details);
  }
  return text === '' ? `HTTP ${response.status}` : text;
}

/** Fills a path and a query. @throws AppError `invalid_request` for a missing part, or one that would change the path */
export function addressOf(
  { base, path, inPath, inQuery }: HttpOperation,
  given: Readonly<Record<string, unknown>>,
): URL {
  const filled = path.replaceAll(/\{([^{}]{1,100})\}/g, (_, name: string) => {
    const value = inPath.includes(name) ? wordOf(ownOf(given, name)) : '';
    // `..` survives encoding, and would climb; half a surrogate pair can't be encoded.
    if (['', '.', '..'].includes(value) || !value.isWellFormed()) {
      throw new AppError('invalid_request', `${name} is missing or no name`);
    }
    return encodeURIComponent(value);
  });
  const url = new URL(base.replace(/\/$/, '') + filled);
  for (const { name, between } of inQuery) {
    const value = ownOf(given, name);
    const words = (Array.isArray(value) ? value : [value]).map(wordOf).filter((word) => word !== '');
    if (words.length === 0) continue;
    // The path may have a value already, which the call's replaces.
    url.searchParams.delete(name);
    for (const word of between === null ? words : [words.join(between)]) url.searchParams.append(name, word);
  }
  return url;
}

/** Words the headers of a request: the operator's take the place of ours, in whatever case. A call can't set any. */
function headersOf({ headers }: HttpOperation, key: string): Headers {
  const all = new Headers({ 'content-type': 'application/json', 'idempotency-key': key });
  for (const [name, value] of Object.entries(headers)) all.set(name, value);
  return all;
}

/** Returns an argument that was given, not an inherited `constructor`. */
function ownOf(given: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(given, name) ? given[name] : undefined;
}

/** Words an argument: the items of a list stand with commas, as in a path. */
function wordOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map((item) => wordOf(item)).join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

async function readSome(response: Response): Promise<string> {
  if (!response.body) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    text += decoder.decode(chunk, { stream: true });
    // Leaving the loop ends the connection.
    if (bytes > MAX_BYTES) break;
  }
  return text.slice(0, MAX_BYTES);
}
