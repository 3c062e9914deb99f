import { z } from 'zod';
import type { Tool } from '../tool.js';
import { chooseUsed, declareOutside, fitsPrompt } from './declare-outside.js';
import type { ListedTool } from './mcp-results.js';

/** Name of a server or file, the first part of its tools' names. */
export const ToolPrefix = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,30}$/, 'lower-case letters, digits and dashes, at most 31');
const Phrases = z.array(z.string().min(1).max(100)).max(20);

const Declared = z.strictObject({
  /** Names of tools that only read; all others count as changing something, whatever the server says of them. */
  reads: z.array(z.string()).default([]),
  /** Phrases with which people ask for a tool, by its name. */
  asks: z.record(z.string(), Phrases).default({}),
});

/** A server that runs beside the gateway, as a process of its own. */
const StdioServer = Declared.extend({
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: z.record(z.string(), z.string()).default({}),
});
/** A server elsewhere, over streamable HTTP. */
const HttpServer = Declared.extend({
  url: z.url({ protocol: /^https?$/ }),
  /** Headers of each request, such as `Authorization`. */
  headers: z.record(z.string(), z.string()).default({}),
});

/** The operator's list of MCP servers: `mcp.json` in the folder of tools. */
export const McpFile = z.strictObject({ servers: z.record(ToolPrefix, z.union([StdioServer, HttpServer])) });
export type McpSettings = z.output<typeof StdioServer> | z.output<typeof HttpServer>;

/** Makes tools of what a server lists. Whether one only reads is the operator's file to say, and not the server. */
export function mcpTools(
  server: string,
  settings: McpSettings,
  listed: readonly ListedTool[],
  call: (name: string, ...given: Parameters<Tool['call']>) => Promise<string>,
): Tool[] {
  const address = 'url' in settings ? settings.url : JSON.stringify([settings.command, settings.args]);
  const tools = listed
    .filter(({ inputSchema }) => fitsPrompt(inputSchema))
    .map(({ name, description = name, inputSchema }): Tool => ({
      ...declareOutside(
        server,
        { name, description, parameters: inputSchema },
        {
          isReading: settings.reads.includes(name),
          asks: Object.hasOwn(settings.asks, name) ? (settings.asks[name] ?? []) : [],
          address,
        },
      ),
      call: (given, context) => call(name, given, context),
    }));
  return chooseUsed(tools);
}
