import { describe, expect, it } from '@jest/globals';
import { QuoteFinder, repeats, tellingWords, type LineView, type SaidLine } from './quote-finder.js';

const line = (id: number, role: string, text: string, turnId = `t${id}`): SaidLine => ({
  id: BigInt(id),
  role,
  text,
  turnId,
});
const gone = (...lines: SaidLine[]) => new Map(lines.map(({ id, text }) => [id, tellingWords(text)]));
const findQuotes = (
  lines: readonly SaidLine[],
  of: ReturnType<typeof gone>,
  withReplies: boolean,
  views: ReadonlyMap<string, LineView> = new Map(),
) => new QuoteFinder(of, withReplies, async () => views).find(lines);
const secret = line(1, 'person', 'My word is zebra77 about the canoe', 't1');

describe('what goes with a line that is forgotten', () => {
  it('is the reply to it, whatever that says', async () => {
    const lines = [secret, line(2, 'companion', 'I see.', 't1'), line(3, 'companion', 'I see.', 't3')];
    expect(await findQuotes(lines, gone(secret), true)).toEqual([2n]);
    expect(await findQuotes(lines, gone(secret), false)).toEqual([]);
  });

  it('is a later reply that repeats a word of it, but not one that the person said again', async () => {
    const lines = [
      secret,
      line(2, 'person', 'which word?', 't2'),
      line(3, 'companion', 'It was zebra77.', 't2'),
      line(4, 'person', 'the canoe leaks', 't4'),
      line(5, 'companion', 'Mend the canoe.', 't4'),
      line(6, 'person', 'hello', 't6'),
      line(7, 'companion', 'How is your canoe?', 't6'),
    ];
    expect(await findQuotes(lines, gone(secret), true)).toEqual([3n, 7n]);
  });

  it('is what was written with such a reply in view, and nothing that no prompt could hold it for', async () => {
    const chatter = (from: number) =>
      Array.from({ length: 25 }, (_, n) => line(from + n, 'person', 'chatter', `c${from + n}`));
    const lines = [
      secret,
      ...chatter(10),
      line(40, 'companion', 'zebra77 again'),
      ...chatter(50),
      line(80, 'companion', 'and zebra77'),
      ...chatter(90),
      ...chatter(120),
      line(200, 'companion', 'zebra77 by chance'),
    ];
    expect(await findQuotes(lines, gone(secret), true)).toEqual([40n, 80n]);
  });

  it('is what was written however much later with a snapshot that told it, or with all since in view', async () => {
    const chatter = Array.from({ length: 400 }, (_, n) => line(10 + n, 'person', 'chatter'));
    const quotes = [500, 501, 502, 503, 504].map((id) => line(id, 'companion', `zebra77 ${id}`));
    const views = new Map([
      ['t500', { from: 300n, kept: new Set([1n, 2n]) }],
      ['t501', { from: 1n, kept: new Set<bigint>() }],
      ['t502', { from: 502n, kept: new Set([3n]) }],
      // Of the talk it told nothing but what its person referred to.
      ['t503', { from: null, kept: new Set([1n]) }],
      ['t504', { from: null, kept: new Set([3n]) }],
    ]);
    expect(await findQuotes([secret, ...chatter, ...quotes], gone(secret), true, views)).toEqual([
      500n,
      501n,
      503n,
    ]);
  });
});

it('a reply has what it answers in view, where its prompt told nothing before', async () => {
  const reply = line(2, 'companion', 'zebra77 it is', secret.turnId);
  const views = new Map([[secret.turnId, { from: null, kept: new Set<bigint>() }]]);
  expect(await findQuotes([secret, reply], gone(secret), false, views)).toEqual([2n]);
});

it('lets others have their turn while long texts are compared', async () => {
  // Each holds letters that are looked for, and not as a word: all of its words are found.
  const words = `${'rain '.repeat(1_600)} canoeing`;
  const long = Array.from({ length: 500 }, (_, n) => line(10 + n, 'companion', words));
  let turns = 0;
  const counting = setInterval(() => (turns += 1), 0);
  const found = await findQuotes([secret, ...long], gone(secret), true);
  clearInterval(counting);
  expect(found).toEqual([]);
  expect(turns).toBeGreaterThan(10);
});

describe('a text repeats a word', () => {
  const few = new Set(['zebra77', 'my name', 'file', '名前']);
  const many = new Set([...few, ...Array.from({ length: 1_000 }, (_, n) => `other${n}`)]);

  it.each([
    ['ZEBRA77!', true],
    ['zebras', false],
    ['two ﬁles', true],
    ['ｆｉｌｅ', true],
    ['filed', false],
    ['私の名前は', true],
    ['', false],
  ])('however it is spelt, and whether few or many are looked for: %s', (text, isRepeated) => {
    expect([few, many].map((words) => repeats(text, words))).toEqual([isRepeated, isRepeated]);
  });
});

describe('telling words', () => {
  it('are those of a long message at most, also where one letter stands for many', () => {
    const words = tellingWords(Array.from({ length: 8_000 }, (_, n) => `${n}ﷺ`).join(' '));
    expect([...words].join('').length).toBeLessThan(32_000);
  });

  it.each([
    ['I think that it would be the canoes, no?', ['canoe']],
    ['room 12 at 9', ['room', '12', '9']],
    ['私の名前', ['私の', 'の名', '名前']],
  ])('are names, numbers and what is not in every sentence: %s', (text, words) => {
    expect([...tellingWords(text)]).toEqual(words);
  });
});
