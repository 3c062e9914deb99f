import { describe, expect, it } from '@jest/globals';
import { bestMsOf } from '@kith/testing';
import { rankLines, stemsOf } from './rank-lines.js';

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

  it('looks for nothing where a query says nothing', () => {
    expect(stemsOf('what is it?')).toEqual([]);
    expect(stemsOf('%_\\')).toEqual([]);
    expect(stemsOf('word '.repeat(5_000) + 'a1 b2 c3 d4 e5 f6 g7 h8 i9 j1 k2 l3 m4')).toHaveLength(12);
  });
});
