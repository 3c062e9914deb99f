import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openModelFolder } from '@kith/local-models';
import { TINY_DIMENSIONS, writeTinyEncoder } from '@kith/testing';
import { localProvider } from './local-provider.js';

let directory: string;
beforeAll(async () => void (directory = await mkdtemp(join(tmpdir(), 'kith-models-'))));
afterAll(() => rm(directory, { recursive: true, force: true }));

const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, at) => sum + value * b[at]!, 0);
const opened = async (name: string, description: object = {}) => {
  await writeTinyEncoder(directory, name, description);
  return localProvider(await openModelFolder(directory, name), { threads: 1 });
};

describe('an encoder in a folder', () => {
  it('embeds by meaning, in a space of its own', async () => {
    const provider = await opened('tiny');
    expect(provider.space).toEqual({ id: 'local-tiny-4', dimensions: TINY_DIMENSIONS, kind: 'semantic' });
    const [pet, puppy, rain] = await provider.embed(['my pet', 'a puppy', 'the rain'], 'document');
    expect(dot(pet!, pet!)).toBeCloseTo(1, 5);
    expect(dot(pet!, puppy!)).toBeGreaterThan(0.9);
    expect(dot(pet!, rain!)).toBeLessThan(0.5);
  });

  it('gives a text the same vector beside longer ones: what fills it up does not count', async () => {
    const provider = await opened('filled');
    const [alone] = await provider.embed(['puppy'], 'document');
    const [beside] = await provider.embed(['puppy', 'the rain and the weather'], 'document');
    expect([...beside!].map((value) => value.toFixed(5))).toEqual(
      [...alone!].map((value) => value.toFixed(5)),
    );
  });

  it('takes the first token where the model is made so, and says what a text is for', async () => {
    const cls = await opened('cls', { pooling: 'cls' });
    const [first] = await cls.embed(['rain pet pet pet'], 'document');
    expect(first![1]).toBeCloseTo(1, 5);
    const prefixed = await opened('prefixed', { prefixes: { query: 'query ', document: '' } });
    const [query, document] = [
      await prefixed.embed(['pet'], 'query'),
      await prefixed.embed(['pet'], 'document'),
    ];
    expect([query[0]![2]! > 0, document[0]![2]]).toEqual([true, 0]);
  });

  it('cuts a text to what the model reads, however long and strange it is', async () => {
    const provider = await opened('cut');
    const [cut] = await provider.embed(
      [`rain rain rain rain rain rain rain ${'pet '.repeat(5_000)}`],
      'document',
    );
    expect(cut![0]).toBeCloseTo(0, 5);
    for (const text of ['', ' ', '\u0000', '\ud83d', 'a'.repeat(100_000), '🎉'])
      expect(await provider.embed([text], 'document')).toHaveLength(1);
  });

  it('says which folder is damaged, and reads it anew once it is mended', async () => {
    const provider = await opened('damaged');
    await writeFile(join(directory, 'damaged/model.onnx'), 'no model');
    await expect(provider.embed(['pet'], 'query')).rejects.toThrow(
      /the local model damaged can't be used: .*damaged\/model\.onnx/,
    );
    await writeTinyEncoder(directory, 'damaged');
    expect(await provider.embed(['pet'], 'query')).toHaveLength(1);
  });

  it('does not take vectors of another length than is described', async () => {
    const provider = await opened('other', { dimensions: 8 });
    await expect(provider.embed(['pet'], 'query')).rejects.toThrow('4 numbers where 8 are expected');
  });
});
