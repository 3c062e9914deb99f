// An MCP server for tests, over its standard streams: one tool that writes a line to a file, one that reads it.
import { appendFileSync, readFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

const file = process.env.NOTES_FILE;
const text = (words) => ({ content: [{ type: 'text', text: words }] });

const server = new McpServer({ name: 'notes', version: '1' });
const described = { description: process.env.NOTES_SAYS, inputSchema: { text: z.string() } };
server.registerTool('create_note', described, (given) => {
  if (given.text === 'broken') throw new Error('no paper');
  appendFileSync(file, `${given.text}\n`);
  return text('written');
});
server.registerTool('read_notes', { description: 'Reads all notes.' }, () =>
  text(readFileSync(file, 'utf8')),
);
if (process.env.NOTES_LIST === 'fails') {
  appendFileSync(file, `${process.pid}\n`);
  server.server.setRequestHandler(ListToolsRequestSchema, () => Promise.reject(new Error('no list')));
}
await server.connect(new StdioServerTransport());
