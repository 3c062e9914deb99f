import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { memoryContract } from '@kith/contracts';
import { onEachIndex, type MemoryOnIndex } from '../e2e/on-each-index.js';

import { FactExtractor } from './fact-extractor.js';

const tests = (memory: MemoryOnIndex) => {
  const { sayOn, rowsOf } = memory;

  const extract = (personId: string) =>
    memory.get(FactExtractor).extract([{ personId, companionId: 'wren' }]);
  const factsOf = async (personId: string) =>
    (await rowsOf(personId))
      .filter(({ kind }) => kind === 'fact')
      .toSorted((a, b) => Number(a['valid_from']) - Number(b['valid_from']))
      .map(({ text }) => text as string);
  /** Says these one after the other, each read before the next one arrives. */
  const readEach = async (personId: string, said: readonly (readonly [day: string, text: string])[]) => {
    for (const [on, text] of said) {
      await sayOn(on, text, { personId });
      await extract(personId);
    }
  };
  const forget = async (personId: string, text: string) => {
    const row = (await rowsOf(personId)).find((one) => one['text'] === text)!;
    const what = { kind: 'ids' as const, ids: [row['id'] as string] };
    await memory.messenger.ask(memoryContract.forget, { orderId: randomUUID(), personId, what });
    await extract(personId);
  };

  it('keeps what was said since, whatever is said late, and however that began', async () => {
    const personId = randomUUID();
    await readEach(personId, [
      ['2026-04-01', 'I live in Paris.'],
      ['2026-01-05', 'I live in Paris, as always.'],
      ['2026-02-01', 'I moved to Tokyo.'],
    ]);
    expect(await factsOf(personId)).toEqual([
      'Ann lives in Paris (from 5 January 2026 until 1 February 2026, no longer)',
      'Ann lives in Tokyo (from 1 February 2026 until 1 April 2026, no longer)',
      'Ann lives in Paris (since 1 April 2026)',
    ]);
  });

  it('knows what is left once what was said late, or since, is forgotten', async () => {
    const said = [
      ['2026-01-05', 'I live in Paris.'],
      ['2026-04-01', 'I live in Paris, as always.'],
      ['2026-02-01', 'I moved to Tokyo.'],
    ] as const;
    const [late, since] = [randomUUID(), randomUUID()];
    await readEach(late, said);
    await forget(late, 'I moved to Tokyo.');
    expect((await factsOf(late)).at(-1)).toBe('Ann lives in Paris (since 1 April 2026)');
    await readEach(since, said);
    await forget(since, 'I live in Paris, as always.');
    expect(await factsOf(since)).toEqual([
      'Ann lives in Paris (from 5 January 2026 until 1 February 2026, no longer)',
      'Ann lives in Tokyo (since 1 February 2026)',
    ]);
  });
};

onEachIndex('facts that are told late', tests, ['exact']);
