import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { eventually } from '@kith/testing';
import pino from 'pino';
import { McpServer } from './mcp-server.js';

/** A server whose call answers with 11 MB in a line. Given a file, it has a process that holds on to its output, as `npx` may. */
const SERVER = `
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const [kept] = process.argv.slice(2);
if (kept) {
  const script = 'setTimeout(() => undefined, 60_000)';
  const { pid } = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'inherit', 'ignore'] });
  appendFileSync(kept, pid + '\\n');
}
const results = {
  initialize: {
    protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'long', version: '1' },
  },
  'tools/list': { tools: [{ name: 'tell', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: 'a'.repeat(11_000_000) }] },
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] }));
});`;
/** Less than a call may take. */
const SOON_MS = 18_000;

let directory: string;
let kept: string;
let server: McpServer;
let lines: object[] = [];

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'kith-long-'));
  kept = path.join(directory, 'kept.txt');
  await writeFile(kept, '');
  await writeFile(path.join(directory, 'server.mjs'), SERVER);
  lines = [];
});
afterEach(async () => {
  await server.stop();
  for (const pid of (await readFile(kept, 'utf8')).split('\n')) if (pid !== '') process.kill(Number(pid));
  await rm(directory, { recursive: true });
});

it.each([
  ['ends with it', () => []],
  ['leaves a process behind', () => [kept]],
])('a server whose answer is too long fails the call soon, and is there again: it %s', async (_, args) => {
  const write = (line: string) => lines.push(JSON.parse(line) as object);
  const settings = { command: process.execPath, args: [path.join(directory, 'server.mjs'), ...args()] };
  const logger = pino({ level: 'warn' }, { write });
  server = new McpServer('long', { ...settings, env: {}, reads: [], asks: {} }, logger);
  await server.start();
  const [tool] = server.tools();
  const begun = performance.now();
  await expect(tool!.call({}, { key: 'k', signal: new AbortController().signal })).rejects.toMatchObject({
    ...{ code: 'unavailable', message: 'it answered with more than 10 MB' },
  });
  expect(performance.now() - begun).toBeLessThan(SOON_MS);
  expect(server.tools()).toEqual([]);
  expect(lines).toMatchObject([{ server: 'long', msg: 'a message of an MCP server is too long' }]);
  await eventually('its tools', () => server.tools().length === 1);
});
