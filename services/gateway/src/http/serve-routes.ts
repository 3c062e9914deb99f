import { AppError, present, type ParsedInput, type Route, type RouteReply } from '@kith/contracts';
import { controllerOf } from '@kith/service-host';
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
import { PARTS, type Parts } from '../parts.js';
import type { Caller } from '../people/caller.js';
import { streamEvents } from './stream-events.js';

const ROUTE = 'kith:route';

/** A request as the guard leaves it. */
export type RouteRequest = Request & {
  caller?: Caller;
  /** Checks the caller's key once more. @throws AppError `unauthorized` where it has ended since */
  checkKey?: () => Promise<unknown>;
  /** Ids of its subjects for the audit log, if its path does not name them. */
  subjects?: Readonly<Record<string, string>>;
};

/** Input of a handler: what its route declares, parsed, and who calls. */
type RouteCall<R extends Route> = ParsedInput<R> & {
  readonly caller: R['scope'] extends 'no-key' ? Caller | undefined : Caller;
  readonly request: RouteRequest;
};

/** Handlers of routes, by the routes' names. */
type Handlers<Group extends Readonly<Record<string, Route>>> = {
  readonly [Name in keyof Group]: (
    call: RouteCall<Group[Name]>,
  ) => RouteReply<Group[Name]> | Promise<RouteReply<Group[Name]>>;
};

/**
 * Makes a controller that serves routes to callers whom the guard let in. A handler gets the parsed input; what it returns
 * is checked by the route too, so nothing that the route does not name leaves the gateway. Events of a stream are sent as
 * they are.
 */
export function serveRoutes<Group extends Readonly<Record<string, Route>>>(
  routes: Group,
  handlersOf: (parts: Parts) => Handlers<Group>,
) {
  const Served = controllerOf(PARTS, handlersOf);
  for (const [name, route] of Object.entries(routes)) {
    const serve = async function (
      this: InstanceType<typeof Served>,
      request: RouteRequest,
      response: Response,
    ) {
      const { caller, params, query } = request;
      const body = await readJsonBody(route, request, response, caller);
      // A body may take minutes to arrive: a key that was revoked by then must not make another one.
      await request.checkKey?.();
      const call = { ...parseRequest(route, { params, query, body }), caller, request };
      // Nearly all answers hold somebody's words, or a key: neither a browser nor a proxy keeps them.
      response.setHeader('Cache-Control', 'no-store');
      return writeAnswer(route, await present(this.handlers[name])(call), response, caller);
    };
    const descriptor = { value: serve };
    Object.defineProperty(Served.prototype, name, descriptor);
    const path = route.path.replaceAll(/\{(\w+)\}/g, ':$1');
    RequestMapping({ method: RequestMethod[route.method], path })(Served.prototype, name, descriptor);
    HttpCode(route.status ?? (route.answer ? 200 : 204))(Served.prototype, name, descriptor);
    SetMetadata(ROUTE, route)(Served.prototype, name, descriptor);
    Req()(Served.prototype, name, 0);
    Res({ passthrough: true })(Served.prototype, name, 1);
  }
  return Served;
}

/** Finds the route that a method serves; undefined for one that serves none. */
export function routeOf(handler: object): Route | undefined {
  return Reflect.getMetadata(ROUTE, handler) as Route | undefined;
}

/** Writes what a handler returned. @throws AppError `internal` for an answer that is not what its route declares */
async function writeAnswer(route: Route, reply: unknown, response: Response, caller: Caller | undefined) {
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
