import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { KEY, runCli } from '../e2e/scripted-api.js';
import { writeNewFile } from './write-new-file.js';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kith-export-'));
  file = join(folder, 'ada.jsonl');
});
afterEach(() => rm(folder, { recursive: true }));

async function* linesThen(end: () => unknown) {
  yield 'one\n';
  yield 'two\n';
  await end();
}

describe('an export to a file', () => {
  it.each([
    ['an address without its scheme', '127.0.0.1:3000', KEY],
    ['an address where nothing answers', 'http://127.0.0.1:9', KEY],
    ['a key that no header takes', 'http://127.0.0.1:9', 'kth_…'],
  ])('leaves an earlier export as it was: %s', async (_, url, key) => {
    await writeFile(file, 'earlier\n');
    const { exit, texts } = runCli(['memories', 'export', file], { url, key });
    expect([await exit, texts.notes]).toEqual([2, expect.stringContaining('is there already')]);
    expect(await readFile(file, 'utf8')).toBe('earlier\n');
    expect(await readdir(folder)).toEqual(['ada.jsonl']);
  });

  it('is there once it is whole, and not before', async () => {
    await writeNewFile(
      file,
      linesThen(async () => expect(await readdir(folder)).not.toContain('ada.jsonl')),
    );
    expect(await readFile(file, 'utf8')).toBe('one\ntwo\n');
    expect(await readdir(folder)).toEqual(['ada.jsonl']);
  });

  it('leaves nothing where its lines break off', async () => {
    const broken = writeNewFile(
      file,
      linesThen(() => Promise.reject(new Error('lost'))),
    );
    await expect(broken).rejects.toThrow('lost');
    expect(await readdir(folder)).toEqual([]);
  });

  it('never takes the place of a file that came while it was written', async () => {
    const late = writeNewFile(
      file,
      linesThen(() => writeFile(file, 'theirs')),
    );
    await expect(late).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('there already'),
    });
    expect(await readFile(file, 'utf8')).toBe('theirs');
    expect(await readdir(folder)).toEqual(['ada.jsonl']);
  });

  it('says of a folder that is missing what is wrong', async () => {
    const nowhere = writeNewFile(
      join(folder, 'missing', 'ada.jsonl'),
      linesThen(() => undefined),
    );
    await expect(nowhere).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining('ENOENT') });
  });
});
