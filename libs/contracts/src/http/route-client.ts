import type { z } from 'zod';
import { Problem } from './problem.js';
import type { Route, RouteAnswer, RouteEvent, RouteInput, StreamRoute } from './route.js';
import { SseParser } from './sse-parser.js';

/** Reason why a call has no answer. Each client program words it for its own users. */
export type CallFailure =
  | { readonly kind: 'unreachable'; readonly cause: unknown }
  /** An answer may still come; the request may have been carried out. */
  | { readonly kind: 'timed-out'; readonly timeoutMs: number; readonly cause: unknown }
  /** The connection ended within the answer. */
  | { readonly kind: 'broken-off'; readonly cause: unknown }
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly problem: Problem | null;
      /** Address at which the answer says the same path is, in a client that does not go there by itself. */
      readonly movedTo?: string;
      /** Seconds after which the same request is welcome: it was refused by its number alone, before it began. */
      readonly retryAfterS?: number;
    }
  /** Another version answers than this program was built for, or something that is not Kith. */
  | { readonly kind: 'not-understood'; readonly status: number; readonly cause: unknown };

export interface RouteClientOptions {
  /** Begins every address, such as `http://127.0.0.1:3000`; empty in a page that the gateway itself serves. */
  address: string;
  key: string | undefined;
  /** Time after which a call without a stream is given up, unless its route takes longer. */
  timeoutMs: number;
  /** `manual` fails where an answer points elsewhere: to follow it loses the key, where it leads to another origin. */
  redirect?: 'follow' | 'manual';
  /** Ends every call. */
  signal?: AbortSignal | undefined;
  /** Makes the error that a failed call throws; a call that only reads has the method GET. */
  explain: (failure: CallFailure, method: Route['method']) => Error;
}

/** Input of a call; may be left out where the route needs none. */
export type CallInput<R extends Route> =
  object extends RouteInput<R> ? [input?: RouteInput<R>] : [RouteInput<R>];

interface AnyInput {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** Client of the public API: calls routes by their declarations and checks what they answer. */
export class RouteClient {
  constructor(protected readonly options: RouteClientOptions) {}

  /**
   * Calls a route.
   * @throws what `explain` makes of a failure; what the client's signal was aborted with
   * @example await client.call(memoryRoutes.change, { params: { id }, body: { pinned: true } })
   */
  async call<R extends Route>(route: R, ...[input]: CallInput<R>): Promise<RouteAnswer<R>> {
    const timeoutMs = Math.max(this.options.timeoutMs, route.takesUpToMs ?? 0);
    const late = AbortSignal.timeout(timeoutMs);
    const { signal: ended, explain } = this.options;
    const signal = ended ? AbortSignal.any([late, ended]) : late;
    const failed = (kind: 'unreachable' | 'broken-off') => (cause: unknown) => {
      ended?.throwIfAborted();
      throw explain(late.aborted ? { kind: 'timed-out', timeoutMs, cause } : { kind, cause }, route.method);
    };
    const response = await this.send(route, input as AnyInput, signal, failed('unreachable'));
    return (await this.readAnswer(route, response, failed('broken-off'))) as RouteAnswer<R>;
  }

  /**
   * Calls a route that answers with server-sent events, and yields them as they come.
   * @throws what `explain` makes of a failure; what the signal was aborted with
   */
  async *follow<R extends StreamRoute>(
    route: R,
    input: RouteInput<R>,
    signal: AbortSignal,
  ): AsyncGenerator<RouteEvent<R>> {
    const response = await this.send(route, input as AnyInput, signal, (cause) => {
      throw signal.aborted ? cause : this.options.explain({ kind: 'unreachable', cause }, route.method);
    });
    const parser = new SseParser();
    const decoder = new TextDecoder();
    const pieces = (response.body ?? []) as AsyncIterable<Uint8Array>;
    for await (const bytes of this.untilBroken(route, pieces, signal)) {
      for (const data of parser.push(decoder.decode(bytes, { stream: true })))
        yield this.parse(route, route.events, data, response.status) as RouteEvent<R>;
    }
  }

  private async *untilBroken<T>(
    { method }: Route,
    pieces: AsyncIterable<T>,
    signal: AbortSignal,
  ): AsyncGenerator<T> {
    try {
      yield* pieces;
    } catch (cause) {
      throw signal.aborted ? cause : this.options.explain({ kind: 'broken-off', cause }, method);
    }
  }

  private async send(
    route: Route,
    input: AnyInput | undefined,
    signal: AbortSignal,
    onUnsent: (cause: unknown) => never,
  ): Promise<Response> {
    const { address, key, redirect = 'follow', explain } = this.options;
    const { body } = input ?? {};
    const path = pathOf(route, input ?? {});
    let response: Response;
    try {
      response = await fetch(address + path, {
        method: route.method,
        headers: {
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        redirect,
        signal,
      });
    } catch (cause) {
      return onUnsent(cause);
    }
    if (response.ok) return response;
    const told: unknown = await response.json().catch(() => null);
    const movedTo = newAddress(response, path);
    const retryAfterS = Number(response.headers.get('retry-after'));
    throw explain(
      {
        kind: 'refused',
        status: response.status,
        problem: Problem.safeParse(told).data ?? null,
        ...(movedTo === null ? {} : { movedTo }),
        ...(response.status === 429 && retryAfterS > 0 ? { retryAfterS } : {}),
      },
      route.method,
    );
  }

  private async readAnswer(
    route: Route,
    response: Response,
    onCut: (cause: unknown) => never,
  ): Promise<unknown> {
    const { answer } = route;
    if (answer === undefined) return undefined;
    if (answer === 'image/png') return new Uint8Array(await response.arrayBuffer().catch(onCut));
    return this.parse(route, answer, await response.text().catch(onCut), response.status);
  }

  private parse({ method }: Route, schema: z.ZodType, text: string, status: number): unknown {
    try {
      return schema.parse(JSON.parse(text));
    } catch (cause) {
      throw this.options.explain({ kind: 'not-understood', status, cause }, method);
    }
  }
}

/** Finds where an answer says the same path is; null where it leads to something else, such as a proxy's sign-in. */
function newAddress({ headers, url }: Response, path: string): string | null {
  const location = headers.get('location');
  if (location === null || !URL.canParse(location, url)) return null;
  const { href } = new URL(location, url);
  const address = href.slice(0, -path.length);
  // A sign-in has the path it came from in its own query, and leads back to where it began.
  return href.endsWith(path) && !address.includes('?') && href !== url ? address : null;
}

/** The address of a call: each parameter in its place, and what is given of the query. */
function pathOf({ path }: Route, { params = {}, query = {} }: AnyInput): string {
  const place = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(
    query as Record<string, string | number | boolean | undefined>,
  )) {
    if (value !== undefined) search.set(name, String(value));
  }
  return search.size > 0 ? `${place}?${search.toString()}` : place;
}
