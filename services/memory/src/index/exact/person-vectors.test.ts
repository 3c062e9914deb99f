import { describe, expect, it } from '@jest/globals';
import { bestMsOf } from '@kith/testing';
import { PersonVectors, type StoredPoint } from './person-vectors.js';

const DIMENSIONS = 7;
/** CPU time for 40,000 lines, several times what they take. */
const MAX_MS = 2_000;

/** A sequence that looks random and is always the same. */
function* numbers(seed: number): Generator<number> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    yield state / 2 ** 32 - 0.5;
  }
}
const source = numbers(7);
const vector = (): Float32Array =>
  Float32Array.from({ length: DIMENSIONS }, () => source.next().value as number);

const points: StoredPoint[] = Array.from({ length: 500 }, (_, i) => ({
  id: `p${String(i).padStart(3, '0')}`,
  companionId: i % 2 ? 'wren' : 'other',
  audience: 'direct',
  vector: vector(),
  terms: { [`t${i % 10}`]: 1 },
  conversation: null,
  saidAt: 0,
}));
const scope = { companionId: 'wren', audience: 'direct' };

describe('a person’s vectors', () => {
  const held = new PersonVectors(DIMENSIONS);
  for (let from = 0; from < points.length; from += 90) held.add(points.slice(from, from + 90));

  it('compares only what shares the words, where spelling is all that is known and they are enough', () => {
    const only = { vector: vector(), limit: 3, kind: 'lexical' as const };
    const { dense, lexical } = held.search(scope, { ...only, terms: ['t3'] });
    expect(new Set(dense.map(({ id }) => id))).toEqual(new Set(lexical.map(({ id }) => id)));
    const misspelt = held.search(scope, { ...only, terms: ['tt3'] });
    expect(misspelt.dense).toEqual(held.search(scope, { ...only, terms: [] }).dense);
  });

  it('finds what comparing every one in full would, but for what is as good as equal', () => {
    const query = vector();
    const cosine = (point: StoredPoint): number =>
      point.vector.reduce((sum, value, i) => sum + value * query[i]!, 0);
    const expected = points
      .filter(({ companionId }) => companionId === 'wren')
      .sort((a, b) => cosine(b) - cosine(a))
      .slice(0, 20);
    const { dense } = held.search(scope, { vector: query, terms: [], limit: 20, kind: 'lexical' });
    expect(dense).toHaveLength(20);
    dense.forEach(({ id, score }, place) => {
      const exact = cosine(points.find((point) => point.id === id)!);
      expect(Math.abs(score - exact)).toBeLessThan(0.01);
      expect(Math.abs(exact - cosine(expected[place]!))).toBeLessThan(0.02);
    });
  });

  it.each([
    ['as they were said', (n: number) => n],
    ['the latest first', (n: number) => -n],
    ['in any order', (n: number) => (n * 7_919) % 40_000],
  ])('takes 40,000 lines of one talk, %s, in less than two seconds of CPU', (_, minute) => {
    const line = { ...points[0]!, terms: {}, conversation: 'kitchen' };
    const lines = Array.from({ length: 40_000 }, (_row, n) => ({
      ...line,
      id: `l${n}`,
      saidAt: minute(n) * 60_000,
    }));
    const addAll = () => {
      const many = new PersonVectors(DIMENSIONS);
      for (let from = 0; from < lines.length; from += 500) many.add(lines.slice(from, from + 500));
    };
    // A walk over all lines for each takes more than five.
    expect(bestMsOf(addAll, MAX_MS)).toBeLessThan(MAX_MS);
  });

  it('has a point once that is added again', () => {
    const anew = new PersonVectors(DIMENSIONS);
    for (const some of [points.slice(0, 20), points.slice(10, 30)]) anew.add(some);
    expect(anew.size).toBe(30);
    const { lexical } = anew.search(scope, { vector: null, terms: ['t3'], limit: 5, kind: 'lexical' });
    expect(lexical.map(({ id }) => id)).toEqual(['p003', 'p013', 'p023']);
  });

  it('orders equals by id', () => {
    const { lexical } = held.search(scope, { vector: null, terms: ['t3'], limit: 5, kind: 'lexical' });
    expect(lexical.map(({ id }) => id)).toEqual(['p003', 'p013', 'p023', 'p033', 'p043']);
  });

  it('gives back a copy of a vector as it was added', () => {
    const vector = held.vectorOf('p123')!;
    vector.forEach((component, i) => expect(component).toBeCloseTo(points[123]!.vector[i]!, 2));
    expect(held.vectorOf('nobody')).toBeUndefined();
  });

  it('refuses vectors of other dimensions', () => {
    expect(() => held.add([{ ...points[0]!, id: 'new', vector: Float32Array.of(1) }])).toThrow(
      '1 dimensions',
    );
    expect(() =>
      held.search(scope, { vector: Float32Array.of(1), terms: [], limit: 1, kind: 'lexical' }),
    ).toThrow('1 dimensions');
  });
});
