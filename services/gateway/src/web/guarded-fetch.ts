import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { AppError, firstOf } from '@kith/contracts';
import { checkUrl, type UrlRules } from './check-url.js';
import { findAddresses } from './find-addresses.js';
import { isPublicAddress } from './is-public-address.js';
import { ENCODINGS, readPageBody, type Body } from './read-page-body.js';
import { refusesRequest } from './refuses-request.js';

/** Ports of web servers. On others there may be databases, mail, or whatever else answers to lines of text. */
const PORTS = [80, 443];
/** Redirects that are followed: to https, to www, to a language. More are a loop. */
const MAX_REDIRECTS = 4;
/** Time for all of it, redirects and body included: half of what a tool's call has. */
const TIMEOUT_MS = 10_000;

interface FetchOrder {
  /** Types of content that are read; one that ends with `/` stands for all that begin so. */
  types: readonly string[];
  maxBytes: number;
  signal: AbortSignal;
  /** Headers for the address itself; no redirect gets them. */
  headers?: Readonly<Record<string, string>>;
  /** Hosts that may be asked; all by default. */
  mayAsk?: (host: string) => boolean;
}

export interface FetchedPage extends Body {
  url: URL;
  /** Type of the content, in lower case and without parameters. */
  type: string;
  /** Encoding of its characters, where the server says it. */
  charset: string | null;
}

/** Settings that differ from the defaults. A trusted origin may have any address. */
export interface FetchSettings extends Partial<UrlRules> {
  timeoutMs?: number;
  /** Finds the addresses of a name; `findAddresses` by default. */
  resolve?: (name: string, order: { isTrusted: boolean; signal: AbortSignal }) => Promise<readonly string[]>;
  mayConnect?: (address: string) => boolean;
}

/**
 * Fetches from addresses that people, models or pages give. A name is looked up once, each of its addresses has to be
 * out on the internet, and the connection goes to one of those; each redirect is a new address. Nothing that tells who
 * asks is sent: no cookies, no credentials, no referrer.
 */
export class GuardedFetch {
  private readonly settings: Required<FetchSettings>;

  constructor(settings: FetchSettings = {}) {
    this.settings = {
      ports: PORTS,
      origins: [],
      timeoutMs: TIMEOUT_MS,
      resolve: findAddresses,
      mayConnect: isPublicAddress,
      ...settings,
    };
  }

  /**
   * Reads what is at an address; a body that is too long is cut.
   * @throws AppError `invalid_request` where it may not be read or is refused, `not_found` for HTTP 404 and 410, else
   *   `unavailable`
   */
  async get(address: string, order: FetchOrder): Promise<FetchedPage> {
    const signal = AbortSignal.any([order.signal, AbortSignal.timeout(this.settings.timeoutMs)]);
    let url = checkUrl(address, this.settings);
    try {
      for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
        const response = await this.open(url, redirects === 0 ? order : { ...order, headers: {} }, signal);
        const next = redirectOf(response);
        if (next === null) return await read(url, response, order);
        response.destroy();
        url = checkUrl(next, this.settings, url);
      }
    } catch (error) {
      if (error instanceof AppError) throw error;
      const reason = signal.aborted ? 'did not answer in time' : 'could not be read';
      throw new AppError('unavailable', `${url.hostname} ${reason}`, {}, { cause: error });
    }
    throw new AppError('invalid_request', `${url.hostname} leads elsewhere again and again`);
  }

  private async open(url: URL, order: FetchOrder, signal: AbortSignal): Promise<IncomingMessage> {
    if (order.mayAsk && !order.mayAsk(url.hostname)) {
      throw new AppError('invalid_request', `nothing is read from ${url.hostname}`);
    }
    const addresses = await within(signal, this.checkedAddresses(url, signal));
    const { get } = url.protocol === 'https:' ? https : http;
    const headers = {
      accept: order.types.map((type) => type.replace(/\/$/, '/*')).join(', '),
      'accept-encoding': ENCODINGS,
      'user-agent': 'Kith (reads pages for people)',
      ...order.headers,
    };
    const response = new Promise<IncomingMessage>((resolve, reject) => {
      // A connection of its own: one that is kept could have been opened to another address.
      get(url, { agent: false, lookup: only(addresses), headers, signal }, resolve)
        .on('error', reject)
        // Where a host changes the protocol, the request itself ends with neither an answer nor an error.
        .on('upgrade', (answer, socket) => {
          socket.destroy();
          resolve(answer);
        });
    });
    return within(signal, response);
  }

  private async checkedAddresses(url: URL, signal: AbortSignal): Promise<readonly string[]> {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const isTrusted = this.settings.origins.includes(url.origin);
    const addresses = isIP(host) === 0 ? await this.settings.resolve(host, { isTrusted, signal }) : [host];
    // One address inside beside public ones is a trap, or a network that is not for everybody.
    if (addresses.length > 0 && (isTrusted || addresses.every(this.settings.mayConnect))) return addresses;
    throw new AppError('invalid_request', `${url.hostname} is not out on the internet`);
  }
}

/** Makes a look-up that answers with the checked addresses and asks nobody again. */
function only(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_name, { all }, done) =>
    all === true ? done(null, found) : done(null, firstOf(found).address, firstOf(found).family);
}

/** Waits for work that can't be interrupted no longer than until the signal. */
function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const ended = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    signal.throwIfAborted();
  });
  return Promise.race([work, ended]);
}

function redirectOf({ statusCode = 0, headers }: IncomingMessage): string | null {
  return [301, 302, 303, 307, 308].includes(statusCode) ? (headers.location ?? null) : null;
}

async function read(
  url: URL,
  response: IncomingMessage,
  { types, maxBytes }: FetchOrder,
): Promise<FetchedPage> {
  const { statusCode = 0, headers } = response;
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(/[\s;]+/);
  const problem = problemOf(statusCode, url, type, types);
  if (problem) {
    response.destroy();
    throw problem;
  }
  const charset = parameters.find((one) => one.startsWith('charset='))?.slice('charset='.length);
  return { url, type, charset: charset ?? null, ...(await readPageBody(response, maxBytes)) };
}

function problemOf(status: number, { hostname }: URL, type: string, types: readonly string[]) {
  if (status === 404 || status === 410) return new AppError('not_found', `${hostname} has no such page`);
  if (status !== 200) {
    const code = refusesRequest(status) ? 'invalid_request' : 'unavailable';
    return new AppError(code, `${hostname} answered with HTTP ${status}`, { answered: status });
  }
  const isRead = types.some((wanted) => (wanted.endsWith('/') ? type.startsWith(wanted) : type === wanted));
  if (isRead) return null;
  const shown = /^[\w.+-]{1,40}\/[\w.+-]{1,60}$/.test(type) ? type : 'unknown';
  return new AppError('invalid_request', `the page is of a type that is not read: ${shown}`);
}
