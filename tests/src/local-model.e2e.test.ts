import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually, writeTinyEncoder } from '@kith/testing';
import { startSuite, type Suite } from './suite.js';

let suite: Suite;
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kith-models-'));
  await writeTinyEncoder(directory, 'tiny');
  const settings = { EMBEDDING_PROVIDER: 'local:tiny', EMBEDDING_MODELS_DIR: directory };
  suite = await startSuite(settings, { placement: 'together' });
}, 180_000);
afterAll(async () => {
  await suite.stop();
  await rm(directory, { recursive: true, force: true });
});

it('an encoder on this machine finds what was said in other words', async () => {
  const { key } = await suite.newPerson('Ada');
  await suite.say('There is a puppy', { key });
  await suite.say('The rain is cold', { key });
  await eventually('both are in the index', async () => {
    const [row] = await suite.query<{ count: string }>(
      'SELECT count(*) FROM memories WHERE indexed_in IS NOT NULL',
    );
    return row?.count === '2';
  });
  const found = await suite.api('/v1/memories/search?q=which%20pet', { key });
  const { memories, degraded } = found.body as {
    memories: { text: string; why: { similarity: number } }[];
    degraded: string[];
  };
  expect(degraded).toEqual([]);
  expect(memories[0]).toMatchObject({
    text: expect.stringContaining('puppy'),
    why: { denseRank: 1, lexicalRank: null },
  });
  expect(memories[0]!.why.similarity).toBeGreaterThan(0.5);
  const spaces = await suite.query<{ indexed_in: string }>('SELECT DISTINCT indexed_in FROM memories');
  expect(spaces).toEqual([{ indexed_in: 'local-tiny-4' }]);
});
