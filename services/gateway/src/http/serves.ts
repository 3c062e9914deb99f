import { AppError, present, type ParsedInput, type Route, type RouteReply } from '@kith/contracts';
import {
  HttpCode,
  Req,
  RequestMapping,
  RequestMethod,
  Res,
  SetMetadata,
  StreamableFile,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { readJsonBody } from '../entrance/read-json-body.js';
import { parseRequest } from '../entrance/parse-input.js';
import type { Caller } from '../people/caller.js';
import { streamEvents } from './stream-events.js';

const ROUTE = 'kith:route';

/** A request as the guard leaves it. */
export type RouteRequest = Request & {
  caller?: Caller;
  /** Ids of its subjects for the audit log, if its path does not name them. */
  subjects?: Readonly<Record<string, string>>;
};

/** Input of a handler: what its route declares, parsed, and who calls. */
export type RouteCall<R extends Route> = ParsedInput<R> & {
  readonly caller: R['scope'] extends 'no-key' ? Caller | undefined : Caller;
  readonly request: RouteRequest;
};

/**
 * Makes a controller's method the one that serves a route, to callers whom the guard let in. It gets the parsed input;
 * what it returns is checked by the route too, so nothing that the route does not name leaves the gateway. Events of a
 * stream are sent as they are.
 */
export function Serves<R extends Route>(route: R) {
  return <M extends (call: RouteCall<R>) => RouteReply<R> | Promise<RouteReply<R>>>(
    target: object,
    name: string | symbol,
    descriptor: TypedPropertyDescriptor<M>,
  ): void => {
    const handle = descriptor.value as unknown as (call: RouteCall<R>) => Promise<RouteReply<R>>;
    const serve = async function (this: unknown, request: RouteRequest, response: Response) {
      const call = await readCall(route, request, response);
      // Nearly all answers hold somebody's words, or a key: neither a browser nor a proxy keeps them.
      response.setHeader('Cache-Control', 'no-store');
      return writeAnswer(route, await handle.call(this, call), response, call.caller);
    };
    Object.defineProperty(serve, 'name', { value: String(name) });
    descriptor.value = serve as unknown as M;
    const path = route.path.replaceAll(/\{(\w+)\}/g, ':$1');
    RequestMapping({ method: RequestMethod[route.method], path })(target, name, descriptor);
    HttpCode(route.status ?? (route.answer ? 200 : 204))(target, name, descriptor);
    SetMetadata(ROUTE, route)(target, name, descriptor);
    Req()(target, name, 0);
    Res({ passthrough: true })(target, name, 1);
  };
}

/** Reads a handler's input. Of the body, only the parsed part is kept. */
async function readCall<R extends Route>(
  route: R,
  request: RouteRequest,
  response: Response,
): Promise<RouteCall<R>> {
  const { caller, params, query } = request;
  const body = await readJsonBody(route, request, response, caller);
  const parsed = parseRequest(route, { params, query, body }) as object;
  return Object.assign(parsed, { caller, request }) as RouteCall<R>;
}

/** Finds the route that a method serves; undefined for one that serves none. */
export function routeOf(handler: object): Route | undefined {
  return Reflect.getMetadata(ROUTE, handler) as Route | undefined;
}

/** Writes what a handler returned. @throws AppError `internal` for an answer that is not what its route declares */
async function writeAnswer(
  route: Route,
  reply: unknown,
  response: Response,
  caller: Caller | undefined,
): Promise<unknown> {
  const { answer, events } = route;
  if (answer === undefined) return undefined;
  if (answer === 'image/png') {
    const file = reply as Uint8Array;
    return new StreamableFile(file, { type: answer, length: file.length, disposition: 'inline' });
  }
  if (events && isStream(reply)) return streamEvents(reply, response, present(caller));
  const checked = answer.safeParse(reply);
  if (checked.success) return checked.data;
  const { method, path } = route;
  throw new AppError('internal', `the answer to ${method} ${path} is not as declared`, undefined, {
    cause: checked.error,
  });
}

function isStream(reply: unknown): reply is AsyncIterable<{ type: string }> {
  return typeof reply === 'object' && reply !== null && Symbol.asyncIterator in reply;
}
