import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AppError, memoryContract } from '@kith/contracts';
import { FORMER_LEXICAL_SPACE, LEXICAL_SPACE } from '@kith/lexical-embedding';
import { startMemory, type MemorySuite } from '../e2e/memory-suite.js';
import { Embeddings } from './embeddings.js';

const MIGRATION = '../../../../prisma/migrations/20261122160500_offline_space/migration.sql';
const WORDS_MIGRATION = '../../../../prisma/migrations/20261122191700_words_of_languages/migration.sql';

let suite: MemorySuite;
beforeAll(async () => {
  suite = await startMemory(undefined, {}, FORMER_LEXICAL_SPACE);
  await suite.parts.embeddings.currentSpace();
});
afterAll(() => suite.stop());

/** Makes what a process has that did not look at the settings yet. */
const justStarted = () => new Embeddings(suite.parts.messenger, suite.parts.states, suite.parts.database);
const remember = (turns: { turnId: string }[]) =>
  suite.parts.remembering.remember(turns.map(({ turnId }) => turnId));
const spaces = async () => {
  const { space, next } = await suite.messenger.ask(memoryContract.index, {});
  return [space, next?.space ?? next];
};
const recall = async (personId: string, query: string) => {
  const now = new Date().toISOString();
  const request = { personId, companionId: 'wren', audience: 'direct', query, now };
  const { memories, degraded } = await suite.messenger.ask(memoryContract.recall, request);
  return { first: memories[0]?.text, rank: memories[0]?.why.denseRank, degraded };
};

it('an upgrade asks the former offline space until all is embedded anew, without a gap', async () => {
  const first = suite.turn('My sister Ida plays the violin');
  const { personId } = first;
  await remember([first]);
  const violin = { first: 'My sister Ida plays the violin', rank: 1, degraded: [] };
  expect(await recall(personId, 'violin')).toEqual(violin);

  await suite.stores.query(await readFile(new URL(MIGRATION, import.meta.url), 'utf8'));
  suite.neighbours.space = LEXICAL_SPACE;
  await suite.parts.embeddings.currentSpace();
  expect((await spaces())[0]).toBe(FORMER_LEXICAL_SPACE.id);
  expect((await justStarted().documents(['violin'])).space).toEqual(FORMER_LEXICAL_SPACE);
  expect((await justStarted().query('violin', 1_000)).space).toEqual(FORMER_LEXICAL_SPACE);
  expect(await recall(personId, 'violin')).toEqual(violin);
  const second = suite.turn('The harbour is frozen', { personId });
  await remember([second]);
  expect((await recall(personId, 'frozen harbour')).first).toBe('The harbour is frozen');

  await suite.parts.reindexer.reindex();
  expect(await spaces()).toEqual([LEXICAL_SPACE.id, null]);
  await suite.parts.upkeep.compare(new Date());
  expect(await spaces()).toEqual([LEXICAL_SPACE.id, null]);
  expect(await recall(personId, 'violin')).toEqual(violin);
  expect(await recall(personId, 'which instrument does she play?')).toEqual(violin);
  const left = `SELECT 1 FROM memories WHERE indexed_in IS DISTINCT FROM '${LEXICAL_SPACE.id}'`;
  expect(await suite.stores.query(left)).toEqual([]);

  // Another run of it, on an install that has gone on, changes nothing.
  await suite.stores.query(await readFile(new URL(MIGRATION, import.meta.url), 'utf8'));
  await suite.parts.embeddings.currentSpace();
  expect(await spaces()).toEqual([LEXICAL_SPACE.id, null]);
});

it('an upgrade has what is not plainly English analysed anew, and finds it meanwhile', async () => {
  const english = suite.turn('We went to the harbour with Ida');
  const { personId } = english;
  await remember([english, suite.turn('Mein Hund wohnt in einem roten Haus', { personId })]);
  const pending = () =>
    suite.stores.query(`SELECT text FROM memories WHERE person_id = '${personId}' AND indexed_in IS NULL`);
  expect(await pending()).toEqual([]);

  await suite.stores.query(await readFile(new URL(WORDS_MIGRATION, import.meta.url), 'utf8'));
  expect(await pending()).toEqual([{ text: 'Mein Hund wohnt in einem roten Haus' }]);
  expect((await recall(personId, 'welche Hunde?')).first).toBe('Mein Hund wohnt in einem roten Haus');
  await suite.parts.reindexer.reindex();
  expect(await pending()).toEqual([]);
});

it('a process that has just started asks the space that was switched to', async () => {
  const { neighbours } = suite;
  neighbours.space = { ...neighbours.space, id: 'test-1' };
  neighbours.nextSpace = { ...neighbours.space, id: 'test-2' };
  await suite.parts.embeddings.switchTo(neighbours.nextSpace);
  expect((await justStarted().documents(['violin'])).space.id).toBe('test-2');
  const asked = justStarted();
  expect((await asked.query('violin', 1_000)).space.id).toBe('test-2');
  expect(asked.knownSpace?.id).toBe('test-2');
});

it('a space that can not be filled does not take the one in use for away', async () => {
  const { neighbours } = suite;
  const next = { ...neighbours.space, id: 'test-3' };
  const away = () => Promise.reject(new AppError('unavailable', 'the key was refused'));
  const embeddings = justStarted();
  const { id } = await embeddings.currentSpace();
  neighbours.duringEmbedding = away;
  await expect(embeddings.documentsIn(next, ['violin'])).rejects.toThrow('the key was refused');
  expect(suite.parts.states.list()).toEqual([]);
  neighbours.duringEmbedding = away;
  await expect(embeddings.documents(['violin'])).rejects.toThrow('the key was refused');
  expect([id, suite.parts.states.list()]).toEqual([
    'test-2',
    [expect.objectContaining({ part: 'embedding' })],
  ]);
});
