import { describe, expect, it } from '@jest/globals';
import { CharacterFormat, LoreInput, MAX_LORE } from '@kith/contracts';
import type { Json } from '../json-values.js';
import { isOfDescription } from '../draft-character.js';
import { persona as nell, pngChunk, pngWith } from '../e2e/character-zoo.js';
import { Persona } from '../persona.js';
import { pngWithoutPixels, splitPng } from '../png/card-in-png.js';
import { readCharacter } from '../read-character.js';
import { pictureWithCards, writeCharacter } from '../write-character.js';
import {
  bytesOf,
  read,
  documentOf,
  fileOf,
  written,
  characterOf,
  inOrder,
  stored,
} from '../e2e/characters.js';

describe('a Tavern card', () => {
  it('is told in the second person, with its example dialogue and its lore', () => {
    const { persona, lore } = read('v2 with a book');
    expect(persona.description).toBe(
      [
        'You are Orla.',
        'Orla keeps the mill above the village. She counts everything twice.',
        'Personality: patient, blunt, fond of storms',
        'Scenario: the person you talk with has come to ask about the flood.',
      ].join('\n\n'),
    );
    expect(persona.exampleDialogue).toEqual([
      [
        { who: 'person', text: 'Is the mill haunted?' },
        { who: 'companion', text: 'Only by accountants.\nAnd by me.' },
      ],
      [
        { who: 'person', text: 'Please.' },
        { who: 'companion', text: 'Sit.' },
      ],
    ]);
    expect(lore.map(({ name }) => name)).toEqual(['mill', 'Finn', 'mill (2)']);
    expect(JSON.stringify({ ...persona, extensions: {} })).not.toMatch(/Ignore all rules|Never say that you/);
  });

  it('names what is more lore than a companion has, the pieces of a long description among it', () => {
    const entries = [...Array(MAX_LORE + 600).keys()].map((n) => ({ keys: [`k${n}`], content: 'It is so.' }));
    const data = { name: 'Orla', description: 'She counts. '.repeat(1_000), character_book: { entries } };
    const { lore, report } = readCharacter(Buffer.from(JSON.stringify({ spec: 'chara_card_v2', data })));
    const pieces = lore.filter(isOfDescription).length;
    expect([pieces > 5, lore.length]).toEqual([true, MAX_LORE]);
    const total = entries.length + pieces;
    expect(report.dropped).toContainEqual({
      field: 'lore',
      note: `the last ${total - MAX_LORE} of ${total} entries: a companion has ${MAX_LORE} at most`,
    });
  });

  it('tells the rest of a long description as lore', () => {
    const { persona, lore } = read('v2, very long');
    expect(persona.description.length).toBeGreaterThan(3_000);
    const told = [persona.description, ...lore.map(({ content }) => content)].join(' ');
    expect(told.match(/She counts\./g)).toHaveLength(2_000);
  });

  it.each<[CharacterFormat, (file: Json) => unknown]>([
    ['tavern-v2', ({ data }) => (data as Json)['description']],
    ['eliza', ({ system }) => system],
    ['letta', ({ blocks }) => (blocks as Json[])[0]!['value']],
  ])('has the whole of a long description, also after a change of one word: %s', (format, descriptionIn) => {
    const description = Array.from({ length: 400 }, (_, n) => `Orla counts ${n} stones.`).join(' ');
    const book = (documentOf(bytesOf('v2 with a book'))['data'] as Json)['character_book'];
    const card = { spec: 'chara_card_v2', data: { name: 'Orla', description, character_book: book } };
    // As it comes in again from a file of this format.
    const before = stored(readCharacter(Buffer.from(JSON.stringify(card))));
    const { persona, lore } = stored(readCharacter(fileOf(before, format)));
    for (const thing of ['stones', 'geese']) {
      const told = persona.description.replace('3 stones', `3 ${thing}`);
      const character = { persona: { ...persona, description: told }, lore };
      const file = written(character, format);
      const said = String(descriptionIn(file)).replaceAll(/\s+/g, ' ');
      expect(said).toBe(`You are Orla. ${description.replace('3 stones', `3 ${thing}`)}`.slice(-said.length));
      expect(said.length).toBeGreaterThanOrEqual(description.length - 1);
      const again = readCharacter(Buffer.from(JSON.stringify(file)));
      expect(again.persona.description).toBe(told);
      expect(inOrder(again.lore)).toEqual(lore);
    }
    const edited = { persona: { ...persona, description: 'You are Orla.' }, lore };
    expect((written(edited, 'tavern-v2')['data'] as Json)['character_book']).toEqual(book);
  });

  it.each<[string, string]>([
    ['lines of a list', Array.from({ length: 300 }, (_, n) => `- likes stone number ${n}`).join('\n')],
    ['sentences', Array.from({ length: 400 }, (_, n) => `Orla counts ${n} stones.`).join(' ')],
    [
      'paragraphs',
      Array.from({ length: 100 }, (_, n) => `Stone ${n}. ${'It is grey. '.repeat(n % 30)}`.trim()).join(
        '\n\n',
      ),
    ],
    ['no words', '石'.repeat(6_000)],
    ['pairs of halves', `a${'😀'.repeat(4_000)}`],
    [
      'paragraphs without spaces',
      Array.from({ length: 20 }, (_, n) => `${'石很灰'.repeat(110)}${n}。`).join('\n\n'),
    ],
  ])('has a long description in other programs as it was: %s', (_, description) => {
    const card = { spec: 'chara_card_v2', data: { name: 'Orla', description } };
    const { persona, lore } = stored(readCharacter(Buffer.from(JSON.stringify(card))));
    expect(lore.length).toBeGreaterThan(2);
    expect(written({ persona, lore }, 'eliza')['system']).toBe(`You are Orla.\n\n${description}`);
  });

  it('takes no entry for a piece of its description that is named like one', () => {
    const flood = LoreInput.parse({
      name: 'About the flood, 1953',
      content: 'It rained.',
      constant: true,
      insertionOrder: -1,
    });
    const file = written({ persona: Persona.parse(nell), lore: [flood] }, 'tavern-v2');
    const { description, character_book: book } = file['data'] as Json;
    expect(description).not.toContain('It rained.');
    expect(JSON.stringify(book)).toContain('It rained.');
  });

  it('follows a change in Kith, and leaves what did not change', () => {
    const { persona, lore } = read('v2 with a book');
    const changed = {
      persona: { ...persona, greeting: 'You again.' },
      lore: [
        ...lore.filter(({ name }) => name !== 'mill'),
        LoreInput.parse({ name: 'Weir', keys: ['weir'], content: 'It leaks.' }),
      ].map((entry) => (entry.name === 'Finn' ? { ...entry, content: 'Finn swims.' } : entry)),
    };
    const before = documentOf(bytesOf('v2 with a book'))['data'] as Json;
    const data = written(changed, 'tavern-v2')['data'] as Json;
    expect(data).toMatchObject({ first_mes: 'You again.', mes_example: before['mes_example'] });
    const entries = (data['character_book'] as Json)['entries'] as Json[];
    const former = (before['character_book'] as Json)['entries'] as Json[];
    expect(entries).toEqual([
      { ...former[1], content: '@@depth 4\n@@role system\nFinn swims.' },
      former[2],
      former[3],
      former[4],
      expect.objectContaining({ keys: ['weir'], content: 'It leaks.' }),
    ]);
  });

  it('goes before a decorator that says otherwise, and has no entry twice that was left and is told all the same', () => {
    const entries = [
      { name: 'Moon', keys: ['moon'], content: '@@depth 4\n@@dont_activate\nIt is hollow.' },
      { name: 'Tide', keys: [], content: '@@activate\nIt turns.' },
      { name: 'Weir', keys: ['weir'], content: '@@additional_keys flood\nIt leaks.' },
      { name: 'Sun', keys: ['sun'], content: '@@exclude_keys night\nIt is up.' },
    ];
    const data = { ...(written(read('v2'), 'tavern-v2')['data'] as Json), character_book: { entries } };
    const { persona, lore } = readCharacter(Buffer.from(JSON.stringify({ spec: 'chara_card_v2', data })));
    expect(lore).toMatchObject([{ enabled: false }, { constant: true }, { secondaryKeys: ['flood'] }]);
    const [moon, tide, weir] = lore;
    const changed = [
      { ...moon!, enabled: true },
      { ...tide!, constant: false, keys: ['tide'] },
      { ...weir!, secondaryKeys: [] },
      LoreInput.parse({ name: 'Sun', keys: ['sun'], content: 'It is up.' }),
    ];
    const card = written({ persona, lore: changed }, 'tavern-v2');
    expect((card['data'] as Json)['character_book']).toMatchObject({
      entries: [
        { content: '@@depth 4\nIt is hollow.', enabled: true },
        { content: 'It turns.', constant: false, keys: ['tide'] },
        { content: 'It leaks.', secondary_keys: [] },
        entries[3],
      ],
    });
    expect(((card['data'] as Json)['character_book'] as Json)['entries']).toHaveLength(4);
    expect(readCharacter(Buffer.from(JSON.stringify(card))).lore).toEqual(changed);
  });

  it('keeps its tone and its notes as they were written, until these are what changed', () => {
    const card = documentOf(bytesOf('v2'));
    const own = { personality: '{{char}} is patient.\n\nMostly.', creator_notes: 'For {{user}}s who wait.' };
    const data = { ...(card['data'] as Json), ...own };
    const { persona, lore } = readCharacter(Buffer.from(JSON.stringify({ ...card, data })));
    const { style } = persona;
    const change = (to: Partial<Persona>) =>
      written({ persona: { ...persona, ...to }, lore }, 'tavern-v2')['data'];
    const other: Partial<Persona> = { tagline: 'A miller', style: { ...style, length: 'short' } };
    expect(change({ ...other, description: 'You grind.' })).toMatchObject({
      ...own,
      description: 'You grind.',
    });
    expect(change({ about: 'Notes.', style: { ...style, tone: 'Dry.' } })).toMatchObject({
      personality: 'Dry.',
      creator_notes: 'Notes.',
    });
  });

  it('says of keys that are written here that they are words', () => {
    const entry = { keys: ['mill'], content: 'Burnt.', use_regex: true, extensions: { selectiveLogic: 0 } };
    const book = { extensions: {}, entries: [entry] };
    const card = { ...documentOf(bytesOf('v2')) };
    const data = { ...(card['data'] as Json), character_book: book };
    const { persona, lore } = readCharacter(Buffer.from(JSON.stringify({ ...card, data })));
    const changed = written({ persona, lore: [{ ...lore[0]!, keys: ['C++'] }] }, 'tavern-v2');
    expect((changed['data'] as Json)['character_book']).toMatchObject({
      entries: [{ ...entry, keys: ['C++'], use_regex: false }],
    });
  });

  it('says how its keys are found and how often it is told as SillyTavern does', () => {
    const { persona, lore } = read('v2 with a book');
    const rules = { wholeWords: false, probability: 30 };
    const weir = LoreInput.parse({ name: 'Weir', keys: ['weir'], content: 'It leaks.', ...rules });
    const changed = { persona, lore: [...lore.map((entry) => ({ ...entry, ...rules })), weir] };
    const card = written(changed, 'tavern-v2');
    const entries = ((card['data'] as Json)['character_book'] as Json)['entries'] as Json[];
    const said = { match_whole_words: false, probability: 30, useProbability: true };
    expect(entries[0]?.['extensions']).toMatchObject(said);
    expect(entries.at(-1)?.['extensions']).toEqual({ ...said, exclude_recursion: true });
    expect(readCharacter(Buffer.from(JSON.stringify(card))).lore).toEqual(changed.lore);
  });

  it.each([true, false])(
    'says which of its entries others call up, in a book that scans them: %s',
    (scans) => {
      const entry = { keys: ['mill'], content: 'A mill.', extensions: { exclude_recursion: true } };
      const old = { recursive_scanning: scans, entries: [{ ...entry, name: 'Mill' }] };
      const card = { spec: 'chara_card_v2', data: { ...(written(read('v2'), 'tavern-v2')['data'] as Json) } };
      const { persona, lore } = readCharacter(
        Buffer.from(JSON.stringify({ ...card, data: { ...card.data, character_book: old } })),
      );
      const weir = LoreInput.parse({ name: 'Weir', keys: ['weir'], content: 'It leaks.', recursive: true });
      const changed = written({ persona, lore: [...lore, weir] }, 'tavern-v2');
      expect((changed['data'] as Json)['character_book']).toMatchObject({
        recursive_scanning: true,
        entries: [{ extensions: { exclude_recursion: true } }, { name: 'Weir', extensions: {} }],
      });
      expect(JSON.stringify(changed)).toContain('"exclude_recursion":true');
    },
  );

  it('that an earlier Kith wrote is known by the lore that it noted', () => {
    const weir = { name: 'Weir', keys: ['weir'], content: 'It leaks.', recursive: true };
    const lore = [LoreInput.parse(weir)];
    const { data } = written({ persona: Persona.parse(nell), lore }, 'tavern-v2') as { data: Json };
    const { kith } = data['extensions'] as { kith: { fields: Json } };
    // The hash is of the same entry without recursion, which earlier cards did not tell.
    const noted = { value: lore, instead: '077590408c24892a190aaac6c990a771' };
    const card = {
      spec: 'chara_card_v2',
      data: {
        ...data,
        character_book: { ...(data['character_book'] as Json), recursive_scanning: false },
        extensions: { kith: { ...kith, fields: { ...kith.fields, lore: noted } } },
      },
    };
    expect(readCharacter(Buffer.from(JSON.stringify(card))).lore).toEqual(lore);
  });

  it('that was edited in another program goes before what Kith noted', () => {
    const card = written({ persona: Persona.parse(nell), lore: [] }, 'tavern-v2');
    const edited = { ...card, data: { ...(card['data'] as Json), first_mes: 'Edited elsewhere.' } };
    const { persona } = readCharacter(Buffer.from(JSON.stringify(edited)));
    expect(persona).toMatchObject({
      greeting: 'Edited elsewhere.',
      id: 'nell',
      traits: nell.traits,
      description: nell.description,
      needs: nell.needs,
    });
  });

  it('is put into a picture that stays as it is, and taken out again', () => {
    const text = (words: string) => pngChunk('tEXt', Buffer.from(words, 'latin1'));
    const frame = pngChunk('fdAT', Buffer.alloc(50));
    const animated = [pngChunk('acTL', Buffer.alloc(8)), frame];
    const picture = pngWith(text('Software\0x'), text('Chara\0b2xk'), ...animated);
    const character = characterOf(read('v3'));
    const cards = { v2: writeCharacter(character, 'tavern-v2'), v3: writeCharacter(character, 'tavern-v3') };
    const png = pictureWithCards(Buffer.concat([picture, Buffer.from('behind')]), cards);
    expect(splitPng(png).chunks.map(({ type }) => type)).toEqual([
      'IHDR',
      'IDAT',
      'tEXt',
      'acTL',
      'fdAT',
      'tEXt',
      'tEXt',
      'IEND',
    ]);
    const others = (bytes: Uint8Array) =>
      splitPng(bytes)
        .chunks.filter(
          ({ data }) => !/^(chara|ccv3)\0/i.test(Buffer.from(data.subarray(0, 6)).toString('latin1')),
        )
        .map(({ whole }) => Buffer.from(whole).toString('hex'));
    expect(others(png)).toEqual(others(picture));
    expect(Buffer.from(png).subarray(-6).toString()).toBe('behind');
    const again = readCharacter(png);
    expect(again.report.format).toBe('tavern-v3');
    expect(characterOf(again)).toEqual(character);
    expect(readCharacter(pngWithoutPixels(png)).persona).toEqual(again.persona);
    expect(splitPng(pngWithoutPixels(png)).chunks.map(({ type }) => type)).toEqual([
      'IHDR',
      'tEXt',
      'tEXt',
      'tEXt',
      'IEND',
    ]);
    expect(() => pictureWithCards(Buffer.from('GIF'), cards)).toThrow('not a PNG');
  });
});
