import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { ALL_ROUTES, type Route } from '@kith/contracts';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { DOORS } from '../app.module.js';
import { apiDocument } from './api-document.js';
import { routeOf } from './serve-routes.js';

const nameOf = ({ method, path }: Route) => `${method.toLowerCase()} ${path}`;

/** Every method that Nest would call for a request, with the route it serves. */
function handlers(): { handler: string; route: Route | undefined }[] {
  return DOORS.flatMap((door) => {
    const prototype = door.prototype as unknown as Record<string, object>;
    return Object.getOwnPropertyNames(prototype).flatMap((name) =>
      Reflect.hasMetadata(METHOD_METADATA, prototype[name]!)
        ? [{ handler: `${door.name}.${name}`, route: routeOf(prototype[name]!) }]
        : [],
    );
  });
}

describe('the routes', () => {
  it('that are declared are each served by exactly one handler, and no handler serves another', () => {
    expect(handlers().filter(({ route }) => route === undefined)).toEqual([]);
    const served = handlers().map(({ route }) => route!);
    expect(served.filter((route) => !ALL_ROUTES.includes(route))).toEqual([]);
    expect(served.map(nameOf).toSorted()).toEqual(ALL_ROUTES.map(nameOf).toSorted());
  });

  it('differ in method and path', () => {
    expect(new Set(ALL_ROUTES.map(nameOf)).size).toBe(ALL_ROUTES.length);
  });

  it('have a schema for each name in their path, and for no other', () => {
    for (const route of ALL_ROUTES) {
      const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
      expect([route.path, Object.keys(route.params?.shape ?? {}).toSorted()]).toEqual([
        route.path,
        names.toSorted(),
      ]);
    }
  });
});

