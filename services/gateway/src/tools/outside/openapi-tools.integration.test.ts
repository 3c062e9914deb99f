import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openApiTools } from './openapi-tools.js';

const context = { key: 'k1', signal: new AbortController().signal };

let server: Server;
let base: string;
let heard: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      heard.push({ method, url, headers, body });
      if (url.endsWith('/away'))
        return void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
      if (url.endsWith('/long')) return void response.end('x'.repeat(500_000));
      const status = Number(/\/status-(\d+)$/.exec(url)?.[1] ?? 200);
      response.writeHead(status).end(`{"ok":true}`);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
});
beforeEach(() => {
  heard = [];
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

function tools() {
  return openApiTools('home', {
    openapi: '3.1.0',
    servers: [{ url: base }],
    'x-kith-headers': { authorization: 'Bearer right' },
    paths: {
      '/lamps/{lamp}': {
        get: { operationId: 'getLamp', parameters: [{ $ref: '#/components/parameters/lamp' }] },
        put: {
          operationId: 'switchLamp',
          summary: 'Switches a lamp.',
          'x-kith-asks': ['light on'],
          parameters: [
            { $ref: '#/components/parameters/lamp' },
            { name: 'slow', in: 'query' },
            { name: 'Idempotency-Key', in: 'header' },
          ],
          requestBody: {
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Switch' } } },
          },
        },
        delete: { summary: 'without an id: no tool' },
      },
    },
    components: {
      parameters: { lamp: { name: 'lamp', in: 'path', required: true, schema: { type: 'string' } } },
      schemas: { Switch: { type: 'object', properties: { on: { type: 'boolean' } } } },
    },
  }).tools;
}

const partOf = (n: number) => ({ $ref: `#/components/schemas/part${n}` });

describe('tools of an OpenAPI file', () => {
  it('are its operations: GET reads, all else changes', () => {
    const [get, put, ...rest] = tools();
    expect(rest).toEqual([]);
    expect(get!.traits).toMatchObject({ name: 'home__getLamp', changes: 'nothing', allowedBy: 'operator' });
    expect(put!.traits).toMatchObject({ name: 'home__switchLamp', changes: 'outside', asks: ['light on'] });
    expect([get!.isRepeatable, put!.isRepeatable]).toEqual([false, true]);
    expect(put!.definition.parameters).toMatchObject({
      properties: { lamp: { type: 'string' }, body: { properties: { on: { type: 'boolean' } } } },
      required: ['lamp', 'body'],
    });
  });

  it('take the parameters that a path gives all its operations, and their own of the same name', () => {
    const key = { name: 'Idempotency-Key', in: 'header' };
    const lamp = { name: 'lamp', in: 'path', required: true };
    const own = { ...lamp, description: 'Which lamp.' };
    const path = {
      parameters: [lamp, key],
      put: { operationId: 'dim', parameters: [own] },
      get: { operationId: 'look' },
    };
    const document = { openapi: '3.1.0', servers: [{ url: base }], paths: { '/lamps/{lamp}': path } };
    const [look, dim] = openApiTools('home', document).tools;
    expect([look!.isRepeatable, dim!.isRepeatable]).toEqual([true, true]);
    expect(look!.definition.parameters).toMatchObject({ required: ['lamp'] });
    expect(dim!.definition.parameters).toMatchObject({
      required: ['lamp'],
      properties: { lamp: { description: 'Which lamp.' } },
    });
  });

  it.each([
    ['#/paths/~1of~1%7Blamp%7D/parameters/0', ['lamp']],
    ['#/components/parameters/a~0b%20c~01', ['lamp']],
    ['#/components/parameters/a~b%20c~1', null],
    ['#/components/parameters/50%', null],
  ])('follow the escapes of a reference, and one that is malformed nowhere: %s', ($ref, required) => {
    const lamp = { name: 'lamp', in: 'path', required: true };
    const paths = {
      '/of/{lamp}': { parameters: [lamp] },
      '/lamps/{lamp}': { get: { operationId: 'get', parameters: [{ $ref }] } },
    };
    const components = { parameters: { 'a~b c~1': lamp, '50%': lamp } };
    const document = { openapi: '3.1.0', servers: [{ url: base }], paths, components };
    const { tools: made, leftOut } = openApiTools('home', document);
    expect(made.map(({ definition }) => definition.parameters['required'])).toEqual(
      required ? [required] : [],
    );
    expect(leftOut).toBe(required ? 0 : 1);
  });

  it('are called at the operator’s address, with their headers and the call’s key', async () => {
    const [, put] = tools();
    expect(await put!.call({ lamp: 'a b', slow: true, body: { on: true } }, context)).toBe('{"ok":true}');
    expect(heard[0]).toMatchObject({ method: 'PUT', url: '/api/lamps/a%20b?slow=true', body: '{"on":true}' });
    expect(heard[0]!.headers).toMatchObject({ authorization: 'Bearer right', 'idempotency-key': 'k1' });
  });

  it.each([
    [{}, 'tags=a+b&tags=7'],
    [{ explode: false }, 'tags=a+b%2C7'],
    [{ style: 1, explode: 'yes' }, 'tags=a+b&tags=7'],
    [{ style: 'spaceDelimited' }, 'tags=a+b+7'],
    [{ style: 'pipeDelimited' }, 'tags=a+b%7C7'],
    [{ style: 'pipeDelimited', explode: true }, 'tags=a+b&tags=7'],
    [{ style: 'deepObject' }, 'tags=a+b%2C7'],
    [{ style: 'deepObject', explode: true }, 'tags=a+b&tags=7'],
  ])('send a list in a query as the parameter says: %j', async (how, sent) => {
    const parameters = [
      { name: 'rooms', in: 'path', schema: { type: 'array' } },
      { name: 'tags', in: 'query', schema: { type: 'array' }, ...how },
    ];
    const paths = { '/lamps/{rooms}': { get: { operationId: 'find', parameters } } };
    const [find] = openApiTools('home', { openapi: '3.1.0', servers: [{ url: base }], paths }).tools;
    await find!.call({ rooms: ['hall', 3], tags: ['a b', null, 7] }, context);
    await find!.call({ rooms: ['hall'], tags: [] }, context);
    expect(heard.map(({ url }) => url)).toEqual([`/api/lamps/hall%2C3?${sent}`, '/api/lamps/hall']);
    await expect(find!.call({ rooms: ['..'] }, context)).rejects.toThrow('rooms is missing');
  });

  const JSON_CONTENT = { content: { 'application/json': { schema: { type: 'object' } } } };

  it.each([
    [{}, 'a%2C1%2Cb%2Cx%20y?a=1&b=x+y'],
    [{ explode: true }, 'a%3D1%2Cb%3Dx%20y?a=1&b=x+y'],
    [{ explode: false }, 'a%2C1%2Cb%2Cx%20y?filter=a%2C1%2Cb%2Cx+y'],
    [{ style: 'pipeDelimited' }, 'a%2C1%2Cb%2Cx%20y?filter=a%7C1%7Cb%7Cx+y'],
    [{ style: 'deepObject' }, 'a%2C1%2Cb%2Cx%20y?filter%5Ba%5D=1&filter%5Bb%5D=x+y'],
    [
      JSON_CONTENT,
      '%7B%22a%22%3A1%2C%22b%22%3A%22x%20y%22%2C%22c%22%3Anull%7D?filter=%7B%22a%22%3A1%2C%22b%22%3A%22x+y%22%2C%22c%22%3Anull%7D',
    ],
  ])('send an object as the parameter says: %j', async (how, sent) => {
    const parameters = ['path', 'query'].map((place) => ({ name: 'filter', in: place, ...how }));
    const paths = { '/lamps/{filter}': { get: { operationId: 'find', parameters } } };
    const [find] = openApiTools('home', { openapi: '3.1.0', servers: [{ url: base }], paths }).tools;
    await find!.call({ filter: { a: 1, b: 'x y', c: null } }, context);
    expect(heard.map(({ url }) => url)).toEqual([`/api/lamps/${sent}`]);
  });

  it.each([
    ...[{}, { explode: false }, { style: 'deepObject' }].flatMap((how) =>
      [{ a: { b: 1 } }, { a: ['b'] }, [{ a: 1 }], { 'a[b]': 1 }, { 'a]': 1 }, { 'a&b': 1 }, { ' a': 1 }].map(
        (filter) => [how, filter] as const,
      ),
    ),
    ...['owner', 'OWNER', 'room.id', 'limit', 'key', 'tag', 'house_id', 'cafe\u0301'].map(
      (name) => [{}, { [name]: 'x' }] as const,
    ),
    [{ style: 'deepObject' }, { of: 'x' }],
    [{ explode: false }, { a: '1,owner,Eve' }],
    [{ style: 'pipeDelimited' }, { a: '1|owner|Eve' }],
  ])(
    'send nothing where a part can not be written, or would be another parameter: %j %j',
    async (how, filter) => {
      const parameters = [
        { name: 'filter', in: 'query', ...how },
        { name: 'limit', in: 'query' },
        { name: 'key', in: 'query' },
        { name: 'house.id', in: 'path' },
      ];
      const paths = {
        '/of/{house.id}?owner=ann&room_id=7&tag[]=b&filter[of]=ann&caf\u00e9=1': {
          get: { operationId: 'find', parameters },
        },
      };
      const [find] = openApiTools('home', { openapi: '3.1.0', servers: [{ url: base }], paths }).tools;
      await expect(find!.call({ filter, 'house.id': 7 }, context)).rejects.toMatchObject({
        code: 'invalid_request',
        message: expect.stringContaining('filter') as unknown,
      });
      expect(heard).toEqual([]);
    },
  );

  it('send a part whose name has marks above or below its letters', async () => {
    const paths = {
      '/lamps': { get: { operationId: 'find', parameters: [{ name: 'filter', in: 'query' }] } },
    };
    const [find] = openApiTools('home', { openapi: '3.1.0', servers: [{ url: base }], paths }).tools;
    await find!.call({ filter: { नाम: 'a', नीम: 'b' } }, context);
    expect([...new URL(heard[0]!.url, base).searchParams]).toEqual([
      ['नाम', 'a'],
      ['नीम', 'b'],
    ]);
  });

  it.each(['application/json', 'Application/JSON; charset=utf-8', 'application/vnd.home+json'])(
    'show models the schema of a parameter that is written as JSON: %s',
    async (type) => {
      const parameters = [
        { name: 'filter', in: 'query', content: { [type]: { schema: { type: 'object' } } } },
      ];
      const paths = { '/lamps': { get: { operationId: 'find', parameters } } };
      const [find] = openApiTools('home', { openapi: '3.1.0', servers: [{ url: base }], paths }).tools;
      expect(find!.definition.parameters).toMatchObject({ properties: { filter: { type: 'object' } } });
      await find!.call({ filter: { a: [1] } }, context);
      expect(new URL(heard[0]!.url, base).searchParams.get('filter')).toBe('{"a":[1]}');
    },
  );

  it.each([
    [{ type: 'object' }, '{"a": 1}', '{"a": 1}'],
    [{ type: ['array', 'null'] }, '[1]', '[1]'],
    [{ anyOf: [{ type: 'array' }, { allOf: [{ type: 'object' }] }] }, '[1]', '[1]'],
    [{ type: 'object' }, 'a', '"a"'],
    [{ type: 'object' }, '1', '"1"'],
    [{ type: ['object', 'string'] }, '{}', '"{}"'],
    [{ oneOf: [{ type: 'object' }, { type: 'string' }] }, '{}', '"{}"'],
    [{}, '{}', '"{}"'],
  ])('send a text of JSON as it is where the schema %j allows no text: %s', async (schema, text, sent) => {
    const content = { 'application/json': { schema } };
    const parameters = ['path', 'query'].map((place) => ({ name: 'filter', in: place, content }));
    const paths = { '/lamps/{filter}': { get: { operationId: 'find', parameters } } };
    const [find] = openApiTools('home', { openapi: '3.1.0', servers: [{ url: base }], paths }).tools;
    await find!.call({ filter: text }, context);
    const { pathname, searchParams } = new URL(heard[0]!.url, base);
    expect([decodeURIComponent(pathname), searchParams.get('filter')]).toEqual([`/api/lamps/${sent}`, sent]);
  });

  it('send an argument in the place of what the path has of its name', async () => {
    const parameters = [{ name: 'tags', in: 'query', schema: { type: 'array' } }];
    const paths = { '/lamps?tags=all': { get: { operationId: 'find', parameters } } };
    const [find] = openApiTools('home', { openapi: '3.1.0', servers: [{ url: base }], paths }).tools;
    await find!.call({ tags: ['a', 'b'] }, context);
    await find!.call({}, context);
    expect(heard.map(({ url }) => url)).toEqual(['/api/lamps?tags=a&tags=b', '/api/lamps?tags=all']);
  });

  it('send the operator’s headers in the place of ours, in whatever case', async () => {
    const own = { 'CONTENT-TYPE': 'application/vnd.home+json', 'Idempotency-Key': 'theirs' };
    const paths = { '/lamp': { post: { operationId: 'switch' } } };
    const document = { openapi: '3.1.0', servers: [{ url: base }], 'x-kith-headers': own, paths };
    await openApiTools('home', document).tools[0]!.call({}, context);
    expect(heard[0]!.headers).toMatchObject({
      'content-type': 'application/vnd.home+json',
      'idempotency-key': 'theirs',
    });
  });

  it('that would crowd a prompt are left out and counted, however short their references are', () => {
    const wide = (n: number) =>
      Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`p${at}`, partOf(n)]));
    const parts = Object.fromEntries(
      Array.from({ length: 9 }, (_, n) => [`part${n}`, { type: 'object', properties: wide(n + 1) }]),
    );
    const body = (n: number) => ({ content: { 'application/json': { schema: partOf(n) } } });
    const paths = {
      '/long': { post: { operationId: 'long', requestBody: body(0) } },
      '/short': { post: { operationId: 'short', requestBody: body(8) } },
    };
    const made = openApiTools('home', {
      openapi: '3.1.0',
      servers: [{ url: base }],
      paths,
      components: { schemas: parts },
    });
    expect(made.tools.map(({ traits }) => traits.name)).toEqual(['home__short']);
    expect(made.leftOut).toBe(1);
  });

  it('whose names become alike are left out and counted, and take no place', async () => {
    const ids = ['get.lamp', 'get lamp', ...Array.from({ length: 40 }, (_, n) => `get${n}`)];
    const paths = Object.fromEntries(ids.map((operationId, n) => [`/${n}`, { get: { operationId } }]));
    const made = openApiTools('home', { openapi: '3.1.0', servers: [{ url: base }], paths });
    expect(new Set(made.tools.map(({ traits }) => traits.name)).size).toBe(40);
    expect(made.leftOut).toBe(2);
    await made.tools[0]!.call({}, context);
    expect(heard.map(({ url }) => url)).toEqual(['/api/0']);
  });

  it('take no argument that was not given from what every object has', async () => {
    const name = 'constructor';
    const parameters = [
      { name, in: 'path' },
      { name: 'valueOf', in: 'query' },
    ];
    const paths = { '/of/{constructor}': { get: { operationId: 'get', parameters } } };
    const [get] = openApiTools('home', { openapi: '3.1.0', servers: [{ url: base }], paths }).tools;
    await expect(get!.call({}, context)).rejects.toThrow('constructor is missing');
    await get!.call({ [name]: 'a' }, context);
    expect(heard.map(({ url }) => url)).toEqual(['/api/of/a']);
  });

  it.each(['..', '', undefined])('are not led elsewhere by %j', async (lamp) => {
    await expect(tools()[0]!.call({ lamp }, context)).rejects.toThrow('lamp is missing');
    expect(heard).toEqual([]);
  });

  it('say in words that their host does not answer, and not where it is', async () => {
    const paths = { '/lamp': { get: { operationId: 'getLamp' } } };
    const servers = [{ url: 'http://127.0.0.1:1' }];
    const [get] = openApiTools('home', { openapi: '3.1.0', servers, paths }).tools;
    await expect(get!.call({}, context)).rejects.toThrow(/^its host does not answer$/);
  });

  it('follow no redirect, read no endless answer, and tell what was refused', async () => {
    const [get] = tools();
    await expect(get!.call({ lamp: 'away' }, context)).rejects.toThrow('HTTP 302');
    expect(heard).toHaveLength(1);
    expect((await get!.call({ lamp: 'long' }, context)).length).toBeLessThanOrEqual(65_536);
    await expect(get!.call({ lamp: 'status-404' }, context)).rejects.toMatchObject({
      message: expect.stringContaining('HTTP 404') as unknown,
      details: { answered: 404 },
    });
  });

  it.each([301, 302, 303, 307])(
    'say of no change that it was refused where HTTP %i leads on',
    async (status) => {
      const [, put] = tools();
      await expect(put!.call({ lamp: `status-${status}`, body: {} }, context)).rejects.toMatchObject({
        code: 'not_found',
        message: `HTTP ${status}, which leads elsewhere and is not followed`,
      });
      expect(heard).toHaveLength(1);
    },
  );

  it.each([
    ...['status-400', 'status-404', 'status-422', 'away', '..', '\ud800'].map((lamp) => [
      lamp,
      'invalid_request',
    ]),
    ...['status-408', 'status-429', 'status-500', 'status-503'].map((lamp) => [lamp, 'unavailable']),
  ])('tell a refusal of what was given from a failure of their own: %j', async (lamp, code) => {
    await expect(tools()[0]!.call({ lamp }, context)).rejects.toMatchObject({ code });
  });
});
