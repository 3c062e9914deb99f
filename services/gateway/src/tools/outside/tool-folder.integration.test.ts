import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { eventually } from '@kith/testing';
import pino from 'pino';
import { ToolRegistry } from '../tool-registry.js';
import { ToolFolder } from './tool-folder.js';

const SERVER = fileURLToPath(new URL('./testing-mcp-server.mjs', import.meta.url));

let directory: string;
let folder: ToolFolder;
let lines: object[] = [];

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'kith-tools-'));
  lines = [];
  const write = (line: string) => lines.push(JSON.parse(line) as object);
  folder = new ToolFolder(directory, pino({ level: 'warn' }, { write }));
});
afterEach(async () => {
  await folder.stop();
  await rm(directory, { recursive: true });
});

it('tells which tools of a file and of a server are left out', async () => {
  const operations = Array.from({ length: 42 }, (_, n) => ({ operationId: `get${n}` }));
  const broken = { operationId: 'broken', parameters: 'none' };
  const paths = Object.fromEntries(
    [broken, ...operations, { summary: 'no tool' }].map((get, n) => [`/${n}`, { get }]),
  );
  const file = { openapi: '3.1.0', servers: [{ url: 'http://127.0.0.1:1' }], paths };
  await writeFile(path.join(directory, 'home.openapi.json'), JSON.stringify(file));
  // Of its two tools one is none.
  const server = { command: process.execPath, args: [SERVER], env: { NOTES_HARM: 'yes' } };
  await writeFile(path.join(directory, 'mcp.json'), JSON.stringify({ servers: { bad: server } }));
  await folder.start();
  const registry = new ToolRegistry(() => folder.origins);
  await eventually('the tools of the server', () => registry.find('bad__read_notes') !== null);
  expect(registry.all()).toHaveLength(41);
  expect(registry.leftOut()).toEqual([
    { from: 'bad', count: 1 },
    { from: 'home', count: 3 },
  ]);
  expect(lines).toMatchObject([
    { file: 'home.openapi.json', used: 40, leftOut: 3, msg: 'tools of a file are left out' },
    { server: 'bad', used: 1, leftOut: 1, msg: 'tools of an MCP server are left out' },
  ]);
  await folder.stop();
  expect(registry.leftOut()).toEqual([{ from: 'home', count: 3 }]);
});

it('tells of a file that is broken, and of a folder that is not there', async () => {
  await writeFile(path.join(directory, 'mcp.json'), '{"servers": {"pad": {"command": "node",}}}');
  await folder.start();
  expect(new ToolRegistry(() => folder.origins).leftOut()).toEqual([{ from: 'mcp.json', count: 'all' }]);
  const lost = new ToolFolder(path.join(directory, 'lost'), pino({ enabled: false }));
  await lost.start();
  expect(new ToolRegistry(() => lost.origins).leftOut()).toEqual([{ from: 'TOOLS_DIRECTORY', count: 'all' }]);
});
