import type { Tool } from '../tool.js';
import { chooseUsed, declareOutside, fitsPrompt } from './declare-outside.js';
import type { ListedTool } from './mcp-results.js';
import type { McpSettings } from './tool-files.js';

/** Makes tools of what a server lists. Whether one only reads is the operator's file to say, and not the server. */
export function mcpTools(
  server: string,
  settings: McpSettings,
  listed: readonly ListedTool[],
  call: (name: string, ...given: Parameters<Tool['call']>) => Promise<string>,
): Tool[] {
  const tools = listed
    .filter(({ inputSchema }) => fitsPrompt(inputSchema))
    .map(({ name, description = name, inputSchema }): Tool => ({
      ...declareOutside(
        server,
        { name, description, parameters: inputSchema },
        {
          isReading: settings.reads.includes(name),
          asks: Object.hasOwn(settings.asks, name) ? (settings.asks[name] ?? []) : [],
          address: addressOf(settings),
        },
      ),
      call: (given, context) => call(name, given, context),
    }));
  return chooseUsed(tools);
}

function addressOf(settings: McpSettings): string {
  return 'url' in settings ? settings.url : JSON.stringify([settings.command, settings.args]);
}
