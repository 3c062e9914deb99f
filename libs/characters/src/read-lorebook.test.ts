import { describe, expect, it } from '@jest/globals';
import { readLorebook } from './read-lorebook.js';

describe('a lorebook', () => {
  it('is read from a Tavern card', () => {
    const entries = [
      {
        keys: ['mill', 'Old Mill'],
        content: '@@depth 4\nThe mill burnt down.',
        extensions: {},
        enabled: true,
        insertion_order: 7,
        secondary_keys: ['fire'],
        selective: true,
        priority: 10,
      },
      { keys: ['x+'], content: 'a pattern', use_regex: true, comment: 'Pattern' },
      { keys: [], content: 'No key.', name: 'Empty' },
    ];
    const card = { spec: 'chara_card_v3', data: { character_book: { recursive_scanning: true, entries } } };
    expect(readLorebook(card)).toEqual({
      entries: [
        {
          name: 'mill',
          keys: ['mill', 'Old Mill'],
          secondaryKeys: ['fire'],
          content: 'The mill burnt down.',
          constant: false,
          caseSensitive: false,
          recursive: true,
          priority: 10,
          insertionOrder: 7,
          enabled: true,
        },
      ],
      left: [
        { name: 'Pattern', why: 'its keys are regular expressions' },
        { name: 'Empty', why: 'keys: give at least one key, or make it constant' },
      ],
    });
  });

  it('is read from world info', () => {
    const book = {
      entries: {
        0: { uid: 0, key: ['Orla'], keysecondary: [], comment: 'Orla the miller', content: 'Old.', order: 3 },
        1: { uid: 1, key: ['Finn'], content: 'Young.', disable: true, constant: false },
        2: { uid: 2, key: ['a'], keysecondary: ['b'], selectiveLogic: 2, content: 'Not.', comment: 'Logic' },
      },
    };
    const read = readLorebook(book)!;
    expect(read.entries).toMatchObject([
      { name: 'Orla the miller', keys: ['Orla'], insertionOrder: 3, recursive: false },
      { name: 'Finn', enabled: false },
    ]);
    expect(read.left).toEqual([{ name: 'Logic', why: expect.stringContaining('another logic') }]);
  });

  it('is read from our own list', () => {
    const mill = { name: 'Mill', keys: ['mill'], content: 'Burnt.' };
    const read = readLorebook([mill, { ...mill, kees: [] }])!;
    expect(read.entries).toMatchObject([{ ...mill, priority: 100 }]);
    expect(read.left).toHaveLength(1);
  });

  it.each([['text'], [null], [{}], [{ data: {} }]])('is not seen in %j', (book) => {
    expect(readLorebook(book)).toBeNull();
  });
});
