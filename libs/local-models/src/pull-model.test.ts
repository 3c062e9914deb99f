import { hash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openModelFolder } from './model-folder.js';
import { pullModel } from './pull-model.js';

const NAME = 'all-MiniLM-L6-v2';
const REPOSITORY = 'Xenova/all-MiniLM-L6-v2';
const COMMIT = 'a'.repeat(40);
const sumOf = (bytes: Buffer) => hash('sha256', bytes);

/** A hub that lists a repository's files and serves them, over a real socket. */
let files: Record<string, Buffer>;
let listed: (path: string, bytes: Buffer) => object;
let server: Server;
let hub: string;
let directory: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    const prefix = `/${REPOSITORY}/resolve/${COMMIT}/`;
    if (request.url === `/api/models/${REPOSITORY}/revision/main?blobs=true`) {
      const siblings = Object.entries(files).map(([path, bytes]) => listed(path, bytes));
      response.end(JSON.stringify({ sha: COMMIT, siblings }));
    } else if (request.url?.startsWith(prefix)) response.end(files[request.url.slice(prefix.length)]);
    else response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  hub = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kith-pull-'));
  files = {
    'onnx/model_quantized.onnx': Buffer.alloc(300_000, 7),
    'tokenizer.json': Buffer.from('{"a":1}'),
    'tokenizer_config.json': Buffer.from('{}'),
    'README.md': Buffer.from('not wanted'),
  };
  listed = (rfilename, bytes) => ({ rfilename, size: bytes.length, lfs: { sha256: sumOf(bytes) } });
});
afterEach(() => rm(directory, { recursive: true, force: true }));

describe('a model that is pulled', () => {
  it('is in its folder with its description, and tells how far it is', async () => {
    const shares: number[] = [];
    const onProgress = ({ bytes, total }: { bytes: number; total: number }) => shares.push(bytes / total);
    const folder = await pullModel(NAME, { directory, hub, onProgress });
    expect(await readdir(directory)).toEqual([NAME]);
    expect(await readdir(folder)).toEqual([
      'kith-model.json',
      'model.onnx',
      'tokenizer.json',
      'tokenizer_config.json',
    ]);
    expect((await readFile(join(folder, 'model.onnx'))).length).toBe(300_000);
    expect(shares.at(-1)).toBe(1);
    const { description } = await openModelFolder(directory, NAME);
    expect(description).toMatchObject({ dimensions: 384, pooling: 'mean', maxTokens: 256 });
  });

  it('can be read by every user, also where other files are private', async () => {
    const before = process.umask(0o077);
    const models = join(directory, 'kept/models');
    const folder = await pullModel(NAME, { directory: models, hub }).finally(() => process.umask(before));
    const paths = [models, folder, ...(await readdir(folder)).map((name) => join(folder, name))];
    const modes = await Promise.all(paths.map(async (path) => ((await stat(path)).mode & 0o777).toString(8)));
    expect(modes).toEqual(['755', '755', '644', '644', '644', '644']);
  });

  it.each([
    [
      'differs from its sum',
      (path: string, bytes: Buffer) => ({
        rfilename: path,
        size: bytes.length,
        lfs: { sha256: 'f'.repeat(64) },
      }),
      'SHA-256 differs',
    ],
    [
      'is longer than listed',
      (path: string, bytes: Buffer) => ({ rfilename: path, size: bytes.length - 1 }),
      'longer than',
    ],
    [
      'breaks off',
      (path: string, bytes: Buffer) => ({ rfilename: path, size: bytes.length + 1 }),
      'broke off',
    ],
    ['is too large', (path: string) => ({ rfilename: path, size: 2 ** 40 }), 'in a form unknown here'],
  ])('leaves nothing behind when a file %s', async (_, list, message) => {
    listed = list;
    await expect(pullModel(NAME, { directory, hub })).rejects.toThrow(message);
    expect(await readdir(directory)).toEqual([]);
  });

  it('leaves the one that is there when the hub has not what is wanted', async () => {
    await pullModel(NAME, { directory, hub });
    delete files['tokenizer.json'];
    await expect(pullModel(NAME, { directory, hub })).rejects.toThrow('has no tokenizer.json');
    expect((await openModelFolder(directory, NAME)).description.dimensions).toBe(384);
  });

  it('says what to copy where when no hub is reached', async () => {
    await expect(pullModel(NAME, { directory, hub: 'http://127.0.0.1:1' })).rejects.toThrow(
      /is not reached \(.+\)\. Fetch .*copy its onnx\/model_quantized\.onnx as model\.onnx/,
    );
    for (const name of ['gpt-9', 'constructor'])
      await expect(pullModel(name, { directory, hub })).rejects.toThrow(`${name} is not in the catalogue`);
  });
});

describe('a folder', () => {
  it.each([
    [NAME, /lacks model\.onnx: run "kith models pull all-MiniLM-L6-v2", or copy/],
    ['my-own', /lacks model\.onnx: copy its model\.onnx and tokenizer\.json to/],
    ['../outside', /is not the name of a local model/],
    ['', /is not the name of a local model/],
  ])('that is not there is told of: %p', async (name, message) => {
    await expect(openModelFolder(directory, name)).rejects.toThrow(message);
  });
});
