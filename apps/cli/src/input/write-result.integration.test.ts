import { execFile } from 'node:child_process';
import { lstat, mkdtemp, open, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { KEY, runCli, TURN, useScriptedApi } from '../e2e/scripted-api.js';
import { writeNewFile } from './write-result.js';

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

  it.each([false, true])('is written into a pipe, which stays one: --force %j', async (force) => {
    await promisify(execFile)('mkfifo', [file]);
    // Open for both, so that neither waits for the other.
    const reader = await open(file, 'r+');
    await writeNewFile(
      file,
      linesThen(() => undefined),
      force,
    );
    const { buffer, bytesRead } = await reader.read();
    await reader.close();
    expect(buffer.toString('utf8', 0, bytesRead)).toBe('one\ntwo\n');
    expect((await lstat(file)).isFIFO()).toBe(true);
    expect(await readdir(folder)).toEqual(['ada.jsonl']);
  });

  it('waits for no reader of a pipe', async () => {
    await promisify(execFile)('mkfifo', [file]);
    const unread = writeNewFile(
      file,
      linesThen(() => undefined),
    );
    await expect(unread).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('nobody reads this pipe'),
    });
  });

  it('takes the place of the file that a link leads to, and leaves the link', async () => {
    const link = join(folder, 'latest.jsonl');
    await writeFile(file, 'earlier\n');
    await symlink('ada.jsonl', link);
    const write = (force: boolean) =>
      writeNewFile(
        link,
        linesThen(() => undefined),
        force,
      );
    await expect(write(false)).rejects.toThrow('is there already');
    await write(true);
    expect(await readlink(link)).toBe('ada.jsonl');
    expect(await readFile(file, 'utf8')).toBe('one\ntwo\n');
  });

  it('says of a folder that is missing what is wrong', async () => {
    const nowhere = writeNewFile(
      join(folder, 'missing', 'ada.jsonl'),
      linesThen(() => undefined),
    );
    await expect(nowhere).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining('ENOENT') });
  });
});

describe('a file that a command writes', () => {
  const { api, cli } = useScriptedApi();
  const mood = {
    companionId: 'mira',
    now: TURN.mood,
    baseline: TURN.mood!.pad,
    halfLifeMs: 3_600_000,
    series: [],
    bond: null,
  };

  it('takes no other file’s place without --force, and none at all for -', async () => {
    api.answers['GET /v1/companions/mira/mood.png'] = () => ({ body: 'a picture' });
    api.answers['GET /v1/companions/mira/file'] = () => ({ body: { name: 'Mira' } });
    api.answers['GET /v1/companions/mira/mood'] = () => ({ body: mood });
    for (const [command, held] of [
      [(to: string) => ['mood', '--png', to], '"a picture"'],
      [(to: string) => ['companion', 'export', 'mira', to], '{\n  "name": "Mira"\n}\n'],
    ] as const) {
      await writeFile(file, 'earlier\n');
      expect(await cli(command(file))).toMatchObject({
        code: 2,
        notes: expect.stringContaining('is there already: name another, or say --force'),
      });
      expect(await readFile(file, 'utf8')).toBe('earlier\n');
      expect(await cli([...command(file), '--force'])).toMatchObject({ code: 0 });
      expect(await readFile(file, 'utf8')).toBe(held);
      expect(await cli(command('-'))).toEqual({ code: 0, out: held, notes: '' });
    }
    const { out } = await cli(['mood', '--json', '--force', '--png', file]);
    expect(JSON.parse(out)).toMatchObject({ halfLifeMs: 3_600_000 });
    expect(await cli(['mood', '--json', '--png', '-'])).toMatchObject({ code: 2 });
  });
});
