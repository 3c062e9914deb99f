import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import type { ToolOrigin } from '../tool-registry.js';
import { McpServer } from './mcp-server.js';
import { McpFile, ToolPrefix } from './mcp-tools.js';
import { openApiTools } from './openapi-tools.js';

const OPENAPI_ENDING = '.openapi.json';

/** The operator's folder of tools: `mcp.json`, and an OpenAPI file for each HTTP interface. Read once, at the start. */
export class ToolFolder {
  private servers: McpServer[] = [];
  private readonly files: ToolOrigin[] = [];
  private isStopped = false;

  constructor(
    private readonly directory: string | undefined,
    private readonly logger: Logger,
  ) {}

  /** Origins of tools, as far as they were read. */
  get origins(): readonly ToolOrigin[] {
    return [...this.servers, ...this.files];
  }

  /** Reads the folder and connects its servers. A file that can't be read is logged, and the others are used. */
  async start(): Promise<void> {
    const { directory } = this;
    if (directory === undefined || directory === '') return;
    for (const file of (await this.list(directory)).toSorted()) {
      try {
        await this.read(directory, file);
      } catch (error) {
        this.logger.error({ file, err: error }, 'a file of tools could not be read; it is left out');
        this.files.push(unread(file));
      }
    }
    if (this.isStopped) return;
    for (const server of this.servers) void server.start();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all(this.servers.map((server) => server.stop()));
  }

  private async list(directory: string): Promise<string[]> {
    try {
      return await readdir(directory);
    } catch (error) {
      this.logger.error({ directory, err: error }, 'the folder of tools (TOOLS_DIRECTORY) could not be read');
      this.files.push(unread('TOOLS_DIRECTORY'));
      return [];
    }
  }

  private async read(directory: string, file: string): Promise<void> {
    const content = async () => JSON.parse(await readFile(path.join(directory, file), 'utf8')) as unknown;
    if (file === 'mcp.json') {
      const { servers } = McpFile.parse(await content());
      this.servers = Object.entries(servers).map(
        ([name, settings]) => new McpServer(name, settings, this.logger),
      );
    } else if (file.endsWith(OPENAPI_ENDING)) {
      const from = ToolPrefix.parse(file.slice(0, -OPENAPI_ENDING.length));
      const { tools, leftOut: count } = openApiTools(from, await content());
      if (count > 0)
        this.logger.warn({ file, used: tools.length, leftOut: count }, 'tools of a file are left out');
      const leftOut = count > 0 ? { from, count } : null;
      this.files.push({ kind: 'http', tools: () => tools, leftOut: () => leftOut });
    }
  }
}

/** An origin whose tools are all missing. Why stands in the log alone: an error of JSON quotes the file, which may hold a key. */
function unread(from: string): ToolOrigin {
  return { kind: 'http', tools: () => [], leftOut: () => ({ from, count: 'all' }) };
}
