import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decideToolUse } from '../permission/decide-tool-use.js';
import type { Tool } from '../tool.js';
import { parseSearchHost, type SearchHost } from './search-hosts.js';
import { webTools, type WebSettings } from './web-tools.js';

const context = { key: 'k', signal: new AbortController().signal };

let server: Server;
let base: string;
let heard: { url: string; key: unknown }[] = [];
let answers: RequestListener;

beforeAll(async () => {
  server = createServer((request, response) => {
    heard.push({ url: request.url ?? '', key: request.headers['x-subscription-token'] });
    answers(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const off: WebSettings = { pages: false, origins: [], search: null, searchKey: '' };

function open(settings: Partial<WebSettings>): Tool[] {
  heard = [];
  return [...webTools({ ...off, ...settings }).tools()];
}

function answer(type: string, body: string | object): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  answers = (_, response) => void response.writeHead(200, { 'content-type': type }).end(text);
}

/** Decides about a call of a tool that the operator allows, as the gate does. */
const decide = (tool: Tool, said: string, given: Record<string, unknown>) =>
  decideToolUse({
    tool: tool.traits,
    permission: 'allowed',
    isGranted: false,
    schema: tool.definition.parameters,
    arguments: given,
    origin: 'message',
    door: 'discord',
    said: [said],
    isPresent: true,
  });

describe('tools for the web', () => {
  it('are not there unless they are set, and need an operator’s rule', () => {
    expect(open({})).toEqual([]);
    const tools = open({ pages: true, search: { host: 'brave', base } });
    expect(tools.map(({ traits }) => [traits.name, traits.allowedBy])).toEqual([
      ['read_page', 'operator'],
      ['web_search', 'operator'],
    ]);
  });

  it('are used without a question for a person’s own words, and with one for others', () => {
    const [page, search] = open({ pages: true, search: { host: 'brave', base } }) as [Tool, Tool];
    const said = 'Search the web for boats in Kiel';
    expect(decide(search, said, { query: 'boats Kiel' })).toEqual({ kind: 'run' });
    expect(decide(search, said, { query: 'boats Kiel Ann 12 Elm Road' })).toEqual({ kind: 'ask' });
    expect(decide(search, 'Boats are nice', { query: 'boats' })).toMatchObject({ kind: 'refuse' });
    const order = 'Read the page https://example.org/news please';
    expect(decide(page, order, { url: 'https://example.org/news' })).toEqual({ kind: 'run' });
    expect(decide(page, order, { url: 'https://example.org/news?q=diary' })).toEqual({ kind: 'ask' });
    expect(decide(page, order, { url: 'https://example.com/news' })).toEqual({ kind: 'ask' });
    expect(decide(page, order, { url: 'https://e-v-i-l.io/?d=d-i-a-r-y' })).toEqual({ kind: 'ask' });
  });
});

describe('tools for the web that are given nonsense', () => {
  it('refuse it, and are none the worse', async () => {
    const tools = open({ pages: true, search: { host: 'searxng', base } });
    for (const tool of tools) {
      for (const given of [{}, { url: 7, query: 7 }, { url: ' ', query: 'x'.repeat(500) }])
        await expect(tool.call(given, context)).rejects.toMatchObject({ code: 'invalid_request' });
    }
    answers = (_, response) => void response.writeHead(422).end();
    const refused = expect(tools[1]!.call({ query: 'x' }, context)).rejects;
    await refused.toMatchObject({ code: 'invalid_request' });
  });
});

describe('read_page', () => {
  it('tells a page’s title and words', async () => {
    answer('text/html; charset=iso-8859-1', '<title>News</title><nav>Menu</nav><p>Boats &amp; sails');
    const [page] = open({ pages: true, origins: [base] });
    const told = await page!.call({ url: `${base}/news#top` }, context);
    expect(told).toBe(`Page: ${base}/news\nTitle: News\n\nBoats & sails`);
  });

  it('reads nothing inside that the operator did not name', async () => {
    const [page] = open({ pages: true });
    await expect(page!.call({ url: `${base}/news` }, context)).rejects.toThrow(/nothing is read from port/);
    await expect(page!.call({ url: 'http://127.0.0.1/' }, context)).rejects.toThrow(
      /not out on the internet/,
    );
    expect(heard).toEqual([]);
  });

  it('says that a page is away, which is no fault of its own', async () => {
    answers = (_, response) => void response.writeHead(500).end();
    const [page] = open({ pages: true, origins: [base] });
    await expect(page!.call({ url: base }, context)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('web_search', () => {
  const hit = { title: 'Boats', url: 'https://example.org/boats' };
  const searching = (host: SearchHost['host']) => open({ search: { host, base }, searchKey: 'secret' })[0]!;

  it.each([
    ['searxng', { results: [{ ...hit, content: 'All about\nboats' }] }, '/search?q=boats+%26+x&format=json'],
    [
      'brave',
      { web: { results: [{ ...hit, description: 'All about <strong>boats</strong>' }] } },
      '/res/v1/web/search?q=boats+%26+x&text_decorations=false',
    ],
  ] as const)('asks %s', async (host, body, url) => {
    answer('application/json', body);
    const told = await searching(host).call({ query: 'boats & x' }, context);
    expect(told).toBe('1. Boats\nhttps://example.org/boats\nAll about boats');
    expect(heard).toEqual([{ url, key: host === 'brave' ? 'secret' : undefined }]);
  });

  it('fails where the host says nothing usable, and says so where it found nothing', async () => {
    for (const unusable of ['{"results":', 'null', { hits: [] }]) {
      answer('application/json', unusable);
      await expect(searching('searxng').call({ query: 'x' }, context)).rejects.toThrow(/no usable answer/);
    }
    answer('application/json', { results: [] });
    expect(await searching('searxng').call({ query: 'x' }, context)).toBe('Nothing was found.');
  });

  it('asks nobody else, wherever its host leads', async () => {
    answers = (_, response) => void response.writeHead(302, { location: 'https://example.org/' }).end();
    const leads = expect(searching('brave').call({ query: 'x' }, context)).rejects;
    await leads.toThrow('nothing is read from example.org');
  });

  it('has to be allowed anew with another host', () => {
    expect(searching('searxng').traits.pin).not.toBe(searching('brave').traits.pin);
  });
});

describe('the setting of a search host', () => {
  it.each([
    ['brave', { host: 'brave', base: 'https://api.search.brave.com' }],
    ['searxng:http://searxng:8080', { host: 'searxng', base: 'http://searxng:8080' }],
    ['searxng', null],
    ['searxng:file:///etc', null],
    ['other:https://example.org', null],
  ])('is read: %s', (text, expected) => expect(parseSearchHost(text)).toEqual(expected));
});
