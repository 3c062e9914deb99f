import { AppError, cutText } from '@kith/contracts';
import { refusesRequest } from '../../web/refuses-request.js';
import { fillAddress, ownOf, type HttpAddress } from './fill-address.js';

/** Request of an operation, without what a call gives. */
export interface HttpOperation extends HttpAddress {
  method: string;
  headers: Readonly<Record<string, string>>;
}

/** Bytes of an answer that are read: many times what a model is told of it. */
const MAX_BYTES = 65_536;

/**
 * Calls an operation, at the operator's address and nowhere else.
 * @throws AppError for any answer but success: `invalid_request` where it refuses what was given, `not_found` where the
 *   answer to a change is elsewhere, else `unavailable`
 */
export async function callHttp(
  operation: HttpOperation,
  given: Readonly<Record<string, unknown>>,
  key: string,
  signal: AbortSignal,
): Promise<string> {
  const url = fillAddress(operation, given);
  const body = ownOf(given, 'body');
  const send = async () =>
    fetch(url, {
      method: operation.method.toUpperCase(),
      headers: headersOf(operation, key),
      ...(body !== undefined && operation.method !== 'get' && { body: JSON.stringify(body) }),
      // A redirect would lead to an address that nobody allowed.
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
    const { status } = response;
    const details = { answered: status };
    // Many interfaces carry a change out and then redirect to a page that shows it: that is no refusal.
    if (status < 400 && operation.method !== 'get')
      throw new AppError('not_found', `HTTP ${status}, which leads elsewhere and is not followed`, details);
    const code = refusesRequest(status) ? 'invalid_request' : 'unavailable';
    throw new AppError(code, `HTTP ${status}${text && `: ${cutText(text, 200)}`}`, details);
  }
  return text === '' ? `HTTP ${response.status}` : text;
}

/** Words the headers of a request: the operator's take the place of ours, in whatever case. A call can't set any. */
function headersOf({ headers }: HttpOperation, key: string): Headers {
  const all = new Headers({ 'content-type': 'application/json', 'idempotency-key': key });
  for (const [name, value] of Object.entries(headers)) all.set(name, value);
  return all;
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
