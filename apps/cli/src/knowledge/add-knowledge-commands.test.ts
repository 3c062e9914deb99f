import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { MAX_DOCUMENT_CHARACTERS } from '@kith/contracts';
import { refusal, useScriptedApi } from '../e2e/scripted-api.js';

const { api, cli } = useScriptedApi();
let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'kith-knowledge-'))));
afterAll(() => rm(folder, { recursive: true }));

it.each(['a', 'я', '森'])('gives the longest document there is, in any language: %s', async (character) => {
  const given: unknown[] = [];
  api.answers['POST /v1/documents'] = (body) => {
    given.push(JSON.parse(body));
    return refusal(503, 'unavailable', 'that is all for now');
  };
  const file = join(folder, 'book.txt');
  const content = character.repeat(MAX_DOCUMENT_CHARACTERS);
  await writeFile(file, content);
  expect(await cli(['documents', 'add', file])).toMatchObject({
    code: 1,
    notes: expect.stringContaining('for now'),
  });
  expect(given).toMatchObject([{ content }]);
  await writeFile(file, `${character.repeat(MAX_DOCUMENT_CHARACTERS * 3)}b`);
  expect(await cli(['documents', 'add', file])).toMatchObject({
    code: 2,
    notes: expect.stringContaining('cut it'),
  });
});
