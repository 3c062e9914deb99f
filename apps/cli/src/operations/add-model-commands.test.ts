import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runCli } from '../e2e/scripted-api.js';
import { Terminal, type TerminalStream } from '../terminal/terminal.js';

let directory: string;
beforeAll(async () => void (directory = await mkdtemp(join(tmpdir(), 'kith-models-'))));
afterAll(() => rm(directory, { recursive: true, force: true }));

const kith = async (...args: string[]) => {
  // No connection is made to port 9, whatever listens there: fetch refuses it.
  const settings = { EMBEDDING_MODELS_DIR: directory, KITH_MODELS_HUB: 'http://127.0.0.1:9' };
  const { exit, texts } = runCli(['models', ...args], { url: 'http://127.0.0.1:1', settings });
  return { exit: await exit, ...texts };
};

describe('kith models, for encoders on this machine', () => {
  it('lists those that can be fetched, and which are here', async () => {
    await mkdir(join(directory, 'bge-small-en-v1.5'));
    const { exit, out } = await kith('local');
    expect(exit).toBe(0);
    expect(out).toMatch(/all-MiniLM-L6-v2 .*English .*Apache-2\.0 .*24 {2}no/);
    expect(out).toMatch(/bge-small-en-v1\.5 .*yes/);
  });

  it('says what to copy where when no hub is reached, and what there is for a name it does not know', async () => {
    const pulled = await kith('pull', 'all-MiniLM-L6-v2');
    expect(pulled.exit).toBe(1);
    expect(pulled.notes).toContain('kith: the hub http://127.0.0.1:9 is not reached');
    expect(pulled.notes).toContain(`to ${join(directory, 'all-MiniLM-L6-v2')}`);
    expect(await kith('pull', 'word2vec')).toMatchObject({
      exit: 1,
      notes: expect.stringContaining('word2vec is not in the catalogue; it has all-MiniLM-L6-v2'),
    });
  });
});

it('progress is a bar on a terminal, and nothing in a pipe', () => {
  const drawn = (isTTY: boolean) => {
    const notes: TerminalStream = new PassThrough();
    notes.isTTY = isTTY;
    let text = '';
    notes.on('data', (chunk) => (text += String(chunk)));
    const terminal = new Terminal(new PassThrough(), new PassThrough(), notes, true);
    terminal.showProgress(0.5, 'half');
    terminal.showProgress(1, 'whole');
    terminal.stopWaiting();
    (notes as PassThrough).read();
    return text;
  };
  expect(drawn(true)).toBe(
    ['', `${'█'.repeat(15)}${'░'.repeat(15)} half`, `${'█'.repeat(30)} whole`, ''].join('\r\u001b[K'),
  );
  expect(drawn(false)).toBe('');
});
