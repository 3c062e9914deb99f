import { mkdir, mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { LogFile } from './log-file.js';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kith-log-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

describe('LogFile', () => {
  it('goes on writing once there is a place to write to again', async () => {
    const log = new LogFile(join(directory, 'logs', 'a.log'));
    log.write(Buffer.from('lost\n')); // there is no such folder: the write fails as on a full disk
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await mkdir(join(directory, 'logs'));
    log.write(Buffer.from('kept\n'));
    await new Promise((resolve) => setTimeout(resolve, 100));
    log.close();
    expect(await readFile(join(directory, 'logs', 'a.log'), 'utf8')).toBe('kept\n');
  });

  it('keeps a full file and the one before it, with every line whole and in its order', async () => {
    const path = join(directory, 'a.log');
    const lines = Array.from({ length: 20 }, (_, number) => `line ${String(number).padStart(2, '0')}\n`);
    const textOf = (file: string) => readFile(file, 'utf8').catch(() => '');
    // Without a pause: lines are under way while the file is full. Then by another process, after a restart.
    for (const some of [lines.slice(0, 13), lines.slice(13)]) {
      const log = new LogFile(path, 30);
      for (const line of some) log.write(Buffer.from(line));
      log.close();
      while (!(await textOf(path)).endsWith(some.at(-1)!)) await new Promise(setImmediate);
    }
    expect(await textOf(`${path}.1`)).toBe(lines.slice(12, 16).join(''));
    expect(await textOf(path)).toBe(lines.slice(16).join(''));
    expect(await readdir(directory)).toEqual(['a.log', 'a.log.1']);
  });
});
