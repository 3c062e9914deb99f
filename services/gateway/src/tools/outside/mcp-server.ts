import { AppError, lazy, type LeftOutTools } from '@kith/contracts';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Logger } from 'pino';
import { refusesRequest } from '../../web/refuses-request.js';
import type { Tool, ToolCallContext } from '../tool.js';
import type { ToolOrigin } from '../tool-registry.js';
import { inTurn } from './in-turn.js';
import { fetchWithin } from './fetch-within.js';
import { McpCallResult, listPages, ListResult, resultWords } from './mcp-results.js';
import { mcpTools, type McpSettings } from './mcp-tools.js';

const clients = lazy('the client of MCP servers', () => import('@modelcontextprotocol/sdk/client/index.js'));
const stdio = lazy('the client of MCP servers', () => import('@modelcontextprotocol/sdk/client/stdio.js'));
const http = lazy(
  'the client of MCP servers',
  () => import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
);

/** Pauses between two tries to connect: a server that starts is there soon, one that is gone is not asked all day. */
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
/** Time between two lists of a server over HTTP: one request, so that its tools are rarely older than a minute. */
const RELIST_EVERY_MS = 60_000;
/** Bytes of one message or answer: that of an honest server has whole pictures in it. Reading it must not take all memory. */
const MAX_BYTES = 10_000_000;
/** Matches what the library says of a message above the bound. It has no code. */
const OVERLONG = /exceeded maximum size/;
/** Characters of the answer to the first request. The library reads it in full, with gigabytes of mistakes if it wants. */
const MAX_FIRST_CHARACTERS = 100_000;
/** Codes of JSON-RPC that blame what was asked for: an invalid request, an unknown method, invalid parameters. */
const REFUSALS: ReadonlySet<number> = new Set([-32_600, -32_601, -32_602]);
/** Code by which the library says that no answer came in time. */
const TIMED_OUT = -32_001;

/** One of the operator's MCP servers: connected while the gateway runs, its tools listed as they are now. */
export class McpServer implements ToolOrigin {
  readonly kind = 'mcp';
  private listed: readonly Tool[] = [];
  /** Number of tools of its list that are not used; null while it is out of reach. */
  private unused: number | null = null;
  private client: Client | null = null;
  /** Connections that were ended by a message above the bound, with what the calls that waited then are told. */
  private readonly overlong = new WeakMap<Client, string>();
  /** Calls that wait for an answer. */
  private waiting = 0;
  /** The last list over this connection failed. */
  private isFailing = false;
  /** Ends with the connections that are being closed: the library gives a process four seconds, then kills it. */
  private closing: Promise<unknown> = Promise.resolve();
  private again: NodeJS.Timeout | undefined;
  private listTimer: NodeJS.Timeout | undefined;
  private pauseMs = FIRST_PAUSE_MS;
  private isStopped = false;

  constructor(
    private readonly name: string,
    private readonly settings: McpSettings,
    private readonly logger: Logger,
    private readonly maxBytes = MAX_BYTES,
  ) {}

  tools(): readonly Tool[] {
    return this.listed;
  }

  leftOut(): LeftOutTools | null {
    if (this.unused === null) return this.isStopped ? null : { from: this.name, count: null };
    return this.unused > 0 ? { from: this.name, count: this.unused } : null;
  }

