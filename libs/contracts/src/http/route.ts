import type { z } from 'zod';
import type { ErrorCode } from '../errors/wire-error.js';
import type { ApiScope } from './api-scope.js';

/**
 * One route of the public HTTP API, declared once: the gateway serves it, the OpenAPI page and `docs/http-api.md`
 * describe it, and the console and the command line call it, all by this object.
 */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Names parameters in braces, such as `/v1/memories/{id}`. */
  readonly path: `/v1/${string}`;
  /** Scope that the caller's key needs; `any-key` is any valid one, `no-key` none at all. */
  readonly scope: ApiScope | 'any-key' | 'no-key';
  /** One sentence for the API's page. */
  readonly summary: string;
  /** Schema of what the path names; has a field for each name in braces. */
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Time that an answer may take, for a route that may be at work longer than a client waits by itself. */
  readonly takesUpToMs?: number;
  /** Schema of the JSON that is answered, or the type of a file; left out where nothing is (204). */
  readonly answer?: z.ZodType | 'image/png';
  /** Schema of each server-sent event, for a route that can answer with a stream of them instead. */
  readonly events?: z.ZodType;
  /** Status of success where it is not 200, or 204 without an answer. */
  readonly status?: 201;
  /**
   * Errors beyond those that its shape implies: a refused key, a refused input, what its path calls `{id}` or a companion
   * that is not there, a part that is down.
   */
  readonly errors?: readonly ErrorCode[];
  /** True where operators see other people's data, so that an operator's use goes into the audit log. */
  readonly showsOperatorsMore?: true;
}

/** Routes of one subject, by what they do. */
export type Routes = Readonly<Record<string, Route>>;

type RouteParts = Omit<Route, 'method' | 'path' | 'scope'>;

/** Makes the function that declares routes of one method; a part that no route has does not compile. */
function declares<Method extends Route['method']>(method: Method) {
  return <Scope extends Route['scope'], const Parts extends RouteParts>(
    path: Route['path'],
    scope: Scope,
    parts: Parts & Readonly<Record<Exclude<keyof Parts, keyof RouteParts>, never>>,
  ) => ({ method, path, scope, ...parts });
}

export const get = declares('GET');
export const post = declares('POST');
export const put = declares('PUT');
export const patch = declares('PATCH');
export const del = declares('DELETE');

type PartName = 'params' | 'query' | 'body';

/** One part of what a caller gives; it may be left out where none of its fields is needed. */
type GivenPart<R extends Route, Name extends PartName> = R extends {
  readonly [N in Name]: infer Schema extends z.ZodType;
}
  ? object extends z.input<Schema>
    ? { readonly [N in Name]?: z.input<Schema> }
    : { readonly [N in Name]: z.input<Schema> }
  : unknown;

/** Everything a caller of a route gives: its path's parameters, its query and its body. */
export type RouteInput<R extends Route> = GivenPart<R, 'params'> &
  GivenPart<R, 'query'> &
  GivenPart<R, 'body'>;

/** Input as the handler gets it: parsed, with defaults. */
export type ParsedInput<R extends Route> = {
  readonly [Name in PartName & keyof R]: z.output<R[Name] & z.ZodType>;
};

/** Answer that a caller gets. */
export type RouteAnswer<R extends Route> = R extends { readonly answer: infer Answer }
  ? Answer extends z.ZodType
    ? z.output<Answer>
    : Uint8Array
  : undefined;

/** Route that answers with server-sent events. */
export type StreamRoute = Route & { readonly events: z.ZodType };

/** One event of a route that answers with a stream. */
export type RouteEvent<R extends Route> = R extends { readonly events: infer Event extends z.ZodType }
  ? z.output<Event>
  : never;

/** Reply that a handler returns: the answer before it is checked, or a stream of events. */
export type RouteReply<R extends Route> =
  | (R extends { readonly answer: infer Answer }
      ? Answer extends z.ZodType
        ? z.input<Answer>
        : Uint8Array
      : // oxlint-disable-next-line typescript/no-invalid-void-type -- a handler that returns nothing
        void)
  | (R extends { readonly events: infer Event extends z.ZodType } ? AsyncIterable<z.input<Event>> : never);
