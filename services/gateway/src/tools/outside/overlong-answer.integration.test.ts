import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { eventually } from '@kith/testing';
import pino from 'pino';
import { McpServer } from './mcp-server.js';

/**
 * A server whose call answers with 1.1 MB in a line. It may have a process that holds on to its output, as `npx` may, or stay
 * until it is ended and note in a file whether an earlier one is still there.
 */
const SERVER = `
import { spawn } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const [kind, kept] = process.argv.slice(2);
const isThere = (pid) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
if (kind === 'stays') {
  const others = readFileSync(kept, 'utf8').split('\\n').filter((line) => line !== '');
  appendFileSync(kept, process.pid + (others.some((line) => isThere(parseInt(line))) ? ' beside another' : '') + '\\n');
  setTimeout(() => undefined, 60_000);
}
if (kind === 'leaves') {
  const script = 'setTimeout(() => undefined, 60_000)';
  const { pid } = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'inherit', 'ignore'] });
  appendFileSync(kept, pid + '\\n');
}
const results = {
  initialize: {
    protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'long', version: '1' },
  },
  'tools/list': { tools: [{ name: 'tell', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: 'a'.repeat(1_100_000) }] },
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] }));
});`;
/** Bound of these tests: with that of a real server, reading takes seconds of the machine. */
const MAX_BYTES = 1_000_000;
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
  for (const pid of await noted()) endIfThere(parseInt(pid));
  await rm(directory, { recursive: true });
});

/** Starts a server of a kind. Returns a call of its tool. */
async function started(kind: string) {
  const write = (line: string) => lines.push(JSON.parse(line) as object);
  const settings = { command: process.execPath, args: [path.join(directory, 'server.mjs'), kind, kept] };
  const logger = pino({ level: 'warn' }, { write });
  server = new McpServer('long', { ...settings, env: {}, reads: [], asks: {} }, logger, MAX_BYTES);
  await server.start();
  return () => server.tools()[0]!.call({}, { key: 'k', signal: new AbortController().signal });
}

/** Processes that the servers note. */
const noted = async () => (await readFile(kept, 'utf8')).split('\n').filter((line) => line !== '');

function endIfThere(pid: number): void {
  try {
    process.kill(pid);
  } catch {
    // It has ended with its server.
  }
}

it.each([
  ['ends with it', 'ends'],
  ['leaves a process behind', 'leaves'],
])('a server whose answer is too long fails the call soon, and is there again: it %s', async (_, kind) => {
  const call = await started(kind);
  const begun = performance.now();
  await expect(call()).rejects.toMatchObject({
    code: 'unavailable',
    message: 'it answered with more than 1 MB',
  });
  expect(performance.now() - begun).toBeLessThan(SOON_MS);
  expect(server.tools()).toEqual([]);
  expect(lines).toMatchObject([{ server: 'long', msg: 'a message of an MCP server is too long' }]);
  await eventually('its tools', () => server.tools().length === 1);
});

it('a server whose answer is too long is gone before it is there again, and once it is stopped', async () => {
  const call = await started('stays');
  await expect(call()).rejects.toThrow('it answered with more than 1 MB');
  await eventually('its tools', () => server.tools().length === 1);
  const pids = await noted();
  expect(pids).toEqual([expect.stringMatching(/^\d+$/), expect.stringMatching(/^\d+$/)]);
  await expect(call()).rejects.toThrow();
  await server.stop();
  expect(() => process.kill(Number(pids[1]), 0)).toThrow('ESRCH');
});

it('calls that wait together are told that the connection ended, where one answer is too long', async () => {
  const call = await started('ends');
  for (const one of await Promise.allSettled([call(), call()])) {
    expect(one).toMatchObject({
      reason: { code: 'unavailable', message: expect.stringMatching(/^the connection ended/) },
    });
  }
});
