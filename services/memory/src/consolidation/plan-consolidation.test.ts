import { describe, expect, it } from '@jest/globals';
import { noteOfSent } from '@kith/contracts';
import { planConsolidation } from './plan-consolidation.js';
import { chooseAsked, groupSame, type Episode } from './group-same.js';

let next = 0;
function episode(text: string, over: Partial<Episode> = {}): Episode {
  next += 1;
  return {
    id: `id-${String(next).padStart(3, '0')}`,
    text,
    audience: 'direct',
    importance: 3,
    saidAt: new Date(Date.UTC(2026, 4, 1, 10, next)),
    sources: [`m${next}`],
    ...over,
  };
}

describe('merging a day’s repetitions', () => {
  it('keeps one of those that say the same, with the last time it was said', async () => {
    const first = episode('I will start my new job at the bakery');
    const again = episode('i will start my new job at the bakery!!', { importance: 5 });
    const { merges } = await planConsolidation([again, first]);
    expect(merges).toEqual([
      { keepId: again.id, removeIds: [first.id], saidAt: again.saidAt, importance: 5 },
    ]);
  });

  it.each([
    ['one negates', 'I do like the new flat near the river', 'I do not like the new flat near the river'],
    ...[
      ['Ich kann morgen nicht zum Training kommen', 'Ich kann morgen zum Training kommen'],
      ['Je ne peux pas venir au cours de danse demain', 'Je peux venir au cours de danse demain'],
      ['Mañana no puedo ir al entrenamiento con Ana', 'Mañana puedo ir al entrenamiento con Ana'],
      ['Amanhã não posso ir ao treino com a Ana', 'Amanhã posso ir ao treino com a Ana'],
      ['Ik kan morgen niet naar de training komen', 'Ik kan morgen naar de training komen'],
      ['我明天不能去参加训练', '我明天能去参加训练'],
    ].map(([a, b]): [string, string, string] => ['one negates in another language', a ?? '', b ?? '']),
    ['numbers differ', 'my rent will be 900 a month from now on', 'my rent will be 950 a month from now on'],
    ['they say the contrary in the same words', 'I prefer tea to coffee', 'I prefer coffee to tea'],
    ['they go the other way', 'We moved from Paris to Tokyo', 'We moved from Tokyo to Paris'],
    ['they are too short', 'ok thanks', 'ok thanks then'],
    [
      'they are about different things',
      'my sister plays the violin every day',
      'my brother plays the drums at night',
    ],
  ])('leaves two apart when %s', async (_, a, b) => {
    expect((await planConsolidation([episode(a), episode(b)])).merges).toEqual([]);
  });

  it('leaves two apart that were said on different days, as an import of one night may hold', async () => {
    const text = 'I will start my new job at the bakery';
    const before = episode(text, { saidAt: new Date(Date.UTC(2025, 4, 1)) });
    expect((await planConsolidation([before, episode(text)])).merges).toEqual([]);
  });

  it('leaves lines as they are past a bound of steps', async () => {
    const said = Array.from({ length: 4 }, () => episode('I will start my new job at the bakery'));
    expect(await groupSame(said)).toHaveLength(1);
    expect((await groupSame(said, 10)).length).toBeGreaterThan(1);
  });

  it('asks about each once, however many runs that takes', () => {
    const rest = { saidAt: new Date(0), importance: 3 };
    const merges = [
      { keepId: 'k1', removeIds: ['d', 'a', 'e'], ...rest },
      { keepId: 'k2', removeIds: ['b', 'c'], ...rest },
    ];
    const idsOf = (asked: typeof merges) => asked.map(({ removeIds }) => removeIds);
    const first = chooseAsked(merges, undefined, 2);
    expect([idsOf(first.merges), first.last]).toEqual([[['a'], ['b']], 'b']);
    const second = chooseAsked(merges, 'b', 2);
    expect([idsOf(second.merges), second.last]).toEqual([[['d'], ['c']], 'd']);
    expect(chooseAsked(merges, 'd', 2)).toEqual({ merges: [{ ...merges[0], removeIds: ['e'] }], last: null });
  });

  it('never joins what was said before different people', async () => {
    const text = 'I have decided to leave the company';
    const plan = await planConsolidation([episode(text), episode(text, { audience: 'channel:discord:1' })]);
    expect(plan.merges).toEqual([]);
  });
});

describe('a day’s reflection', () => {
  const said = ['My dog Rex ran away', 'I found him at the lake', 'We ate noodles', 'It rained'].map(
    (text, i) => episode(text, { importance: 5 - i }),
  );

  it('is made of at least three statements', async () => {
    expect((await planConsolidation(said.slice(0, 2))).reflections).toEqual([]);
    expect((await planConsolidation(said.slice(0, 3))).reflections).toHaveLength(1);
  });

  it('counts no statement of which nothing was typed', async () => {
    const said = ['My dog Rex ran away', 'I found him by the river'].map((text) => episode(text));
    const forwarded = episode(noteOfSent('a forwarded message', 'I moved to Berlin.'));
    expect((await planConsolidation([...said, forwarded])).reflections).toEqual([]);
  });

  it('names every source it is made of', async () => {
    const [reflection] = (await planConsolidation(said)).reflections;
    expect(reflection?.sources).toEqual(said.flatMap(({ sources }) => sources).sort());
  });

  it('is one for each audience, of its statements alone', async () => {
    const elsewhere = said.map((each) => ({ ...each, id: `${each.id}-c`, audience: 'channel:discord:1' }));
    const { reflections } = await planConsolidation([...said, ...elsewhere]);
    expect(reflections.map(({ audience }) => audience)).toEqual(['direct', 'channel:discord:1']);
  });

  it('is the same whatever order the rows come in', async () => {
    expect(await planConsolidation([...said].reverse())).toEqual(await planConsolidation(said));
  });

  it('takes the most important, in the order they were said', async () => {
    const many = Array.from({ length: 10 }, (_, i) =>
      episode(`statement number ${i} of them`, { importance: i }),
    );
    const [reflection] = (await planConsolidation(many)).reflections;
    expect(reflection?.statements.map(({ text }) => text)).toEqual(many.slice(4).map(({ text }) => text));
  });
});
