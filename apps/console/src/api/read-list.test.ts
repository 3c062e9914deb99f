import { describe, expect, it } from '@jest/globals';
import { readAgain, readOn, type ReadPage } from './read-list.js';

function listOf(length: number): { readPage: ReadPage<number>; limits: number[] } {
  const limits: number[] = [];
  const readPage: ReadPage<number> = (limit, cursor = '0') => {
    limits.push(limit);
    const from = Number(cursor);
    const to = Math.min(from + limit, length);
    const items = Array.from({ length: to - from }, (_, at) => from + at);
    return Promise.resolve({ items, total: length, cursor: to < length ? String(to) : null });
  };
  return { readPage, limits };
}

describe('a list that is read again', () => {
  it('is its first page at first', async () => {
    const { items, total, cursor } = await readAgain(listOf(260).readPage, () => 0);
    expect([items.length, total, cursor]).toEqual([50, 260, '50']);
  });

  it('is as long as it was shown, and goes on from there', async () => {
    const { readPage, limits } = listOf(260);
    const list = await readAgain(readPage, () => 250);
    expect([list.items.length, list.items.at(-1), limits]).toEqual([250, 249, [200, 50]]);
    const whole = await readOn(readPage, list);
    expect(whole).toMatchObject({ total: 260, cursor: null });
    expect(whole.items).toHaveLength(260);
    expect(await readOn(readPage, whole)).toBe(whole);
  });

  it('is as long as it is shown by then, where more of it came while it was read', async () => {
    let shown = 50;
    const list = readAgain(listOf(260).readPage, () => shown);
    shown = 100;
    expect((await list).items).toHaveLength(100);
  });

  it('ends where there is less by then', async () => {
    expect((await readAgain(listOf(30).readPage, () => 100)).items).toHaveLength(30);
  });
});
