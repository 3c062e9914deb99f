import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { RequestMethod } from '@nestjs/common';
import { DOORS } from '../app.module.js';
import { ROUTES, apiDocument } from './openapi.js';

/** What the controllers serve, read from where Nest keeps it. */
function served(): { route: string; scope: unknown }[] {
  return DOORS.flatMap((door) => {
    const base = Reflect.getMetadata('path', door) as string;
    const prototype = door.prototype as unknown as Record<string, object>;
    return Object.getOwnPropertyNames(prototype).flatMap((name) => {
      const handler = prototype[name]!;
      const path = Reflect.getMetadata('path', handler) as string | undefined;
      if (path === undefined || name === 'constructor') return [];
      const method = RequestMethod[Reflect.getMetadata('method', handler) as number]!.toLowerCase();
      const whole = `/${base}/${path === '/' ? '' : path}`.replace(/\/$/, '').replaceAll(/:(\w+)/g, '{$1}');
      return [{ route: `${method} ${whole}`, scope: Reflect.getMetadata('kith:scope', handler) as unknown }];
    });
  });
}

describe('the API page', () => {
  it('describes every route that is served, and no other', () => {
    const described = ROUTES.map(({ method, path }) => `${method} ${path}`);
    expect(described.toSorted()).toEqual(
      served()
        .map(({ route }) => route)
        .toSorted(),
    );
  });

  it('is made of the schemas that requests are parsed by', () => {
    const text = JSON.stringify(apiDocument());
    expect(text).toContain('"messageId"');
    expect(text).toContain('application/problem+json');
  });
});

describe('every route', () => {
  it('says what it asks of the caller’s key', () => {
    expect(served().filter(({ scope }) => scope === undefined)).toEqual([]);
  });

  const openTo = (...scopes: string[]) =>
    served()
      .filter(({ scope }) => scopes.includes(String(scope)))
      .map(({ route }) => route)
      .toSorted();

  it('without a key says only whether all is well, and takes a sign-in code', () => {
    expect(openTo('no-key')).toEqual(['get /v1/health', 'post /v1/sign-in']);
  });

  it('for any key tells nothing of a person but who they are', () => {
    expect(openTo('any-key')).toEqual([
      'delete /v1/session',
      'get /v1/companions',
      'get /v1/companions/{id}',
      'get /v1/me',
    ]);
  });

  it('for a key that imports brings texts in, and changes nothing else', () => {
    expect(openTo('import')).toEqual(['post /v1/documents', 'post /v1/memories/import']);
  });

  it('for a key that audits reads what operators did, and nothing else of theirs', () => {
    expect(openTo('audit')).toEqual(['get /v1/audit']);
  });

  it('settles what companions may start for a key of that scope alone', () => {
    expect(openTo('outreach')).toEqual(['get /v1/me/outreach', 'get /v1/outreach', 'patch /v1/me/outreach']);
  });

  it('for a key that chats forgets and changes nothing that is kept', () => {
    expect(openTo('chat').filter((route) => !route.startsWith('get '))).toEqual([
      'post /v1/chat',
      'post /v1/chat/stop',
      'post /v1/sign-in-codes',
    ]);
  });

  it('that names somebody else asks for an operator', () => {
    // Below `me` all is the caller's own.
    for (const route of openTo('chat', 'memories', 'import', 'outreach', 'audit', 'any-key', 'no-key'))
      expect(route).not.toMatch(/(?<!\/me)\/(?:people|keys|erasures|jobs|outbox)(?:\/|$)/);
  });
});
