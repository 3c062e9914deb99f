import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { MemoryScope } from '../../rows/memory-scope.js';
import { type IndexBench, ids, point, unit } from './index-bench.js';

/** Tests that nobody finds, reads or removes what is not theirs. */
export function describeScopes(bench: () => IndexBench): void {
  it('never finds another person’s points, in either arm, by vector, or by count', async () => {
    const { space, ann, bob, search } = bench();
    const { index } = bench().under;
    const hers = point(ann, 'a secret about tea', unit(1, 0, 0));
    await index.upsert(space, [hers, point(bob, 'tea is fine', unit(1, 0, 0))]);
    const found = await search(bob, 'secret tea', unit(1, 0, 0));
    expect(ids([...found.dense, ...found.lexical])).not.toContain(hers.id);
    expect((await index.vectors(space.id, bob.personId, [hers.id])).size).toBe(0);
    expect(await index.count(space.id, bob.personId)).toBe(1);
  });

  it('keeps companions apart', async () => {
    const { space, ann, search } = bench();
    const { index } = bench().under;
    await index.upsert(space, [point({ ...ann, companionId: 'other' }, 'tea', unit(1, 0, 0))]);
    expect(await search(ann, 'tea', unit(1, 0, 0))).toEqual({ dense: [], lexical: [] });
  });

  it('lets a DM hear everything of the person’s, a channel only what was said there', async () => {
    const { space, ann, search } = bench();
    const { index } = bench().under;
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

  it('refuses to search, read, write or remove without a person', async () => {
    const { space, ann, search } = bench();
    const { index } = bench().under;
    const nobody = { ...ann, personId: '' };
    await expect(search(nobody, 'tea', unit(1, 0, 0))).rejects.toThrow('needs a person');
    await expect(index.vectors(space.id, '', [randomUUID()])).rejects.toThrow('needs a person');
    await expect(index.upsert(space, [point(nobody, 'tea', unit(1, 0, 0))])).rejects.toThrow(
      'needs a person',
    );
    await expect(index.delete('', { companionId: null })).rejects.toThrow('needs a person');
  });
}