describe('the API page', () => {
  const { paths } = apiDocument() as { paths: Record<string, Record<string, Described>> };

  it('describes every route', () => {
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    expect(described.toSorted()).toEqual(ALL_ROUTES.map(nameOf).toSorted());
  });

  it('names each operation by its method and path, without the version', () => {
    const names = Object.values(paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(new Set(names).size).toBe(ALL_ROUTES.length);
    expect(paths['/v1/memories/forget/undo']!['post']!.operationId).toBe('postMemoriesForgetUndo');
  });

  it('says which parameters are needed, by the schemas that requests are parsed by', () => {
    const needed = ({ parameters }: Described) =>
      parameters.filter(({ required }) => required).map(({ name }) => name);
    expect(needed(paths['/v1/memories/search']!['get']!)).toEqual(['q']);
    expect(needed(paths['/v1/me']!['delete']!)).toEqual(['confirm']);
    expect(needed(paths['/v1/companions/{id}/mood']!['get']!)).toEqual(['id']);
    expect(paths['/v1/memories']!['get']!.parameters.find(({ name }) => name === 'limit')).toMatchObject({
      schema: { minimum: 1, maximum: 200, default: 50 },
    });
    expect(paths['/v1/chat']!['post']!.requestBody?.required).toBe(true);
    expect(paths['/v1/chat/stop']!['post']!.requestBody?.required).toBe(false);
  });

  it('says the form of each field that is answered, and of each parameter', () => {
    const formless: string[] = [];
    const walk = (schema: unknown, place: string) => {
      if (typeof schema !== 'object' || schema === null) return;
      for (const [name, inner] of Object.entries((schema as { properties?: object }).properties ?? {}))
        if (Object.keys(inner as object).length === 0) formless.push(`${place} ${name}`);
      for (const [name, inner] of Object.entries(schema)) walk(inner, `${place}/${name}`);
    };
    for (const [path, methods] of Object.entries(paths))
      for (const [method, { responses }] of Object.entries(methods)) walk(responses, `${method} ${path}`);
    expect(formless).toEqual([]);
    const flag = paths['/v1/memories']!['get']!.parameters.find(({ name }) => name === 'asKept');
    expect(flag).toMatchObject({ required: false, schema: { type: 'boolean', default: false } });
  });

  it('says what a field that is sent is for', () => {
    const told = (path: string, name: string) =>
      (paths[path]!['post']!.requestBody as unknown as Sent).content['application/json'].schema.properties[
        name
      ]?.description;
    expect(told('/v1/chat', 'messageId')).toContain('not answered twice');
    expect(told('/v1/chat', 'sentAt')).toContain('`import`');
    expect(told('/v1/memories/forget', 'ids')).toContain('exactly one');
  });

  it('says what a field that is answered means', () => {
    const told = (path: string) => JSON.stringify(paths[path]!['get']!.responses);
    expect(told('/v1/memories')).toContain('false: it follows from what was said, and may be wrong');
    expect(told('/v1/tasks')).toContain('1 is the highest, 3 the lowest');
    expect(told('/v1/tasks')).toContain('explanation in a sentence for a person');
  });

  it('says how long a document may be', () => {
    expect(paths['/v1/documents']!['post']!.requestBody).toMatchObject({
      content: {
        'application/json': { schema: { properties: { content: { minLength: 1, maxLength: 1_000_000 } } } },
      },
    });
  });

  it('says with which status a route answers, and how it may fail', () => {
    const statuses = ({ responses }: Described) => Object.keys(responses);
    expect(statuses(paths['/v1/keys']!['post']!)).toEqual([
      '201',
      '400',
      '401',
      '403',
      '404',
      '429',
      '503',
      'default',
    ]);
    expect(statuses(paths['/v1/session']!['delete']!)).toContain('204');
    // What an address names, or a companion, may not be there.
    expect(statuses(paths['/v1/people/{id}']!['delete']!)).toContain('404');
    expect(statuses(paths['/v1/chat']!['post']!)).toContain('404');
    expect(statuses(paths['/v1/tasks']!['get']!)).toContain('404');
    expect(statuses(paths['/v1/outreach/channels/{channel}']!['put']!)).not.toContain('404');
    expect(statuses(paths['/v1/people']!['get']!)).not.toContain('404');
  });
});

interface Described {
  operationId: string;
  parameters: { name: string; required: boolean; schema: object }[];
  requestBody?: { required: boolean };
  responses: Record<string, unknown>;
}

interface Sent {
  content: { 'application/json': { schema: { properties: Record<string, { description?: string }> } } };
}

describe('a key', () => {
  const openTo = (...scopes: string[]) =>
    ALL_ROUTES.filter(({ scope }) => scopes.includes(scope))
      .map(nameOf)
      .toSorted();

  it('is not needed to ask whether all is well, nor to sign in by a code', () => {
    expect(openTo('no-key')).toEqual(['get /v1/health', 'post /v1/sign-in']);
  });

  it('of any kind is told nothing of a person but who they are', () => {
    expect(openTo('any-key')).toEqual([
      'delete /v1/session',
      'get /v1/companions',
      'get /v1/companions/{id}',
      'get /v1/me',
    ]);
  });

  it('that imports brings texts in, and changes nothing else', () => {
    expect(openTo('import')).toEqual(['post /v1/documents', 'post /v1/memories/import']);
  });

  it('that audits reads what operators did, and nothing else of theirs', () => {
    expect(openTo('audit')).toEqual(['get /v1/audit']);
  });

  it('of the scope outreach alone settles what companions may start', () => {
    expect(openTo('outreach')).toEqual(['get /v1/me/outreach', 'get /v1/outreach', 'patch /v1/me/outreach']);
  });

  it('that chats forgets nothing, and changes nothing that is kept but what tools may do for its person', () => {
    expect(openTo('chat').filter((route) => !route.startsWith('get '))).toEqual([
      'delete /v1/tools/{name}/grant',
      'post /v1/chat',
      'post /v1/chat/stop',
      'post /v1/sign-in-codes',
      'post /v1/tools/{name}/run',
      'put /v1/tool-questions/{id}',
    ]);
  });

  it('that is no operator’s names nobody else', () => {
    // Below `me` all is the caller's own.
    for (const route of openTo('chat', 'memories', 'import', 'outreach', 'audit', 'any-key', 'no-key'))
      expect(route).not.toMatch(/(?<!\/me)\/(?:people|keys|erasures|jobs|outbox)(?:\/|$)/);
  });
});
