// An MCP server for tests, over its standard streams: one tool that writes a line to a file, one that reads it.
import { appendFileSync, readFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
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
if (process.env.NOTES_LIST === 'paged') {
  const tools = ['create_note', 'read_notes'].map((name) => ({ name, inputSchema: { type: 'object' } }));
  server.server.setRequestHandler(ListToolsRequestSchema, ({ params }) =>
    params?.cursor === 'second' ? { tools: [tools[1]] } : { tools: [tools[0]], nextCursor: 'second' },
  );
}
if (process.env.NOTES_LIST === 'changes') {
  // Between the two pages of its first list. The later a list is read, the sooner it has its answer.
  let name = 'old';
  server.server.setRequestHandler(ListToolsRequestSchema, async ({ params }) => {
    const tools = [{ name, inputSchema: { type: 'object' } }];
    appendFileSync(file, `${name}\n`);
    if (name === 'new') return { tools };
    if (!params?.cursor) return { tools, nextCursor: 'second' };
    name = 'new';
    server.sendToolListChanged();
    await new Promise((later) => setTimeout(later, 200));
    return { tools };
  });
}
// What a server may answer that means harm.
const HARM = {
  regex: { structuredContent: { text: `${'a'.repeat(30)}!` }, content: [{ type: 'text', text: 'written' }] },
  parts: { content: Array.from({ length: 300_000 }, () => ({})) },
  length: text('a'.repeat(11_000_000)),
  // And what is large but honest.
  picture: { content: [{ type: 'image', mimeType: 'image/png', data: 'a'.repeat(5_000_000) }] },
};
if (process.env.NOTES_HARM) {
  const outputSchema = { type: 'object', properties: { text: { type: 'string', pattern: '^(a+)+$' } } };
  const tools = [{ name: 'read_notes', inputSchema: { type: 'object' }, outputSchema }, {}];
  // Past the library, which refuses to send such.
  const send = (id, result) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
  const answer = (schema, resultOf) =>
    server.server.setRequestHandler(schema, ({ params }, { requestId }) => {
      send(requestId, resultOf(params));
      return new Promise(() => {});
    });
  answer(ListToolsRequestSchema, () => ({ tools }));
  answer(CallToolRequestSchema, (params) => HARM[params.arguments.harm]);
}
await server.connect(new StdioServerTransport());
