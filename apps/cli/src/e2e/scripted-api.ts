import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import {
  CompanionList,
  formatApiKey,
  ForgetRequest,
  KeyList,
  keyRoutes,
  memoryRoutes,
  ToolList,
  type ChatEvent,
  type Problem,
  type RecalledMemory,
  type TurnView,
} from '@kith/contracts';
import { readVersion, type CliConfig } from '../suite/config.js';
import { run } from '../run.js';
import { Terminal } from '../terminal/terminal.js';

export const KEY = formatApiKey(Buffer.alloc(32));
/** A key that nobody has. */
export const OTHER_KEY = formatApiKey(Buffer.alloc(32, 1));
const IDS = {
  turnId: '019a0000-0000-7000-8000-000000000001',
  conversationId: '019a0000-0000-7000-8000-000000000002',
};

export const MEMORY: RecalledMemory = {
  id: '019a0000-0000-7000-8000-0000aabbccdd',
  kind: 'episode',
  text: 'My dog is called Rex',
  audience: 'direct',
  writer: 'person',
  importance: 4,
  saidAt: '2026-01-02T10:00:00.000Z',
  createdAt: '2026-01-02T10:00:00.000Z',
  lastRecalledAt: null,
  timesRecalled: 0,
  sources: [],
  speaker: null,
  conversation: null,
  fact: null,
  shelf: 'open',
  shelfReason: null,
  pinned: false,
  why: {
    denseRank: 1,
    similarity: 0.71,
    lexicalRank: null,
    fused: 0.9,
    fit: 0,
    recency: 0.1,
    mood: 0,
    certainty: 1,
    proof: 0,
    importance: 0.05,
    score: 1.04,
  },
};

export const TURN: TurnView = {
  ...IDS,
  companionId: 'mira',
  outcome: 'answered',
  reason: null,
  reply: 'Hello there, friend',
  model: 'scripted-1',
  rehearsal: false,
  degraded: [],
  recalled: [MEMORY],
  mood: { pad: { p: 0.1, a: 0, d: 0 }, label: 'relaxed', strength: 'slightly' },
  tookMs: 1_234,
};

export const ACCEPTED: ChatEvent = { type: 'accepted', conversationId: IDS.conversationId, messageId: 'm' };
export const token = (text: string): ChatEvent => ({ type: 'token', turnId: IDS.turnId, text });
export const DONE: ChatEvent = { type: 'done', turn: TURN };
export const RESTART: ChatEvent = { type: 'restart', turnId: IDS.turnId };

