import { createHash } from 'node:crypto';
import { pinOf, type Tool } from '../tool.js';
import type { McpSettings } from './tool-files.js';

/** Tools of one server that are taken: a model is lost among more. */
const MAX_TOOLS = 40;
/** Characters of a description, which stands in every prompt. */
const MAX_DESCRIPTION = 1_000;
/** Characters of a schema, which does so too; a tool with a longer one is left out. */
const MAX_SCHEMA = 8_000;
/** Characters of a name that model providers take. */
const MAX_NAME = 64;

/** Tool as a server lists it. */
export interface ListedTool {
  name: string;
  description?: string | undefined;
  inputSchema: Record<string, unknown>;
}

/** Makes tools of what a server lists. What it says of them decides nothing: the operator's file does. */
export function mcpTools(
  server: string,
  settings: McpSettings,
  listed: readonly ListedTool[],
  call: (name: string, ...given: Parameters<Tool['call']>) => Promise<string>,
): Tool[] {
  const fitting = listed.filter(({ inputSchema }) => JSON.stringify(inputSchema).length <= MAX_SCHEMA);
  return fitting.slice(0, MAX_TOOLS).map((tool) => {
    const definition = {
      name: `${server}__${tool.name.replaceAll(/[^\w-]/g, '_')}`.slice(0, MAX_NAME),
      description: (tool.description ?? tool.name).slice(0, MAX_DESCRIPTION),
      parameters: tool.inputSchema,
    };
    const isReading = settings.reads.includes(tool.name);
    return {
      definition,
      traits: {
        name: definition.name,
        reads: ['outside'],
        changes: isReading ? 'nothing' : 'outside',
        allowedBy: 'operator',
        asks: settings.asks[tool.name] ?? [],
        // Another server under the same name is another tool.
        pin: createHash('sha256')
          .update(`${pinOf(definition)} ${addressOf(settings)}`)
          .digest('hex'),
      },
      call: (given, context) => call(tool.name, given, context),
    };
  });
}

function addressOf(settings: McpSettings): string {
  return 'url' in settings ? settings.url : JSON.stringify([settings.command, settings.args]);
}
