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
});
