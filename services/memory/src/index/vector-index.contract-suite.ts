import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { EmbeddingSpace } from '@kith/contracts';
import { analyseText } from '../words/analyse-text.js';
import type { IndexPoint, VectorIndex } from './vector-index.js';
import type { MemoryScope } from '../rows/memory-scope.js';

/** An adapter under test, and a second one on the same store, as another replica has it. */
interface IndexUnderTest {
  index: VectorIndex;
  replica: VectorIndex;
  /** A store that is out of reach. */
  unreachable: VectorIndex;
  close(): Promise<void>;
}

const unit = (...values: number[]): Float32Array => {
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
};

/** Tests the promises of every `VectorIndex`, whatever holds its points. */
export function describeVectorIndex(name: string, open: () => Promise<IndexUnderTest>): void {
  describe(`the vector index on ${name}`, () => {
    let under: IndexUnderTest;
    let index: VectorIndex;
    let space: EmbeddingSpace;
    let ann: MemoryScope;
    let bob: MemoryScope;

    beforeAll(async () => {
      under = await open();
      index = under.index;
    });
    afterAll(() => under.close());
    beforeEach(async () => {
      // A new space and new people for each test keep them apart without emptying the store.
      space = { id: `test-${randomUUID()}`, dimensions: 3, kind: 'lexical' };
      ann = { personId: randomUUID(), companionId: 'wren', audience: 'direct' };
      bob = { ...ann, personId: randomUUID() };
      await index.ensureSpace(space);
    });

    const point = (owner: MemoryScope, text: string, vector: Float32Array): IndexPoint => ({
      id: randomUUID(),
      ...owner,
      vector,
      terms: analyseText(text),
      conversation: null,
      saidAt: new Date(0),
    });
    /** Lines of one conversation, a minute apart. */
    const talk = (owner: MemoryScope, ...texts: string[]): IndexPoint[] => {
      const conversation = randomUUID();
      return texts.map((text, minute) => ({
        ...point(owner, text, unit(1, 0, 0)),
        conversation,
        saidAt: new Date(minute * 60_000),
      }));
    };
    const search = (owner: MemoryScope, text: string, vector: Float32Array | null, limit = 10) =>
      index.candidates(space.id, owner, { vector, terms: analyseText(text), limit });
    const ids = (found: { id: string }[]): string[] => found.map(({ id }) => id);

    it('ranks the dense arm by cosine', async () => {
      const near = point(ann, 'near', unit(1, 0.1, 0));
      const far = point(ann, 'far', unit(0, 1, 0));
      const middle = point(ann, 'middle', unit(1, 1, 0));
      await index.upsert(space, [far, near, middle]);
      const { dense } = await search(ann, '', unit(1, 0, 0));
      expect(ids(dense)).toEqual(ids([near, middle, far]));
      expect(dense[1]?.score).toBeCloseTo(Math.SQRT1_2, 4);
    });

    it('ranks the lexical arm by BM25: rare words first, repetition saturated, length discounted', async () => {
      const rare = point(ann, 'my violin stands in the corner', unit(1, 0, 0));
      const common = point(ann, 'my cat sleeps in the corner', unit(1, 0, 0));
      const long = point(
        ann,
        'the cat the dog the bird the horse the cow and the sheep went round the farm with a fox behind them all',
        unit(1, 0, 0),
      );
      const other = point(ann, 'it rains', unit(1, 0, 0));
      await index.upsert(space, [long, other, common, rare]);
      const { lexical } = await search(ann, 'cats and violins', null);
      expect(ids(lexical)).toEqual(ids([rare, common, long]));
      expect(lexical[1]!.score).toBeGreaterThan(lexical[2]!.score);
    });

    it('weighs a term as the formula says', async () => {
      const held = point(ann, 'violin', unit(1, 0, 0));
      await index.upsert(space, [
        held,
        point(ann, 'piano', unit(1, 0, 0)),
        point(ann, 'drum', unit(1, 0, 0)),
      ]);
      const [found] = (await search(ann, 'violin', null)).lexical;
      // One holder among three; one term against an average of sixteen.
      expect(found?.score).toBeCloseTo(Math.log(1 + 2.5 / 1.5) * (1.6 / (1 + 0.6 * (0.7 + 0.3 / 16))), 4);
    });

    it('finds an answer by the words of the question before it', async () => {
      const [question, answer] = talk(ann, 'what is your dog called?', 'biscuit!');
      const far = point(ann, 'a walk with a neighbour', unit(1, 0, 0));
      await index.upsert(space, [far, question!, answer!]);
      const { lexical } = await search(ann, 'dog called', null);
      expect(ids(lexical)).toEqual(ids([question!, answer!]));
      expect(lexical[1]!.score).toBeGreaterThan(lexical[0]!.score / 3);
    });

    it('lends less of a long line than of a short one', async () => {
      const long = `the parrot ${Array.from({ length: 30 }, (_, n) => `word${n}`).join(' ')}`;
      const lines = [...talk(ann, 'the parrot', 'it speaks'), ...talk(ann, long, 'it speaks')];
      await index.upsert(space, lines);
      const { lexical } = await search(ann, 'parrot', null);
      expect(ids(lexical).filter((id) => id === lines[1]!.id || id === lines[3]!.id)).toEqual([
        lines[1]!.id,
        lines[3]!.id,
      ]);
    });

    it('weighs a piece of a long message by all of it', async () => {
      const filler = Array.from({ length: 40 }, (_, n) => `word${n}`).join(' ');
      const [alone] = talk(ann, 'a violin teacher');
      const [piece, rest] = talk(ann, 'a violin teacher', filler);
      await index.upsert(space, [piece!, { ...rest!, saidAt: piece!.saidAt }, alone!]);
      const { lexical } = await search(ann, 'violin', null);
      expect(ids(lexical).slice(0, 2)).toEqual(ids([alone!, piece!]));
      expect(lexical[0]!.score).toBeGreaterThan(lexical[1]!.score);
    });

    it('links what is written later, in whatever order, and not across a long pause', async () => {
      const [first, second, third] = talk(ann, 'the parrot', 'it speaks', 'really?');
      const nextDay = { ...third!, id: randomUUID(), saidAt: new Date(86_400_000) };
      await index.upsert(space, [third!]);
      await index.upsert(space, [nextDay]);
      await index.upsert(space, [first!]);
      await index.upsert(space, [second!]);
      expect(ids((await search(ann, 'parrot', null)).lexical)).toEqual(ids([first!, second!, third!]));
    });

    it('lets nothing that is forgotten lend its words', async () => {
      const [question, answer] = talk(ann, 'what is your dog called?', 'biscuit!');
      await index.upsert(space, [question!, answer!]);
      await index.delete(ann.personId, { ids: [question!.id] });
      expect((await search(ann, 'dog called', null)).lexical).toEqual([]);
    });

    it('weighs a long talk alike in whatever order it is written and cut', async () => {
      const words = ['tea', 'violin', 'harbour', 'snow', 'ticket', 'garden'];
      const said = Array.from({ length: 60 }, (_, n) => `${words[n % 6]} ${words[(n * 5 + 2) % 6]} line${n}`);
      const lines = talk(ann, ...said);
      // Two pauses: three talks in one place.
      lines.forEach((line, n) =>
        line.saidAt.setTime(line.saidAt.getTime() + Math.floor(n / 20) * 8 * 3_600_000),
      );
      const [forgotten, kept] = [0, 1].map((part) => lines.filter((_, n) => (n % 7 === 3) === (part === 0)));
      const atOnce = { ...space, id: `${space.id}-at-once` };
      await index.ensureSpace(atOnce);
      await index.upsert(atOnce, kept!);
      const shuffled = lines.map((line, n) => ({ line, at: (n * 37) % 60 })).sort((a, b) => a.at - b.at);
      const written = shuffled.map(({ line }) => line);
      for (let from = 0; from < written.length; from += 7) {
        await index.upsert(space, written.slice(from, from + 7));
      }
      await index.delete(ann.personId, { ids: ids(forgotten!) });
      for (const word of words) {
        const query = { vector: null, terms: analyseText(word), limit: 60 };
        const [one, other] = [space, atOnce].map(({ id }) => index.candidates(id, ann, query));
        const scores = (found: { id: string; score: number }[]) =>
          Object.fromEntries(found.map(({ id, score }) => [id, Math.round(score * 1_000)]));
        expect(scores((await one!).lexical)).toEqual(scores((await other!).lexical));
      }
    });

    it('answers both arms at once, each within the limit', async () => {
      await index.upsert(
        space,
        [1, 2, 3].map((n) => point(ann, `tea ${n}`, unit(1, n, 0))),
      );
      const { dense, lexical } = await search(ann, 'tea', unit(1, 0, 0), 2);
      expect([dense.length, lexical.length]).toEqual([2, 2]);
    });

    it('leaves an arm empty that was asked nothing', async () => {
      await index.upsert(space, [point(ann, 'tea', unit(1, 0, 0))]);
      expect((await search(ann, 'tea', null)).dense).toEqual([]);
      expect((await search(ann, '', unit(1, 0, 0))).lexical).toEqual([]);
      expect(await search(ann, '', null)).toEqual({ dense: [], lexical: [] });
    });

    it('never finds another person’s points, in either arm, by vector, or by count', async () => {
      const hers = point(ann, 'a secret about tea', unit(1, 0, 0));
      await index.upsert(space, [hers, point(bob, 'tea is fine', unit(1, 0, 0))]);
      const found = await search(bob, 'secret tea', unit(1, 0, 0));
      expect(ids([...found.dense, ...found.lexical])).not.toContain(hers.id);
      expect((await index.vectors(space.id, bob.personId, [hers.id])).size).toBe(0);
      expect(await index.count(space.id, bob.personId)).toBe(1);
    });

    it('keeps companions apart', async () => {
      await index.upsert(space, [point({ ...ann, companionId: 'other' }, 'tea', unit(1, 0, 0))]);
      expect(await search(ann, 'tea', unit(1, 0, 0))).toEqual({ dense: [], lexical: [] });
    });

    it('lets a DM hear everything of the person’s, a channel only what was said there', async () => {
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
      const nobody = { ...ann, personId: '' };
      await expect(search(nobody, 'tea', unit(1, 0, 0))).rejects.toThrow('needs a person');
      await expect(index.vectors(space.id, '', [randomUUID()])).rejects.toThrow('needs a person');
      await expect(index.upsert(space, [point(nobody, 'tea', unit(1, 0, 0))])).rejects.toThrow(
        'needs a person',
      );
      await expect(index.delete('', { companionId: null })).rejects.toThrow('needs a person');
    });

    it('gives the vectors of points, and leaves out ids it does not know', async () => {
      const held = point(ann, 'tea', unit(3, 4, 0));
      await index.upsert(space, [held]);
      const vectors = await index.vectors(space.id, ann.personId, [held.id, randomUUID()]);
      expect([...vectors.keys()]).toEqual([held.id]);
      expect(vectors.get(held.id)?.[1]).toBeCloseTo(0.8, 5);
    });

    it('replaces a point that is written again', async () => {
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
      const [gone, stays] = ['tea', 'more tea'].map((text) => point(ann, text, unit(1, 0, 0)));
      const other = { ...space, id: `${space.id}-next` };
      await index.ensureSpace(other);
      await index.upsert(space, [gone!, stays!]);
      await index.upsert(other, [gone!]);
      expect(await index.delete(ann.personId, { ids: [gone!.id, randomUUID()] })).toBe(2);
      expect(ids((await search(ann, 'tea', unit(1, 0, 0))).dense)).toEqual([stays!.id]);
      expect(await index.count(other.id, ann.personId)).toBe(0);
    });

    it('does not remove another person’s point, even by its id', async () => {
      const his = point(bob, 'tea', unit(1, 0, 0));
      await index.upsert(space, [his]);
      expect(await index.delete(ann.personId, { ids: [his.id] })).toBe(0);
      expect(await index.count(space.id, bob.personId)).toBe(1);
    });

    it('removes all of a person’s points, of one companion or of every one', async () => {
      const mine = point(ann, 'tea', unit(1, 0, 0));
      const withOther = point({ ...ann, companionId: 'other' }, 'tea', unit(1, 0, 0));
      await index.upsert(space, [mine, withOther, point(bob, 'tea', unit(1, 0, 0))]);
      expect(await index.delete(ann.personId, { companionId: 'wren' })).toBe(1);
      expect(await index.delete(ann.personId, { companionId: null })).toBe(1);
      expect(await index.count(space.id)).toBe(1);
    });

    it('is never behind what another replica wrote or removed', async () => {
      const [first, second] = ['tea one', 'tea two'].map((text) => point(ann, text, unit(1, 0, 0)));
      await index.upsert(space, [first!]);
      expect(ids((await search(ann, 'tea', null)).lexical)).toEqual([first!.id]);
      await under.replica.ensureSpace(space);
      await under.replica.upsert(space, [second!]);
      expect(ids((await search(ann, 'tea', null)).lexical).sort()).toEqual(ids([first!, second!]).sort());
      await under.replica.delete(ann.personId, { ids: [first!.id] });
      expect(ids((await search(ann, 'tea', null)).lexical)).toEqual([second!.id]);
    });

    it('finds every point after many writers at once', async () => {
      const points = Array.from({ length: 12 }, (_, n) => point(ann, `tea number${n}`, unit(1, n, 0)));
      await Promise.all(
        points.flatMap((each, n) => [
          (n % 2 ? index : under.replica).upsert(space, [each]),
          search(ann, 'tea', unit(1, 0, 0), 50),
        ]),
      );
      expect(ids((await search(ann, 'tea', null, 50)).lexical).sort()).toEqual(ids(points).sort());
    });

    it('pages through every point for upkeep', async () => {
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
      const [tea, milk] = [point(ann, 'tea', unit(1, 0, 0)), point(bob, 'milk', unit(1, 0, 0))];
      const other = { ...space, id: `test-${randomUUID()}` };
      for (const into of [space, other]) await index.upsert(into, [tea, milk]);
      await search(ann, 'tea', null);
      await under.replica.dropSpace(space.id);
      expect([await index.count(space.id), await index.count(other.id)]).toEqual([0, 2]);
      expect((await search(ann, 'tea', unit(1, 0, 0))).lexical).toEqual([]);
      await under.replica.dropSpace(space.id);
      await under.replica.upsert(space, [milk]);
      expect(ids((await search(bob, 'milk', null)).lexical)).toEqual([milk.id]);
    });

    it('finds nothing in a space nothing was written to', async () => {
      const empty = `empty-${randomUUID()}`;
      const query = { vector: unit(1, 0, 0), terms: ['tea'], limit: 3 };
      expect(await index.candidates(empty, ann, query)).toEqual({ dense: [], lexical: [] });
      expect(await index.count(empty)).toBe(0);
      expect((await index.vectors(empty, ann.personId, [randomUUID()])).size).toBe(0);
      expect(await index.scan(empty, null, 10)).toEqual({ points: [], next: null });
    });

    it('says that its store is out of reach, in the suite’s own words', async () => {
      const query = { vector: unit(1, 0, 0), terms: [], limit: 3 };
      const unavailable = { code: 'unavailable' };
      await expect(under.unreachable.candidates(space.id, ann, query)).rejects.toMatchObject(unavailable);
      await expect(under.unreachable.check()).rejects.toThrow();
    });
  });
}
