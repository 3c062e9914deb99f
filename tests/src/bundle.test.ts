import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);
let scratch: string;
let bundle: string;
/** Output of a process that loaded a service: a stack, and which of Node's own modules it has. */
let loaded: string;

// In the checkout, where packages are found that stay as they are.
beforeAll(async () => {
  await mkdir(join(root, 'dist'), { recursive: true });
  scratch = await mkdtemp(join(root, 'dist/bundle-test-'));
  bundle = join(scratch, 'programs');
  await run(process.execPath, [join(root, 'tools/bundle-programs.mjs'), bundle]);
  const service = pathToFileURL(join(bundle, 'services/memory/dist/service.js')).href;
  const failing = `const { service } = await import(${JSON.stringify(service)});
    try { await service.module(undefined) } catch (error) { console.log(error.stack) }
    console.log(process.moduleLoadList.join('\\n'));`;
  const maps = pathToFileURL(join(root, 'libs/service-host/dist/own-source-maps.js')).href;
  const { stdout } = await run(
    process.execPath,
    ['--import', maps, '--input-type=module', '--eval', failing],
    { env: { ...process.env, NODE_OPTIONS: '' } },
  );
  loaded = stdout;
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

describe('a bundle of the services', () => {
  it('tells a stack in the lines of our TypeScript', async () => {
    const [, line] = /services\/memory\/src\/service\.ts:(\d+)/.exec(loaded) ?? [];
    const source = await readFile(join(root, 'services/memory/src/service.ts'), 'utf8');
    expect(source.split('\n')[Number(line) - 1]).toContain('config');
  });

  it("loads Node's client for fetch when something is fetched", () => {
    expect(loaded).toContain('NativeModule http\n');
    expect(loaded).not.toContain('undici');
  });

  it('is open to whoever runs it, who may not be who made it', async () => {
    expect(((await stat(bundle)).mode & 0o777).toString(8)).toBe('755');
  });

  it('holds packages in files of one byte a sign', async () => {
    const files = await readdir(join(bundle, 'packages'));
    expect(files.length).toBeGreaterThan(10);
    for (const file of files) {
      const text = await readFile(join(bundle, 'packages', file), 'utf8');
      expect([file, /[^\p{ASCII}]/u.exec(text)?.[0]]).toEqual([file, undefined]);
    }
  });
});
