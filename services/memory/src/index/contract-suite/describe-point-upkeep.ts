import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { analyseText } from '../../words/analyse-text.js';
import type { VectorIndex } from '../vector-index.js';
import { type IndexBench, ids, point, unit } from './index-bench.js';

/** Tests writing, removing and paging of points, with replicas at work. */
export function describePointUpkeep(bench: () => IndexBench): void {
  it('gives the vectors of points, and leaves out ids it does not know', async () => {
    const { space, ann, index } = bench();
    const held = point(ann, 'tea', unit(3, 4, 0));
    await index.upsert(space, [held]);
    const vectors = await index.vectors(space.id, ann.personId, [held.id, randomUUID()]);
    expect([...vectors.keys()]).toEqual([held.id]);
    expect(vectors.get(held.id)?.[1]).toBeCloseTo(0.8, 5);
  });

  it('replaces a point that is written again', async () => {
    const { space, ann, search, index } = bench();
    const first = point(ann, 'tea', unit(1, 0, 0));
    await index.upsert(space, [first]);
    await search(ann, 'tea', unit(1, 0, 0));
    await index.upsert(space, [{ ...first, terms: analyseText('coffee'), vector: unit(0, 1, 0) }]);
    expect(await index.count(space.id, ann.personId)).toBe(1);
    expect((await search(ann, 'tea', null)).lexical).toEqual([]);
    expect(ids((await search(ann, 'coffee', null)).lexical)).toEqual([first.id]);
    expect((await search(ann, '', unit(0, 1, 0))).dense[0]?.score).toBeCloseTo(1, 5);
  });

  it('removes points by id, also from other spaces, and says how many', async () => {
    const { space, ann, search, index } = bench();
    const [gone, stays] = ['tea', 'more tea'].map((text) => point(ann, text, unit(1, 0, 0)));
    const other = { ...space, id: `${space.id}-next` };
    await index.ensureSpace(other);
    await index.upsert(space, [gone!, stays!]);
    await index.upsert(other, [gone!]);
    expect(await index.delete(ann.personId, { ids: [gone!.id, randomUUID()] })).toBe(2);
    expect(ids((await search(ann, 'tea', unit(1, 0, 0))).dense)).toEqual([stays!.id]);
    expect(await index.count(other.id, ann.personId)).toBe(0);
  });

  it('tells which points it holds with just these words, in this space', async () => {
    const { space, ann, bob, index } = bench();
    const other = { ...space, id: `${space.id}-next` };
    await index.ensureSpace(other);
    const [tea, his, milk, next] = [
      point(ann, 'tea and more tea', unit(1, 0, 0)),
      point(bob, 'tea', unit(1, 0, 0)),
      point(ann, 'milk', unit(1, 0, 0)),
      point(ann, 'tea', unit(1, 0, 0)),
    ];
    await index.upsert(space, [tea, his, milk]);
    await index.upsert(other, [next]);
    const changed = { ...milk, terms: analyseText('cream') };
    const held = await index.held(space.id, [tea, his, changed, next, point(ann, 'tea', unit(1, 0, 0))]);
    expect([...held].sort()).toEqual(ids([tea, his]).sort());
    expect(await index.held(space.id, [])).toEqual(new Set());
  });

  it('does not remove another person’s point, even by its id', async () => {
    const { space, ann, bob, index } = bench();
    const his = point(bob, 'tea', unit(1, 0, 0));
    await index.upsert(space, [his]);
    expect(await index.delete(ann.personId, { ids: [his.id] })).toBe(0);
    expect(await index.count(space.id, bob.personId)).toBe(1);
  });

  it('removes all of a person’s points, of one companion or of every one', async () => {
    const { space, ann, bob, index } = bench();
    const mine = point(ann, 'tea', unit(1, 0, 0));
    const withOther = point({ ...ann, companionId: 'other' }, 'tea', unit(1, 0, 0));
    await index.upsert(space, [mine, withOther, point(bob, 'tea', unit(1, 0, 0))]);
    expect(await index.delete(ann.personId, { companionId: 'wren' })).toBe(1);
    expect(await index.delete(ann.personId, { companionId: null })).toBe(1);
    expect(await index.count(space.id)).toBe(1);
  });

  it('is never behind what another replica wrote or removed', async () => {
    const { space, ann, search, index, replica } = bench();
    const [first, second] = ['tea one', 'tea two'].map((text) => point(ann, text, unit(1, 0, 0)));
    await index.upsert(space, [first!]);
    expect(ids((await search(ann, 'tea', null)).lexical)).toEqual([first!.id]);
    await replica.ensureSpace(space);
    await replica.upsert(space, [second!]);
    expect(ids((await search(ann, 'tea', null)).lexical).sort()).toEqual(ids([first!, second!]).sort());
    await replica.delete(ann.personId, { ids: [first!.id] });
    expect(ids((await search(ann, 'tea', null)).lexical)).toEqual([second!.id]);
  });

  it('finds every point after many writers at once', async () => {
    const { space, ann, search, index, replica } = bench();
    const points = Array.from({ length: 12 }, (_, n) => point(ann, `tea number${n}`, unit(1, n, 0)));
    await Promise.all(
      points.flatMap((each, n) => [
        (n % 2 ? index : replica).upsert(space, [each]),
        search(ann, 'tea', unit(1, 0, 0), 50),
      ]),
    );
    expect(ids((await search(ann, 'tea', null, 50)).lexical).sort()).toEqual(ids(points).sort());
  });

  it('pages through every point for upkeep', async () => {
    const { space, ann, bob, index } = bench();
    const points = Array.from({ length: 5 }, (_, n) => point(n % 2 ? ann : bob, 'tea', unit(1, n, 0)));
    await index.upsert(space, points);
    const seen: { id: string; personId: string }[] = [];
    let after: string | null = null;
    do {
      const page: Awaited<ReturnType<VectorIndex['scan']>> = await index.scan(space.id, after, 2);
      seen.push(...page.points);
      after = page.next;
    } while (after !== null);
    expect(seen.map(({ id, personId }) => `${personId} ${id}`).sort()).toEqual(
      points.map(({ id, personId }) => `${personId} ${id}`).sort(),
    );
  });

  it('drops a space with everyone’s points, and no other', async () => {
    const { space, ann, bob, search, index, replica } = bench();
    const [tea, milk] = [point(ann, 'tea', unit(1, 0, 0)), point(bob, 'milk', unit(1, 0, 0))];
    const other = { ...space, id: `test-${randomUUID()}` };
    for (const into of [space, other]) await index.upsert(into, [tea, milk]);
    await search(ann, 'tea', null);
    await replica.dropSpace(space.id);
    expect([await index.count(space.id), await index.count(other.id)]).toEqual([0, 2]);
    expect((await search(ann, 'tea', unit(1, 0, 0))).lexical).toEqual([]);
    await replica.dropSpace(space.id);
    await replica.upsert(space, [milk]);
    expect(ids((await search(bob, 'milk', null)).lexical)).toEqual([milk.id]);
  });

  it('finds nothing in a space nothing was written to', async () => {
    const { ann, index } = bench();
    const empty = `empty-${randomUUID()}`;
    const query = { vector: unit(1, 0, 0), terms: ['tea'], limit: 3, kind: 'lexical' as const };
    expect(await index.candidates(empty, ann, query)).toEqual({ dense: [], lexical: [] });
    expect(await index.count(empty)).toBe(0);
    expect((await index.vectors(empty, ann.personId, [randomUUID()])).size).toBe(0);
    expect(await index.scan(empty, null, 10)).toEqual({ points: [], next: null });
  });

  it('says that its store is out of reach, in the suite’s own words', async () => {
    const { space, ann, unreachable } = bench();
    const query = { vector: unit(1, 0, 0), terms: [], limit: 3, kind: 'lexical' as const };
    const unavailable = { code: 'unavailable' };
    await expect(unreachable.candidates(space.id, ann, query)).rejects.toMatchObject(unavailable);
    await expect(unreachable.check()).rejects.toThrow();
  });
}