  /** Connects, and again whenever the connection is lost. An earlier process may hold a lock or a port until its end. */
  async start(): Promise<void> {
    await this.closing;
    if (this.isStopped) return;
    try {
      if (!(await this.connect())) return;
      this.pauseMs = FIRST_PAUSE_MS;
      this.logger.info({ server: this.name, tools: this.listed.length }, 'an MCP server is connected');
    } catch (error) {
      this.logger.warn({ server: this.name, err: error }, 'an MCP server is out of reach');
      const { client } = this;
      this.onLost(client);
      // One that connected and then failed to list its tools still runs.
      if (client) await this.close(client);
    }
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.again);
    if (this.client) void this.close(this.client);
    await this.closing;
  }

  private close(client: Client): Promise<unknown> {
    this.closing = Promise.allSettled([this.closing, client.close()]);
    return this.closing;
  }

  /** Returns whether it is connected: not where it was stopped meanwhile. */
  private async connect(): Promise<boolean> {
    const { Client } = await clients();
    const client = new Client({ name: 'kith', version: '1' });
    client.onclose = () => this.onLost(client);
    this.client = client;
    const transport = await this.transport(client);
    // Closing what has no transport yet would not keep it from starting the server's program.
    if (this.isStopped) return false;
    let isFirst = true;
    transport.onmessage = (message) => {
      // It fails to connect by an empty answer.
      if (isFirst && 'result' in message && JSON.stringify(message).length > MAX_FIRST_CHARACTERS)
        message.result = {};
    };
    await client.connect(transport);
    isFirst = false;
    const { ToolListChangedNotificationSchema } = await import('@modelcontextprotocol/sdk/types.js');
    const list = inTurn(() => this.list(client));
    client.setNotificationHandler(ToolListChangedNotificationSchema, list);
    // A server over HTTP that ends or changes may have no stream to say so.
    if ('url' in this.settings)
      this.listTimer = setInterval(() => void this.relist(client, list), RELIST_EVERY_MS).unref();
    await list();
    return true;
  }

  private async transport(client: Client) {
    const { settings } = this;
    if ('url' in settings) {
      const { StreamableHTTPClientTransport } = await http();
      // A redirect would take the key elsewhere.
      const requestInit = { headers: settings.headers, redirect: 'error' as const };
      return new StreamableHTTPClientTransport(new URL(settings.url), {
        requestInit,
        fetch: fetchWithin(this.maxBytes, () => this.endOverlong(client)),
      });
    }
    const { StdioClientTransport } = await stdio();
    const transport = new StdioClientTransport({
      ...settings,
      stderr: 'ignore',
      maxBufferSize: this.maxBytes,
    });
    transport.onerror = ({ message }) => {
      if (!OVERLONG.test(message) || this.overlong.has(client)) return;
      this.endOverlong(client);
      // The library reports the end once all is closed: after seconds, or never if a process of the server stays.
      transport.onclose?.();
    };
    return transport;
  }

  /**
   * Ends a connection and its waiting calls: after an answer that it could not read, the library would go on waiting.
   * It is not known then which of several calls that answer was for.
   */
  private endOverlong(client: Client): void {
    const { maxBytes } = this;
    const bound = `more than ${maxBytes / 1e6} MB`;
    this.overlong.set(
      client,
      this.waiting > 1
        ? `the connection ended, as the server answered one of several calls with ${bound}`
        : `it answered with ${bound}`,
    );
    this.logger.warn({ server: this.name, maxBytes }, 'a message of an MCP server is too long');
    void this.close(client);
  }

  /** Lists its tools anew. Where that fails it has none, and is connected again, but not while a call may be answered. */
  private async relist(client: Client, list: () => Promise<void>): Promise<void> {
    try {
      await list();
    } catch (error) {
      if (client !== this.client) return;
      this.logger.warn({ server: this.name, err: error }, 'an MCP server does not list its tools any more');
      this.drop();
      this.isFailing = true;
      this.endFailing(client);
    }
  }

  /** Closes a connection over which it lists nothing, as soon as no call waits there. */
  private endFailing(client: Client): void {
    if (this.isFailing && this.waiting === 0 && client === this.client) void this.close(client);
  }

  private async list(client: Client): Promise<void> {
    const { tools, leftOut, isCut } = await listPages((cursor) => this.page(client, cursor));
    const before = this.unused;
    this.isFailing = false;
    this.listed = mcpTools(this.name, this.settings, tools, (...call) => this.call(...call));
    // At least one more, where the list goes on.
    this.unused = leftOut + tools.length - this.listed.length + (isCut ? 1 : 0);
    if (this.unused > 0 && this.unused !== before)
      this.logger.warn(
        { server: this.name, used: this.listed.length, leftOut: this.unused, isCut },
        'tools of an MCP server are left out',
      );
  }

  /**
   * Asks for a page of its tools. An error as the answer to a cursor ends the list, whatever its code: servers differ, and
   * the pages before are good. Without the first page there is no list.
   */
  private async page(client: Client, cursor: string | undefined) {
    const params = cursor === undefined ? {} : { params: { cursor } };
    try {
      return await client.request({ method: 'tools/list', ...params }, ListResult);
    } catch (error) {
      const code = codeOf(error);
      const isAnswer = client === this.client && code !== null && code !== TIMED_OUT;
      if (cursor === undefined || !isAnswer) throw error;
      return null;
    }
  }

  /** Calls a tool. @throws AppError `invalid_request` where the server answers that it can't do what was asked for */
  private async call(name: string, given: Record<string, unknown>, { key, signal }: ToolCallContext) {
    const { client } = this;
    if (!client) throw new Error(`${this.name} is out of reach`);
    const params = { name, arguments: given, _meta: { 'kith/key': key } };
    this.waiting += 1;
    const result = await client
      .request({ method: 'tools/call', params }, McpCallResult, { signal })
      .catch(async (error: unknown) => {
        const why = this.overlong.get(client);
        if (why !== undefined) throw new AppError('unavailable', why, undefined, { cause: error });
        const code = codeOf(error);
        if (!(error instanceof Error) || code === null) throw error;
        if (isLostSession(code, error.message)) await this.close(client);
        if (!REFUSALS.has(code) && !refusesRequest(code)) throw error;
        throw new AppError('invalid_request', error.message, { answered: code }, { cause: error });
      })
      .finally(() => {
        this.waiting -= 1;
        this.endFailing(client);
      });
    const told = resultWords(result);
    if (result.isError) throw new AppError('invalid_request', told);
    return told;
  }

  private drop(): void {
    this.listed = [];
    this.unused = null;
  }

  /** Drops its tools until it is back. The late end of an earlier connection does not affect the present one. */
  private onLost(client: Client | null): void {
    if (client !== this.client) return;
    this.drop();
    this.isFailing = false;
    clearInterval(this.listTimer);
    this.client = null;
    if (this.isStopped || this.again) return;
    this.again = setTimeout(() => {
      this.again = undefined;
      void this.start();
    }, this.pauseMs).unref();
    this.pauseMs = Math.min(MAX_PAUSE_MS, this.pauseMs * 2);
  }
}

/**
 * Tells whether a server does not know the session that it had with us, as after its restart: only a new one helps. The
 * protocol asks for HTTP 404; many servers answer with 400, as they do to a request that they do not understand.
 */
function isLostSession(code: number, message: string): boolean {
  return code === 404 || (code === 400 && /\bsession\b|\binitiali[sz]ed\b/i.test(message));
}

/** Reads the number that JSON-RPC or HTTP gives an error; null for any other. */
function codeOf(error: unknown): number | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : null;
}
