import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
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
});
