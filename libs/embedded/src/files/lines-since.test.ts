import { appendFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { linesSince } from './lines-since.js';

it('reads what was added, whole lines alone, whatever characters came before', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'kith-lines-'));
  try {
    const path = join(directory, 'a.log');
    await appendFile(path, 'in /home/Zoë/träume/🌙\n'.repeat(20));
    const { size } = await stat(path);
    await appendFile(path, 'the suite is ready\nand ha');
    expect(await linesSince(path, size)).toEqual(['the suite is ready']);
    expect(await linesSince(path, 0)).toHaveLength(21);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
