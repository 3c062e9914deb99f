import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KEY, runCli } from '../e2e/scripted-api.js';
import { readText } from './files.js';

const MARK = [0xef, 0xbb, 0xbf];
let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'kith-files-'))));
afterAll(() => rm(folder, { recursive: true }));

async function fileOf(name: string, content: Uint8Array): Promise<string> {
  await writeFile(join(folder, name), content);
  return join(folder, name);
}

describe('a text file', () => {
  it('is read without the mark at its begin, however its letters are cut', async () => {
    const bytes = Buffer.concat([Buffer.from(MARK), Buffer.from('{"a":"ü"}')]);
    expect(await readText(await fileOf('marked.json', bytes))).toBe('{"a":"ü"}');
    async function* each() {
      for (const byte of bytes) yield Uint8Array.of(byte);
    }
    expect(await readText('-', each())).toBe('{"a":"ü"}');
  });

  it.each([
    ['UTF-16', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('Grüße', 'utf16le')])],
    ['Latin-1', Buffer.from('Grüße', 'latin1')],
    ['UTF-8 that is cut off', Buffer.from('Grü').subarray(0, -1)],
  ])('that is %s is refused', async (_, bytes) => {
    await expect(readText(await fileOf('other.txt', bytes))).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('is not UTF-8: save it as UTF-8 first'),
    });
  });

  it('that is the input, and is not UTF-8, is told as such', async () => {
    const { exit, texts } = runCli(['memories', 'import', '-'], {
      url: 'http://127.0.0.1:9',
      key: KEY,
      input: [Buffer.from('Grüße', 'latin1')],
    });
    const problem = 'kith: the input is not UTF-8: save it as UTF-8 first\n';
    expect([await exit, texts.notes]).toEqual([2, problem]);
  });

  it('that is the input, and can’t be read, is told as such', async () => {
    const handle = await open(folder);
    const input = handle.createReadStream();
    await expect(readText('-', input)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining("the input can't be read: EISDIR"),
    });
  });

  it('that is not UTF-8 is no document', async () => {
    const file = await fileOf('note.md', Buffer.from('Grüße', 'latin1'));
    const { exit, texts } = runCli(['documents', 'add', file], { url: 'http://127.0.0.1:9', key: KEY });
    expect([await exit, texts.notes]).toEqual([2, expect.stringContaining('is not UTF-8')]);
  });
});
