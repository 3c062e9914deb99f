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
          wholeWords: true,
          probability: 100,
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

  // SillyTavern writes `use_regex` and its own fields with every entry of a card.
  const sillyTavern = (extensions: object = {}, change: object = {}) => ({
    keys: ['Dr. Orla'],
    secondary_keys: ['mill'],
    content: 'Old.',
    enabled: true,
    insertion_order: 1,
    selective: true,
    constant: false,
    use_regex: true,
    position: 'after_char',
    extensions: { display_index: 0, selectiveLogic: 0, case_sensitive: null, ...extensions },
    ...change,
  });
  const readOne = (entry: object) => {
    const { entries, left } = readLorebook({ recursive_scanning: true, entries: [entry] })!;
    return entries[0] ?? left[0]!.why;
  };

  it.each<[string, object, unknown]>([
    ['its keys', sillyTavern(), { keys: ['Dr. Orla'], secondaryKeys: ['mill'], recursive: true }],
    [
      'an expression',
      sillyTavern({}, { keys: ['Orla', '/mill(er)?/i'] }),
      'its keys are regular expressions',
    ],
    ['case', sillyTavern({ case_sensitive: true }), { caseSensitive: true }],
    ['parts of words', sillyTavern({ match_whole_words: false }), { wholeWords: false }],
    ['whole words', sillyTavern({ match_whole_words: null }), { wholeWords: true }],
    ['chance', sillyTavern({ probability: 40, useProbability: true }), { probability: 40 }],
    ['no chance', sillyTavern({ probability: 40, useProbability: false }), { probability: 100 }],
    [
      'rules of world info',
      { key: ['mill'], content: 'Old.', matchWholeWords: false, probability: 0, useProbability: true },
      { wholeWords: false, probability: 0 },
    ],
    ['recursion', sillyTavern({ exclude_recursion: true }), { recursive: false }],
    ['logic', sillyTavern({ selectiveLogic: 2 }), expect.stringContaining('another logic')],
    [
      'logic of keys with a name that is not known',
      sillyTavern({ selectiveLogic: 2 }, { secondary_keys: ['{{user}}'] }),
      expect.any(String),
    ],
    ['a switch', sillyTavern({ selectiveLogic: 2 }, { selective: false }), { secondaryKeys: [] }],
    ['what is always told', sillyTavern({ selectiveLogic: 3 }, { constant: true }), { constant: true }],
    ['world info', { key: ['/mill/'], content: 'Old.' }, 'its keys are regular expressions'],
  ])('is read as SillyTavern means it: %s', (_, entry, expected) => {
    expect([readOne(entry)]).toMatchObject([expected]);
  });

  it.each<[string, object, unknown]>([
    ['that turn it off', { content: '@@dont_activate\nOld.' }, { enabled: false, content: 'Old.' }],
    ['that always tell it', { keys: [], content: '@@activate\nOld.' }, { constant: true, content: 'Old.' }],
    ['of which one goes before', { content: '@@dont_activate\n@@activate\nOld.' }, { enabled: true }],
    [
      'that ask for more',
      { content: '@@additional_keys fire, flood\nOld.' },
      { secondaryKeys: ['fire', 'flood'] },
    ],
    [
      'that ask for more beside other keys',
      { secondary_keys: ['river'], content: '@@additional_keys fire\nOld.' },
      'it is told at times alone: @@additional_keys',
    ],
    [
      'that are a condition',
      { content: '@@exclude_keys night\nOld.' },
      'it is told at times alone: @@exclude_keys',
    ],
    [
      'that are a condition of what is always told',
      { constant: true, content: '@@is_greeting 2\nOld.' },
      /greeting/,
    ],
    [
      'between blank lines',
      { content: '\r\n@@depth 4\r\n\r\n@@dont_activate\r\n\r\nOld.' },
      { enabled: false, content: 'Old.' },
    ],
    ['for programs that lack another', { content: '@@unknown\n@@@dont_activate\nOld.' }, { enabled: true }],
  ])('follows decorators %s', (_, change, expected) => {
    const read = readOne({ keys: ['mill'], extensions: {}, enabled: true, insertion_order: 1, ...change });
    expect([read]).toEqual([
      expected instanceof RegExp
        ? expect.stringMatching(expected)
        : typeof expected === 'string'
          ? expected
          : expect.objectContaining(expected as object),
    ]);
  });

  it.each<[string, object, boolean]>([
    ['this one', { isExclude: false, names: ['Finn', 'Orla'], tags: [] }, true],
    ['others', { isExclude: false, names: ['Finn'], tags: [] }, false],
    ['all but others', { isExclude: true, names: ['Finn'], tags: [] }, true],
    ['all but this one', { isExclude: true, names: ['Orla'], tags: [] }, false],
    ['tags of another installation', { isExclude: false, names: [], tags: ['1345561466591'] }, true],
  ])('is told where a filter of characters is for %s', (_, filter, isTold) => {
    const entry = { keys: ['mill'], content: 'Old.' };
    const character_book = { entries: [{ ...entry, extensions: { character_filter: filter } }] };
    const books = [
      readLorebook({ entries: [{ ...entry, characterFilter: filter }] }, 'orla')!,
      readLorebook({ spec: 'chara_card_v2', data: { name: 'Orla', character_book } })!,
    ];
    const left = isTold ? [] : [{ name: 'mill', why: 'it is for other characters' }];
    for (const book of books) expect([book.entries.length, book.left]).toEqual([1 - left.length, left]);
  });

  it.each<[string, object]>([
    ['called by other entries', { delayUntilRecursion: true }],
    ['called by other entries', { extensions: { delay_until_recursion: 2 } }],
    ['after so many messages', { delay: 6 }],
    ['after so many messages', { content: '@@activate_only_after 6\nOld.' }],
  ])('is told too soon rather than never: %s', (_, change) =>
    expect(readOne({ key: ['mill'], content: 'Old.', ...change })).toMatchObject({ content: 'Old.' }),
  );

  it('has of a group the first of those that have a key in common, and all others', () => {
    const of = (comment: string, change: object) => ({ comment, content: 'x', group: 'g', ...change });
    const entries = [
      of('alone', { key: ['sky'], group: 'weather' }),
      of('off', { key: ['inn'], disable: true }),
      of('inn', { key: ['inn', 'bar'] }),
      of('mill', { key: ['mill'] }),
      of('bar', { key: ['Bar'] }),
      of('bar at night', { key: ['bar'], keysecondary: ['night'] }),
      of('bar of others', { key: ['bar'], group: 'h' }),
      of('bar by chance', { key: ['bar'], probability: 30, useProbability: true }),
      of('rain', { constant: true }),
      { comment: 'sun', content: 'x', constant: true, extensions: { group: 'g' } },
    ];
    const read = readLorebook({ entries })!;
    const why = 'one entry of its group is told at a time: the first';
    expect(read.left).toEqual(['bar', 'sun'].map((name) => ({ name, why })));
    expect(read.entries).toHaveLength(entries.length - 2);
  });

  it('is told where such a condition is empty', () => {
    const none = {
      character_filter: { isExclude: false, names: [], tags: [] },
      delay_until_recursion: false,
    };
    const entry = sillyTavern({ ...none, group: '', delay: null, sticky: 0, cooldown: 0 });
    expect(readOne(entry)).toMatchObject({ content: 'Old.' });
  });

  it('has keys also where these are one text', () => {
    const entry = { keys: 'mill, old weir', secondary_keys: 'fire,flood', content: 'Old.' };
    expect(readOne(entry)).toMatchObject({ keys: ['mill', 'old weir'], secondaryKeys: ['fire', 'flood'] });
  });

  it('is read from a book of character card V3 that travels alone', () => {
    const entries = [{ keys: ['{{char}}', 'mill'], content: 'Old.' }];
    const book = { spec: 'lorebook_v3', data: { name: 'Valley', recursive_scanning: true, entries } };
    expect(readLorebook(book)!.entries).toMatchObject([{ keys: ['mill'], recursive: true }]);
  });

  it('takes keys that are the same as text where another program says they are expressions', () => {
    const entry = { keys: ['Old Mill'], content: 'Burnt.', use_regex: true };
    expect(readOne(entry)).toMatchObject({ keys: ['Old Mill'] });
    expect(readOne({ ...entry, keys: ['mill.*'] })).toBe('its keys are regular expressions');
    expect(readOne({ ...entry, keys: ['/mill/'], use_regex: false })).toMatchObject({ keys: ['/mill/'] });
  });

  it('is called up by the companion’s name, and not by the person’s, which is another in each talk', () => {
    const entries = [
      {
        keys: ["{{char}}'s mill", '{{user}}', 'weir'],
        secondary_keys: ['<BOT>', '{{user}}'],
        content: 'Old.',
      },
      { keys: ['{{User}}', '<user>'], content: 'A guest.', name: 'Guest' },
      { keys: ['weir'], secondary_keys: ['{{user}}'], content: 'Theirs.', name: 'Condition' },
      { keys: ['{{user}}'], content: 'Always.', name: 'Always', constant: true },
    ];
    const why = expect.stringContaining('the name of the person');
    const card = { spec: 'chara_card_v2', data: { name: 'Orla', character_book: { entries } } };
    const read = readLorebook(card)!;
    expect(read.entries).toMatchObject([
      { keys: ["Orla's mill", 'weir'], secondaryKeys: ['Orla'] },
      { name: 'Always', keys: [] },
    ]);
    expect(read.left).toEqual([
      { name: 'Guest', why },
      { name: 'Condition', why },
    ]);
    const world = readLorebook({ entries: [{ key: ['{{char}}'], content: 'x' }] })!;
    expect(world.left).toEqual([{ name: '{{char}}', why }]);
  });

  it('keeps entries that have no name of their own apart', () => {
    const orla = { key: ['Orla'], comment: '', content: 'The miller.' };
    const book = {
      entries: { 0: orla, 1: { ...orla, key: ['Orla', 'fire'], content: 'She fled the fire.' } },
    };
    expect(readLorebook(book)!.entries.map(({ name, content }) => [name, content])).toEqual([
      ['Orla', 'The miller.'],
      ['Orla (2)', 'She fled the fire.'],
    ]);
  });

  it('is read from our own list', () => {
    const mill = { name: 'Mill', keys: ['mill'], content: 'Burnt.' };
    const read = readLorebook([mill, { ...mill, kees: [] }])!;
    expect(read.entries).toMatchObject([{ ...mill, priority: 100 }]);
    expect(read.left).toHaveLength(1);
  });

  it('is read from our own list as a command shows it', () => {
    const row = { id: '0197a6a4-0000-7000-8000-000000000000', updatedAt: '2026-01-01T00:00:00Z' };
    const mill = { name: 'Mill', keys: ['mill'], content: 'Burnt.' };
    expect(readLorebook([{ ...row, ...mill }])).toMatchObject({ entries: [mill], left: [] });
  });

  it.each([['text'], [null], [{}], [{ data: {} }]])('is not seen in %j', (book) => {
    expect(readLorebook(book)).toBeNull();
  });
});
