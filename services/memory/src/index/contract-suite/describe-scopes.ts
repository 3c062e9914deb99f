import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { analyseText } from '../../words/analyse-text.js';
import type { MemoryScope } from '../../rows/memory-scope.js';
import { type IndexBench, ids, point, talk, unit } from './index-bench.js';

/** Tests that nobody finds, reads or removes what is not theirs. */
export function describeScopes(bench: () => IndexBench): void {
  it('never finds another person’s points, in either arm, by vector, or by count', async () => {
    const { space, ann, bob, search, index } = bench();
    const hers = point(ann, 'a secret about tea', unit(1, 0, 0));
    await index.upsert(space, [hers, point(bob, 'tea is fine', unit(1, 0, 0))]);
    const found = await search(bob, 'secret tea', unit(1, 0, 0));
    expect(ids([...found.dense, ...found.lexical])).not.toContain(hers.id);
    expect((await index.vectors(space.id, bob.personId, [hers.id])).size).toBe(0);
    expect(await index.count(space.id, bob.personId)).toBe(1);
  });

  it('keeps companions apart', async () => {
    const { space, ann, search, index } = bench();
    await index.upsert(space, [point({ ...ann, companionId: 'other' }, 'tea', unit(1, 0, 0))]);
    expect(await search(ann, 'tea', unit(1, 0, 0))).toEqual({ dense: [], lexical: [] });
  });

  it('lets a DM hear everything of the person’s, a channel only what was said there', async () => {
    const { space, ann, search, index } = bench();
    const here = { ...ann, audience: 'channel:discord:1' };
    const there = { ...ann, audience: 'channel:discord:2' };
    const [dm, one, two] = [ann, here, there].map((owner) => point(owner, 'tea', unit(1, 0, 0)));
    await index.upsert(space, [dm!, one!, two!]);
    for (const arm of ['dense', 'lexical'] as const) {
      const heardBy = async (owner: MemoryScope) =>
        ids((await search(owner, 'tea', unit(1, 0, 0)))[arm]).sort();
      expect(await heardBy(ann)).toEqual(ids([dm!, one!, two!]).sort());
      expect(await heardBy(here)).toEqual(ids([one!]));
      expect(await heardBy(there)).toEqual(ids([two!]));
    }
  });

  it('finds nothing of what was said where the app has left, nor lets it lend its words', async () => {
    const { space, ann, search, index } = bench();
    const gone = { ...ann, audience: 'channel:discord:1' };
    const dm = point(ann, 'the violin', unit(1, 0.5, 0));
    const lines = talk(gone, ...Array.from({ length: 5 }, () => 'violin'), 'it is mine');
    await index.upsert(space, [dm, ...lines]);
    for (const kind of ['lexical', 'semantic'] as const) {
      const query = { vector: unit(1, 0, 0), terms: analyseText('violin'), limit: 3, kind };
      const without = { ...query, left: [gone.audience, 'channel:discord:2'] };
      for (const arm of ['dense', 'lexical'] as const) {
        expect(ids((await index.candidates(space.id, ann, without))[arm])).toEqual([dm.id]);
        expect((await index.candidates(space.id, ann, query))[arm].length).toBeGreaterThanOrEqual(3);
      }
    }
    expect((await search(gone, 'violin', null)).lexical).toHaveLength(6);
  });

  it('refuses to search, read, write or remove without a person', async () => {
    const { space, ann, search, index } = bench();
    const nobody = { ...ann, personId: '' };
    await expect(search(nobody, 'tea', unit(1, 0, 0))).rejects.toThrow('needs a person');
    await expect(index.vectors(space.id, '', [randomUUID()])).rejects.toThrow('needs a person');
    await expect(index.upsert(space, [point(nobody, 'tea', unit(1, 0, 0))])).rejects.toThrow(
      'needs a person',
    );
    await expect(index.delete('', { companionId: null })).rejects.toThrow('needs a person');
  });
}
