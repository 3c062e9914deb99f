import { describe, expect, it } from '@jest/globals';
import { walkTogether } from './walk-together.js';

async function* of(ids: string): AsyncGenerator<{ id: string }> {
  for (const id of ids) yield { id };
}

async function walk(rows: string, points: string): Promise<string[]> {
  const steps: string[] = [];
  for await (const { row, point } of walkTogether(of(rows), of(points))) {
    steps.push(`${row?.id ?? '-'}${point?.id ?? '-'}`);
  }
  return steps;
}

describe('walking two sequences together', () => {
  it('pairs what both have, and shows what only one has', async () => {
    expect(await walk('abd', 'bcde')).toEqual(['a-', 'bb', '-c', 'dd', '-e']);
  });

  it('bears one or both being empty', async () => {
    expect(await walk('ab', '')).toEqual(['a-', 'b-']);
    expect(await walk('', 'ab')).toEqual(['-a', '-b']);
    expect(await walk('', '')).toEqual([]);
  });
});
