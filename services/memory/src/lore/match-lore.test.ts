import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { LoreInput, type LoreEntry } from '@kith/contracts';
import { bestMsOf } from '@kith/testing';
import { matchLore } from './match-lore.js';

const entry = (given: Partial<LoreEntry> & { name: string }): LoreEntry => ({
  ...LoreInput.parse({ content: `About ${given.name}.`, keys: [given.name], ...given }),
  id: randomUUID(),
  updatedAt: '2026-01-01T00:00:00Z',
});
const calledIn = (entries: LoreEntry[], text: string, drawnBy?: string) =>
  matchLore(entries, { texts: [text], maxTokens: 1_000, drawnBy }).hits.map(({ name }) => name);
const called = (entries: LoreEntry[], text: string, maxTokens = 1_000) =>
  matchLore(entries, { texts: [text], maxTokens }).hits.map(({ name }) => name);

describe('lore', () => {
  it.each([
    ['a key as a whole word, in any case', 'ash', 'The ASH tree', true],
    ['not within a word', 'ash', 'I washed it', false],
    ['a phrase', 'old mill', 'We met at the old mill.', true],
    ['a key that ends in a sign', 'C++', 'I write c++ daily', true],
    ['a key of a script without spaces', '京都', '私は京都に住んでいます', true],
    ['a key of a rare character of such a script', '𠮷', '𠮷野家に行く', true],
    ['other forms of the same characters', 'Ｃafé', 'a café nearby', true],
    ['a word between letters of such a script', 'Orla', '昨日Orlaに会った', true],
    ['a word before them', 'orla', 'Orlaは元気？', true],
    ['a phrase between them', 'old mill', '我喜欢old mill的面包', true],
    ['not by a part of a word between them', 'Orla', '昨日Orlandoに会った', false],
    ['a rounded apostrophe in the text', "Orla's", 'at Orla’s mill', true],
    ['a rounded apostrophe in the key', 'Orla’s', "at Orla's mill", true],
    ['a hyphen that keeps a line together', 'Jean-Luc', 'with Jean\u2011Luc', true],
    ['a phrase over two lines', 'old mill', 'the old\nmill', true],
    ['a phrase with more spaces', 'old mill', 'the old  mill', true],
    ['a key with more spaces', 'old  mill', 'the old mill', true],
  ])('is called up by %s', (_, key, text, isCalled) => {
    expect(called([entry({ name: 'it', keys: [key] })], text)).toEqual(isCalled ? ['it'] : []);
  });

  it('is called up by no phrase that is half in one message and half in the next', () => {
    const mill = entry({ name: 'old mill' });
    expect(matchLore([mill], { texts: ['I am old', 'mill it'], maxTokens: 100 }).hits).toEqual([]);
  });

  it('minds the case where it is told to', () => {
    const may = entry({ name: 'May', keys: ['May'], caseSensitive: true });
    expect(called([may], 'you may go')).toEqual([]);
    expect(called([may], 'Ask May.')).toEqual(['May']);
  });

  it.each([
    ['within a word', 'ash', 'I washed it', true],
    ['across two words', 'old m', 'the old mill', true],
    ['at the very end', 'ill', 'the mill', true],
    ['by one letter', 'q', 'a quay', true],
    ['in any case', 'ASH', 'Washed', true],
    ['not where it does not stand', 'ashes', 'I washed it', false],
    ['not in another order', 'lim', 'the mill', false],
  ])('is called up %s where its keys need not be whole words', (_, key, text, isCalled) => {
    const entries = [
      entry({ name: 'it', keys: [key], wholeWords: false }),
      entry({ name: 'whole', keys: ['washe'] }),
    ];
    expect(called(entries, text)).toEqual(isCalled ? ['it'] : []);
  });

  it('comes in its share of turns, the same for the same turn', () => {
    const entries = [0, 30, 100].map((probability) =>
      entry({ name: `p${probability}`, keys: ['x'], probability }),
    );
    const turns = Array.from({ length: 1_000 }, (_, n) => `message ${n}`);
    const told = turns.map((turn) => calledIn(entries, 'x', turn));
    expect(turns.map((turn) => calledIn(entries, 'x', turn))).toEqual(told);
    const times = (name: string) => told.filter((names) => names.includes(name)).length;
    expect([times('p0'), times('p100')]).toEqual([0, 1_000]);
    // Far beyond what chance does to 1,000 draws at 30 %.
    expect(Math.abs(times('p30') - 300)).toBeLessThan(90);
    expect(calledIn(entries, 'x')).toEqual(['p30', 'p100']);
  });

  it('wants a secondary key as well, where there are any', () => {
    const mill = entry({ name: 'mill', secondaryKeys: ['fire', 'flood'] });
    expect(called([mill], 'the mill')).toEqual([]);
    expect(called([mill], 'the mill after the flood')).toEqual(['mill']);
  });

  it('tells what is constant, leaves what is off, and says which key it was', () => {
    const entries = [
      entry({ name: 'always', keys: [], constant: true }),
      entry({ name: 'off', keys: ['mill'], enabled: false }),
      entry({ name: 'mill' }),
    ];
    expect(matchLore(entries, { texts: ['the mill'], maxTokens: 100 }).hits).toMatchObject([
      { name: 'always', key: null },
      { name: 'mill', key: 'mill' },
    ]);
  });

  it('follows from one entry to another only where that is wanted', () => {
    const entries = [
      entry({ name: 'mill', content: 'Owned by Orla.' }),
      entry({ name: 'Orla', content: 'Sister of Finn.', recursive: true }),
      entry({ name: 'Finn', recursive: true, content: 'Fears Bran.' }),
      entry({ name: 'Bran', recursive: true }),
      entry({ name: 'Sister', recursive: false }),
    ];
    expect(called(entries, 'the mill')).toEqual(['mill', 'Orla', 'Finn']);
  });

  it('calls up nothing by macros that are not told', () => {
    const content = '{{random:Orla,Bran}} owns it.{{// Finn}}';
    const others = ['Orla', 'Bran', 'Finn'].map((name) => entry({ name, recursive: true }));
    expect(called([entry({ name: 'mill', content }), ...others], 'the mill')).toEqual(['mill', 'Orla']);
  });

  it('calls up nothing by what is not told', () => {
    const entries = [
      entry({ name: 'a', keys: ['x'], content: 'Bran '.repeat(200), priority: 300 }),
      entry({ name: 'b', keys: ['x'], content: 'Finn' }),
      ...['Bran', 'Finn'].map((name) => entry({ name, recursive: true })),
    ];
    expect(called(entries, 'x', 20)).toEqual(['b', 'Finn']);
  });

  it.each<[string, { text: string; keyOf: (n: number) => string; more?: Partial<LoreEntry> }]>([
    ['letters', { text: 'a'.repeat(34_000), keyOf: (n) => 'a'.repeat(2 + (n % 98)) }],
    ['words', { text: 'a '.repeat(17_000), keyOf: () => `${'a '.repeat(48)}b` }],
    ['signs', { text: '!'.repeat(34_000), keyOf: () => `${'!'.repeat(99)}?` }],
    ['ideographs', { text: '漢'.repeat(34_000), keyOf: () => `${'漢'.repeat(99)}字` }],
    ['ligatures', { text: 'ﷺ'.repeat(34_000), keyOf: () => 'ﷺ'.repeat(99) }],
    [
      'parts of words',
      {
        text: 'ab'.repeat(17_000),
        keyOf: (n) => `${'ab'.repeat(1 + (n % 48))}b`,
        more: { wholeWords: false },
      },
    ],
    [
      'parts of one letter',
      { text: 'a'.repeat(34_000), keyOf: (n) => 'a'.repeat(2 + (n % 98)), more: { wholeWords: false } },
    ],
    ['what entries say', { text: 'hi', keyOf: (n) => 'a'.repeat(2 + (n % 98)), more: { recursive: true } }],
  ])('keeps no message waiting by a book that repeats its %s', (_, { text, keyOf, more = {} }) => {
    const always = { keys: [], constant: true, content: 'a'.repeat(4_000) };
    const book = Array.from({ length: 400 }, (_entry, n) => [
      entry({ name: `key ${n}`, keys: Array.from({ length: 50 }, (_key, k) => keyOf(n * 50 + k)), ...more }),
      ...(n < 60 ? [entry({ name: `always ${n}`, ...always })] : []),
    ]).flat();
    expect(bestMsOf(() => called(book, text, 600), 250)).toBeLessThanOrEqual(250);
  });

  it('keeps to the budget by priority, and tells in order of insertion', () => {
    const entries = [
      entry({ name: 'a', keys: ['x'], content: 'a '.repeat(200), priority: 300 }),
      entry({ name: 'b', keys: ['x'], insertionOrder: 9, priority: 200 }),
      entry({ name: 'c', keys: ['x'], insertionOrder: 1, priority: 100 }),
    ];
    expect(called(entries, 'x', 20)).toEqual(['c', 'b']);
    expect(called(entries, 'x', 5)).toEqual(['b']);
    expect(called(entries, 'x', 0)).toEqual([]);
  });

  it('keeps of one priority what is later in the prompt, as SillyTavern does, and what was said before what follows', () => {
    const entries = [1, 2, 3].map((insertionOrder) =>
      entry({ name: `rule ${insertionOrder}`, keys: ['x'], content: 'A rule.', insertionOrder }),
    );
    expect(called(entries, 'x', 4)).toEqual(['rule 2', 'rule 3']);
    const [first, second] = [
      entry({ name: 'mill', content: 'Of Orla.', insertionOrder: 1 }),
      entry({ name: 'Orla', content: 'Of Bran.', insertionOrder: 9, recursive: true }),
    ];
    expect(called([first, second], 'mill', 3)).toEqual(['mill']);
  });

  it('names what is called up and does not fit', () => {
    const mill = entry({ name: 'mill', content: 'It is old. '.repeat(200) });
    const weir = entry({ name: 'weir' });
    const { hits, left } = matchLore([mill, weir], { texts: ['mill and weir'], maxTokens: 100 });
    expect(hits.map(({ name }) => name)).toEqual(['weir']);
    expect(left).toEqual([{ id: mill.id, name: 'mill', key: 'mill' }]);
  });
});
