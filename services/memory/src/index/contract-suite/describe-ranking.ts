import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { analyseText } from '../../words/analyse-text.js';
import { type IndexBench, ids, point, talk, unit } from './index-bench.js';

/** Tests how the arms rank: by cosine, by BM25 and by the words of neighbours. */
export function describeRanking(bench: () => IndexBench): void {
  it('ranks the dense arm by cosine', async () => {
    const { space, ann, search, index } = bench();
    const near = point(ann, 'near', unit(1, 0.1, 0));
    const far = point(ann, 'far', unit(0, 1, 0));
    const middle = point(ann, 'middle', unit(1, 1, 0));
    await index.upsert(space, [far, near, middle]);
    const { dense } = await search(ann, '', unit(1, 0, 0));
    expect(ids(dense)).toEqual(ids([near, middle, far]));
    expect(dense[1]?.score).toBeCloseTo(Math.SQRT1_2, 4);
  });

  it('ranks the lexical arm by BM25: rare words first, repetition saturated, length discounted', async () => {
    const { space, ann, search, index } = bench();
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
    const { space, ann, search, index } = bench();
    const held = point(ann, 'violin', unit(1, 0, 0));
    await index.upsert(space, [held, point(ann, 'piano', unit(1, 0, 0)), point(ann, 'drum', unit(1, 0, 0))]);
    const [found] = (await search(ann, 'violin', null)).lexical;
    // One holder among three; one term against an average of sixteen.
    expect(found?.score).toBeCloseTo(Math.log(1 + 2.5 / 1.5) * (1.6 / (1 + 0.6 * (0.7 + 0.3 / 16))), 4);
  });

  it('finds an answer by the words of the question before it', async () => {
    const { space, ann, search, index } = bench();
    const [question, answer] = talk(ann, 'what is your dog called?', 'biscuit!');
    const far = point(ann, 'a walk with a neighbour', unit(1, 0, 0));
    await index.upsert(space, [far, question!, answer!]);
    const { lexical } = await search(ann, 'dog called', null);
    expect(ids(lexical)).toEqual(ids([question!, answer!]));
    expect(lexical[1]!.score).toBeGreaterThan(lexical[0]!.score / 3);
  });

  it('lends less of a long line than of a short one', async () => {
    const { space, ann, search, index } = bench();
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
    const { space, ann, search, index } = bench();
    const filler = Array.from({ length: 40 }, (_, n) => `word${n}`).join(' ');
    const [alone] = talk(ann, 'a violin teacher');
    const [piece, rest] = talk(ann, 'a violin teacher', filler);
    await index.upsert(space, [piece!, { ...rest!, saidAt: piece!.saidAt }, alone!]);
    const { lexical } = await search(ann, 'violin', null);
    expect(ids(lexical).slice(0, 2)).toEqual(ids([alone!, piece!]));
    expect(lexical[0]!.score).toBeGreaterThan(lexical[1]!.score);
  });

  it('links what is written later, in whatever order, and not across a long pause', async () => {
    const { space, ann, search, index } = bench();
    const [first, second, third] = talk(ann, 'the parrot', 'it speaks', 'really?');
    const nextDay = { ...third!, id: randomUUID(), saidAt: new Date(86_400_000) };
    await index.upsert(space, [third!]);
    await index.upsert(space, [nextDay]);
    await index.upsert(space, [first!]);
    await index.upsert(space, [second!]);
    expect(ids((await search(ann, 'parrot', null)).lexical)).toEqual(ids([first!, second!, third!]));
  });

  it('lets nothing that is forgotten lend its words', async () => {
    const { space, ann, search, index } = bench();
    const [question, answer] = talk(ann, 'what is your dog called?', 'biscuit!');
    await index.upsert(space, [question!, answer!]);
    await index.delete(ann.personId, { ids: [question!.id] });
    expect((await search(ann, 'dog called', null)).lexical).toEqual([]);
  });

  it('weighs a long talk alike in whatever order it is written and cut', async () => {
    const { space, ann, index } = bench();
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
      const query = { vector: null, terms: analyseText(word), limit: 60, kind: 'lexical' as const };
      const [one, other] = [space, atOnce].map(({ id }) => index.candidates(id, ann, query));
      const scores = (found: { id: string; score: number }[]) =>
        Object.fromEntries(found.map(({ id, score }) => [id, Math.round(score * 1_000)]));
      expect(scores((await one!).lexical)).toEqual(scores((await other!).lexical));
    }
  });

  it('finds by meaning what was said beside what is alike, above the mean of all', async () => {
    const { space, ann, index } = bench();
    const [asked, answer, later] = talk(ann, 'what is your dog called?', 'biscuit!', 'fine');
    const far = point(ann, 'a walk with a neighbour', unit(0, 1, 0));
    Object.assign(answer!, { vector: unit(0, 1, 0) });
    Object.assign(later!, { vector: unit(0, 1, 0), saidAt: new Date(86_400_000) });
    await index.upsert(space, [far, later!, answer!, asked!]);
    const query = { vector: unit(1, 0, 0), terms: [], limit: 4, kind: 'semantic' as const };
    const { dense } = await index.candidates(space.id, ann, query);
    expect(ids(dense).slice(0, 2)).toEqual(ids([asked!, answer!]));
    // The answer takes half of the line before it, the question .2 of the one behind it; ten lines count that are like nothing.
    const [question, beside] = [1 / 1.2, 0.5 / 1.5];
    const mean = 1 / 14;
    const scores = [question, beside, 0, 0].map((cosine) => cosine - mean);
    dense.forEach(({ score }, at) => expect(score).toBeCloseTo(scores[at]!, 2));
  });

  it('lets nothing that is not heard lend its meaning', async () => {
    const { space, ann, index } = bench();
    const here = { ...ann, audience: 'channel:discord:1' };
    const [secret, open] = talk(ann, 'my dog is called Biscuit', 'indeed');
    Object.assign(open!, { ...here, vector: unit(0, 1, 0) });
    await index.upsert(space, [secret!, open!]);
    const query = { vector: unit(1, 0, 0), terms: [], limit: 4, kind: 'semantic' as const };
    const { dense } = await index.candidates(space.id, here, query);
    expect(dense).toEqual([{ id: open!.id, score: 0 }]);
  });

  it('gives what was found by its words its place among the meanings', async () => {
    const { space, ann, index } = bench();
    const near = [1, 2].map((n) => point(ann, `line ${n}`, unit(1, n / 10, 0)));
    const worded = point(ann, 'the violin', unit(0.5, 1, 0));
    await index.upsert(space, [...near, worded, point(ann, 'nothing', unit(0, 1, 0))]);
    const query = { vector: unit(1, 0, 0), terms: ['violin'], limit: 2, kind: 'semantic' as const };
    const { dense } = await index.candidates(space.id, ann, query);
    expect(ids(dense)).toEqual(ids([...near, worded]));
  });

  it('answers both arms at once, each within the limit', async () => {
    const { space, ann, search, index } = bench();
    await index.upsert(
      space,
      [1, 2, 3].map((n) => point(ann, `tea ${n}`, unit(1, n, 0))),
    );
    const { dense, lexical } = await search(ann, 'tea', unit(1, 0, 0), 2);
    expect([dense.length, lexical.length]).toEqual([2, 2]);
  });

  it('leaves an arm empty that was asked nothing', async () => {
    const { space, ann, search, index } = bench();
    await index.upsert(space, [point(ann, 'tea', unit(1, 0, 0))]);
    expect((await search(ann, 'tea', null)).dense).toEqual([]);
    expect((await search(ann, '', unit(1, 0, 0))).lexical).toEqual([]);
    expect(await search(ann, '', null)).toEqual({ dense: [], lexical: [] });
  });
}