/** An answer that a test scripts. */
interface ScriptedAnswer {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** Makes the answer of a refused request. */
export function refusal(status: number, code: string, detail: string): ScriptedAnswer {
  const headers = { 'content-type': 'application/problem+json' };
  return { status, headers, body: { type: 'urn:x', title: 'Refused', status, detail, code } };
}

export interface ScriptedApi {
  url: string;
  /** Bodies of the chat requests, and of those that forget and import. */
  seen: Record<string, unknown>[];
  /** Answer to each chat request; `cut` breaks the connection off. */
  chats: (ChatEvent | 'cut')[][];
  /**
   * Answers in place of the usual ones, by method and path; a null leaves it at the usual one, `silent` never comes,
   * `cut` breaks the connection off.
   */
  answers: Record<string, (body: string, query: URLSearchParams) => ScriptedAnswer | 'silent' | 'cut' | null>;
  /** While set, nobody knows the companions, as while personality is down. */
  isPersonalityDown: boolean;
  stop(): Promise<void>;
}

export const COMPANIONS = CompanionList.parse({
  defaultCompanion: 'mira',
  companions: [
    {
      id: 'mira',
      name: 'Mira',
      tagline: 'A friend with time',
      description: '',
      traits: {
        openness: 0.5,
        conscientiousness: 0.5,
        extraversion: 0.5,
        agreeableness: 0.5,
        stability: 0.5,
      },
      timeZone: 'UTC',
      version: 1,
    },
  ],
});

/** More keys than the largest page holds. */
const { keys: KEYS } = KeyList.parse({
  keys: Array.from({ length: 250 }, (_, index) => ({
    id: randomUUID(),
    name: `key-${index + 1}`,
    personId: randomUUID(),
    displayName: 'Ada',
    scopes: ['chat'],
    createdAt: '2026-01-02T10:00:00.000Z',
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    madeBy: null,
    reason: null,
  })),
  nextCursor: null,
});

const TOOLS: unknown = ToolList.parse({
  tools: [],
  leftOut: [
    { from: 'home', count: 3 },
    { from: 'notes', count: null },
    { from: 'mcp.json', count: 'all' },
  ],
});

/** A real HTTP server that speaks as much of the public API as the tests need, in the contract's shapes. */
export async function startScriptedApi(api = {} as ScriptedApi): Promise<ScriptedApi> {
  const server = createServer((request, response) => void answer(api, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(api, UNUSED(), {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}

const UNUSED = () => ({ seen: [], chats: [], answers: {}, isPersonalityDown: false });

/** Has a scripted API answer the tests of a file, each as if it were the first, and runs command lines against it. */
export function useScriptedApi() {
  const api = {} as ScriptedApi;
  beforeAll(async () => void (await startScriptedApi(api)));
  beforeEach(() => void Object.assign(api, UNUSED()));
  afterAll(() => api.stop());
  const cli = (args: string[], more: Partial<CliOptions> = {}) =>
    endOf(runCli(args, { url: api.url, key: KEY, ...more }));
  return { api, cli };
}

/** Waits for the end of a command line. */
export async function endOf({ exit, texts }: ReturnType<typeof runCli>) {
  return { code: await exit, ...texts };
}

async function answer(api: ScriptedApi, request: IncomingMessage, response: ServerResponse): Promise<void> {
  let raw = '';
  for await (const chunk of request.setEncoding('utf8') as AsyncIterable<string>) raw += chunk;
  const json = (body: unknown) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  const refuse = (status: number, problem: Omit<Problem, 'type' | 'status'>) =>
    response
      .writeHead(status, { 'content-type': 'application/problem+json' })
      .end(JSON.stringify({ type: 'urn:x', status, ...problem }));
  if (request.headers.authorization !== `Bearer ${KEY}`) {
    const detail = 'this key is not known';
    return void refuse(401, { title: 'A valid key is needed', detail, code: 'unauthorized' });
  }
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://x');
  const scripted = api.answers[`${request.method} ${pathname}`]?.(raw, searchParams);
  if (scripted === 'silent') return;
  if (scripted === 'cut') return void request.socket.destroy();
  if (scripted) {
    const { status = 200, headers, body } = scripted;
    return void response
      .writeHead(status, headers)
      .end(body === undefined ? undefined : JSON.stringify(body));
  }
  switch (`${request.method} ${pathname}`) {
    case 'GET /v1/conversations':
      return void json({ conversations: [], nextCursor: null });
    case 'GET /v1/companions':
      if (api.isPersonalityDown) {
        const detail = 'personality.companions did not answer within 2000 ms';
        return void refuse(503, { title: 'Unavailable', detail, code: 'unavailable' });
      }
      return void json(COMPANIONS);
    case 'GET /v1/keys': {
      const { limit, cursor } = keyRoutes.list.query.parse(Object.fromEntries(searchParams));
      const left = KEYS.slice(KEYS.findIndex(({ id }) => id === cursor) + 1);
      const keys = left.slice(0, limit);
      return void json({ keys, nextCursor: keys.length < left.length ? keys.at(-1)?.id : null });
    }
    case 'GET /v1/memories':
      return void json({ memories: [{ ...MEMORY, companionId: 'mira' }], nextCursor: null, total: 1 });
    case 'GET /v1/memories/search':
      return void json({ memories: [MEMORY], isFull: false, degraded: ['dense'], tookMs: 3 });
    case 'POST /v1/memories/import': {
      const body = memoryRoutes.import.body.parse(JSON.parse(raw));
      api.seen.push(body);
      return void json({ kept: body.records.length, known: 0, left: 0 });
    }
    case 'POST /v1/memories/forget':
      api.seen.push(ForgetRequest.parse(JSON.parse(raw)));
      return void json({
        rows: 1,
        points: 1,
        lines: 2,
        receipt: randomUUID(),
        memories: [],
        talk: [],
        undoUntil: '2026-01-02T10:20:00Z',
      });
    case 'POST /v1/memories/forget/undo':
      return void json({ rows: 1, lines: 2 });
    case 'GET /v1/tools':
      return void json(TOOLS);
    case 'POST /v1/chat':
      api.seen.push(JSON.parse(raw) as Record<string, unknown>);
      response.setHeader('content-type', 'text/event-stream');
      for (const event of api.chats.shift() ?? []) {
        if (event === 'cut') return void setImmediate(() => request.socket.destroy());
        response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
        await new Promise(setImmediate);
      }
      return void response.end();
    default:
      response.writeHead(404).end('not here');
  }
}

interface CliOptions {
  url: string;
  key?: string;
  /** All at once, or in pieces. */
  input?: string | readonly Buffer[];
  typist?: PassThrough;
  /** True where what a typist is answered goes into a pipe. */
  toPipe?: boolean;
  settings?: Record<string, string>;
}

/** Runs a command line against a URL, as a person at a terminal or from a pipe. */
export function runCli(args: string[], options: CliOptions) {
  // With room for one piece alone, each is read by itself, as from a slow pipe.
  const input: PassThrough & { isTTY?: boolean } = options.typist ?? new PassThrough({ highWaterMark: 1 });
  const streams = { output: new PassThrough(), notes: new PassThrough() };
  const texts = { out: '', notes: '' };
  streams.output.on('data', (chunk) => (texts.out += String(chunk)));
  streams.notes.on('data', (chunk) => (texts.notes += String(chunk)));
  if (options.typist) {
    Object.assign(input, { isTTY: true });
    Object.assign(streams.output, { isTTY: !options.toPipe, columns: 100 });
  } else {
    const { input: given = '' } = options;
    Readable.from(typeof given === 'string' ? [given] : given).pipe(input);
  }
  const projectRoot = new URL('../../../..', import.meta.url).pathname;
  const readConfig = (flags: { url?: string; key?: string }): CliConfig => ({
    projectRoot,
    envFile: `${projectRoot}/.env.example`,
    hasEnvFile: true,
    isEmbedded: true,
    url: flags.url ?? options.url,
    key: flags.key ?? options.key,
    setting: (variable) => options.settings?.[variable],
  });
  const terminal = new Terminal(input, streams.output, streams.notes, true);
  const exit = run(args, { terminal, readConfig, node: process, version: readVersion() });
  return { exit, texts };
}
