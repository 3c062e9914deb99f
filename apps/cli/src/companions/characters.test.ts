import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { useScriptedApi } from '../e2e/scripted-api.js';

const { cli } = useScriptedApi();
let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'kith-characters-'))));
afterAll(() => rm(folder, { recursive: true }));

it.each([
  ['companion', 'PK\u0003\u0004', 'orla: the file is a zip (CHARX): unpack it and give its card.json'],
  ['lore', 'PK\u0003\u0004', 'orla: the file is a zip (CHARX): unpack it and give its card.json'],
  ['companion', 'RIFF', 'orla: the file is neither a PNG nor JSON in UTF-8'],
  ['companion', '\u0089PNG\r\n\u001a\n', 'orla: the file is a PNG with a chunk that is longer than the file'],
])('%s import says what a large file is that it can’t take: %j', async (command, begin, message) => {
  const file = join(folder, 'orla');
  await writeFile(file, Buffer.concat([Buffer.from(begin, 'latin1'), Buffer.alloc(6_000_000, 0xff)]));
  expect(await cli([command, 'import', file])).toMatchObject({ code: 2, notes: `kith: ${message}\n` });
});
