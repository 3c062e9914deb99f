import { describe, expect, it } from '@jest/globals';
import { bestMsOf } from '@kith/testing';
import { partWith, rankLines, stemsOf } from './rank-lines.js';

describe('a search in the talk', () => {
  const lines = [
    { text: 'I painted a lake last week' },
    { text: 'The weather is fine at the lake' },
    { text: 'We were at the lake' },
    { text: 'Nothing else' },
  ];

  it('finds words in other forms, the line that holds the rare one first', () => {
    const found = rankLines(stemsOf('What did I paint at the lake?'), lines);
    expect(found.map(({ text }) => text)).toEqual([lines[0]!.text, lines[2]!.text, lines[1]!.text]);
  });

  it('reads no more of lines that grow than of others', () => {
    const grows = Array.from({ length: 2_000 }, () => ({ text: `hello ${'ﷺ'.repeat(7_990)}` }));
    expect(bestMsOf(() => rankLines(['hello', 'صلى'], grows), 500)).toBeLessThanOrEqual(500);
    const last = { text: 'Hello there' };
    expect(rankLines(['hello'], [...grows, last])[0]).toBe(last);
    const long = { text: `${'word '.repeat(1_500)} Ｌａｋｅ` };
    expect(rankLines(['lake'], [long, last])).toEqual([long]);
  });

  it('finds a word of three letters, and not within others', () => {
    const said = [{ text: 'Our dogma' }, { text: 'The DOGS bark' }, { text: 'A dog, then' }];
    expect(rankLines(stemsOf('my dog?'), said)).toEqual([said[2], said[1]]);
    expect([stemsOf('who is Zoë'), stemsOf('кот'), stemsOf('dog name')]).toEqual([
      ['zoë'],
      ['кот'],
      ['name'],
    ]);
  });

  it('takes no double s for a plural', () => {
    const said = [{ text: 'I passed!' }, { text: 'We kissed there' }, { text: 'My bosses' }];
    expect(['did I pass', 'did we kiss', 'my boss'].map((query) => rankLines(stemsOf(query), said))).toEqual(
      said.map((line) => [line]),
    );
  });

  it('looks for nothing where a query says nothing', () => {
    expect(stemsOf('what is it?')).toEqual([]);
    expect(stemsOf('%_\\')).toEqual([]);
    expect(stemsOf('word '.repeat(5_000) + 'a1 b2 c3 d4 e5 f6 g7 h8 i9 j1 k2 l3 m4')).toHaveLength(12);
  });
});

describe('a line that was found', () => {
  const recipe = `Grandma’s bread. ${'Knead it well and wait. '.repeat(40)}Take 12 g of yeast and rye flour. ${'Bake it. '.repeat(40)}`;
  const part = (query: string, line: string) => partWith(stemsOf(query), line, 200);

  it('is told as it is where it is short, and else by the part with most of the words', () => {
    expect(part('yeast', 'Take yeast')).toBe('Take yeast');
    const told = part('how much yeast goes into the bread with rye flour?', recipe);
    expect(told).toMatch(/^… \w.* Take 12 g of yeast and rye flour\. .*…$/);
    expect(told.length).toBeLessThanOrEqual(202);
    expect(part('bread', recipe)).toMatch(/^Grandma’s bread\. .*…$/);
    expect(part('weather', recipe)).toBe(part('bread', recipe));
  });

  it('is told by a word of three letters, and not by others that have it within', () => {
    const line = `My education is over. ${'It was no vacation. '.repeat(40)}Then the cat came home.`;
    expect(part('the cat', line)).toMatch(/^… .* Then the cat came home\.$/);
  });

  it('is cut within no character', () => {
    for (const before of ['', 'x'])
      expect(part('酵母', `${before}${'\u{1f35e}'.repeat(200)}酵母`)).toMatch(/^… \u{1f35e}{49,50}酵母$/u);
  });
});
