import { describe, expect, it } from '@jest/globals';
import { CharacterFormat, LoreInput, MAX_LORE } from '@kith/contracts';
import { bestMsOf } from '@kith/testing';
import fc from 'fast-check';
import { emptyReport, type Character } from './character.js';
import type { Json } from './json-values.js';
import { isOfDescription } from './draft-character.js';
import { persona as nell, pngChunk, pngWith, zoo } from './e2e/character-zoo.js';
import { leaveOutSecrets } from './leave-out-secrets.js';
import { loreOfPersona, noteLore } from './lore-of-persona.js';
import { MAX_EXTENSIONS, Persona } from './persona.js';
import { pngWithoutPixels, splitPng } from './png/card-in-png.js';
import { readCharacter, type ReadCharacter } from './read-character.js';
import { pictureWithCards, writeCharacter } from './write-character.js';

const valid = zoo.filter(({ is }) => typeof is === 'string');
const broken = zoo.filter(({ is }) => is instanceof RegExp);
const bytesOf = (name: string): Uint8Array => zoo.find((one) => one.name === name)!.bytes;
const read = (name: string): ReadCharacter => readCharacter(bytesOf(name));
/** Calls a function once for each file: the largest of the zoo take a second to read. */
function onceForEach<T>(make: (bytes: Uint8Array) => T): (bytes: Uint8Array) => T {
  const made = new Map<Uint8Array, T>();
  return (bytes) => {
    const one = made.get(bytes) ?? make(bytes);
    made.set(bytes, one);
    return one;
  };
}
const readOnce = onceForEach(readCharacter);
const storedOnce = onceForEach((bytes) => stored(readOnce(bytes)));
const documentOf = (bytes: Uint8Array): Json => JSON.parse(Buffer.from(bytes).toString()) as Json;
/** The file as a program would have it. */
const fileOf = (character: Character, format: CharacterFormat): Uint8Array =>
  Buffer.from(JSON.stringify(writeCharacter(character, format)));
const written = (character: Character, format: CharacterFormat): Json =>
  documentOf(fileOf(character, format));
const characterOf = ({ persona, lore }: Character): Character => ({ persona, lore });
/** Lore in the order in which Postgres gives it back. */
const inOrder = (lore: readonly LoreInput[]): LoreInput[] =>
  lore.toSorted((a, b) => a.insertionOrder - b.insertionOrder || (a.name < b.name ? -1 : 1));
/** A character as Postgres gives it back: `jsonb` keeps no order. */
const stored = ({ persona, lore }: Character): Character => ({
  persona: Persona.parse(JSON.parse(JSON.stringify(reversed(persona)))),
  lore: inOrder(lore.map((entry) => LoreInput.parse(entry))),
});
/** A card says for which generation of programs it was written. */
const withoutGeneration = (extensions: Json = {}): Json => ({
  ...extensions,
  ...(extensions['tavern'] !== undefined && {
    tavern: { ...(extensions['tavern'] as Json), spec: '', spec_version: '' },
  }),
});
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, part]) => [name, reversed(part)]),
  );
}

describe('a file of a character', () => {
  it('comes from a zoo of at least forty', () => {
    expect(zoo.length).toBeGreaterThanOrEqual(40);
    expect(new Set(zoo.map(({ name }) => name)).size).toBe(zoo.length);
  });

  it.each(valid)('is read: $name', ({ bytes, is }) => {
    const { persona, lore, report } = readOnce(bytes);
    expect(report.format).toBe(is);
    expect(Persona.parse(persona)).toEqual(persona);
    expect(lore.map((entry) => LoreInput.parse(entry))).toEqual(lore);
    expect(new Set(lore.map(({ name }) => name)).size).toBe(lore.length);
  });

  it.each(broken)('is refused with the reason: $name', ({ bytes, is }) => {
    const refusal = expect.objectContaining({ code: 'invalid_request', message: expect.stringMatching(is) });
    expect(() => readCharacter(bytes)).toThrow(refusal);
  });

  it.each(zoo)('costs its reader little: $name', ({ bytes }) => {
    const readOrRefuse = () => {
      try {
        readCharacter(bytes);
      } catch {
        // What is refused may take no longer.
      }
    };
    expect(bestMsOf(readOrRefuse, 1_500)).toBeLessThan(1_500);
  });

  it.each(valid.flatMap((one) => CharacterFormat.options.map((format) => ({ ...one, format }))))(
    'is the same character after it was stored, written as $format and read again: $name',
    ({ bytes, format }) => {
      const before = storedOnce(bytes);
      const after = readCharacter(fileOf(before, format));
      const { extensions, ...persona } = before.persona;
      const { extensions: kept, ...rest } = after.persona;
      expect(rest).toEqual(persona);
      expect(inOrder(after.lore)).toEqual(before.lore);
      expect(withoutGeneration(kept)).toMatchObject(withoutGeneration(extensions));
    },
  );

  it.each([
    'v2',
    'v2 with a book',
    'v2 with a book of macros',
    'v2 that repeats V1',
    'v2 with unknown fields',
    'v2 with macros',
    'v2 of wrong types',
    'v2, very long',
  ])('comes out as it came in: %s', (name) =>
    expect(written(stored(read(name)), 'tavern-v2')).toEqual(documentOf(bytesOf(name))),
  );
  it.each(['v3', 'v3 of a later version'])('comes out as it came in: %s', (name) =>
    expect(written(stored(read(name)), 'tavern-v3')).toEqual(documentOf(bytesOf(name))),
  );
  it.each(['eliza 1', 'eliza 1, small', 'eliza 1, least', 'eliza 1 with a style'])(
    'comes out as it came in: %s',
    (name) => expect(written(stored(read(name)), 'eliza')).toEqual(documentOf(bytesOf(name))),
  );
  it('comes out as it came in: an agent, but for its secrets', () => {
    const { agents, mcp_servers: servers, ...rest } = documentOf(bytesOf('letta'));
    const after = written(stored(read('letta')), 'letta');
    const { tool_exec_environment_variables: _, ...agent } = (agents as Json[])[0]!;
    expect(after).toEqual({
      ...rest,
      agents: [agent],
      mcp_servers: (servers as Json[]).map((server) => ({ ...server, stdio_config: { command: 'x' } })),
    });
  });
  it('comes out as it came in: a persona', () => {
    expect(written(stored(read('kith')), 'kith')).toEqual(documentOf(bytesOf('kith')));
  });

  it.each(CharacterFormat.options)('has no lore but memory’s, whatever a persona holds: %s', (format) => {
    const { persona, lore } = read('kith');
    const frozen = { ...persona, extensions: { ...persona.extensions, lore: read('v2 with a book').lore } };
    expect(written({ persona: frozen, lore }, format)).toEqual(written({ persona, lore }, format));
  });

  it('never gives a secret on', () => {
    for (const { bytes } of valid) {
      const character = readOnce(bytes);
      for (const format of CharacterFormat.options)
        expect(JSON.stringify(writeCharacter(character, format))).not.toMatch(/sk-very|hidden-/);
    }
    expect(read('eliza 0').report.dropped).toEqual([
      { field: 'settings.secrets', note: expect.stringContaining('secret') },
    ]);
  });

  it('is told of by field', () => {
    const { report } = read('v2 with a book');
    const fields = (lines: readonly { field: string }[]) => lines.map(({ field }) => field);
    expect(fields(report.understood)).toEqual([
      'name',
      'description',
      'personality',
      'scenario',
      'first_mes',
      'mes_example',
      'creator_notes',
      'character_book',
    ]);
    expect(fields(report.kept)).toEqual([
      'system_prompt',
      'post_history_instructions',
      'alternate_greetings',
      'tags',
      'creator',
      'character_version',
      'extensions.depth_prompt',
      'extensions.fav',
      'extensions.world',
      'character_book.scan_depth',
      'character_book.token_budget',
      'lore: /fl(oo)d/i',
      'lore: entry 4',
    ]);
    expect(fields(report.assumed)).toEqual(['traits', 'moodHalfLifeHours', 'style']);
  });

  it('assumes nothing of what Kith wrote into it for itself', () => {
    const { persona } = read('kith');
    expect(persona.traits).not.toEqual(read('v2 with a book').persona.traits);
    for (const format of ['tavern-v2', 'letta', 'eliza'] as const) {
      const fields = readCharacter(fileOf(stored(read('kith')), format)).report.assumed;
      expect(fields.map(({ field }) => field)).not.toContain('traits');
    }
  });

  it('sets nothing that costs money unseen', () => {
    const costly = Persona.parse({ ...nell, heartbeat: { peoplePerNight: 100 } });
    const own = readCharacter(fileOf({ persona: costly, lore: [] }, 'kith'));
    expect(own.persona).toEqual(costly);
    expect(own.report.understood.at(-1)).toMatchObject({
      note: expect.stringContaining('100 people a night'),
    });
    const exported = readCharacter(fileOf({ persona: costly, lore: [] }, 'tavern-v2'));
    expect(exported.persona.heartbeat).toBeUndefined();
    expect(exported.report.dropped).toMatchObject([{ field: 'heartbeat' }]);
    // The hash of an absent field is the same in every card.
    const heartbeat = { value: costly.heartbeat, instead: 'e3b0c44298fc1c149afbf4c8996fb924' };
    const kith = { fields: { heartbeat, needs: { ...heartbeat, value: nell.needs } } };
    const data = { name: 'Orla', extensions: { kith } };
    const stranger = readCharacter(Buffer.from(JSON.stringify({ spec: 'chara_card_v2', data })));
    expect(stranger.persona).toMatchObject({ needs: nell.needs });
    expect(stranger.persona.heartbeat).toBeUndefined();
    expect(stranger.report.dropped).toMatchObject([{ field: 'heartbeat' }]);
  });

  it.each([0, 1, 3])('brings what costs no more than is usual: %d people a night', (peoplePerNight) => {
    const frugal = Persona.parse({ ...nell, heartbeat: { peoplePerNight } });
    for (const format of ['tavern-v2', 'letta', 'eliza'] as const) {
      const { persona, report } = readCharacter(fileOf({ persona: frugal, lore: [] }, format));
      expect(persona.heartbeat).toEqual({ peoplePerNight });
      expect(report.dropped).toEqual([]);
      expect(report.understood.at(-1)).toMatchObject({ field: 'heartbeat' });
    }
  });

  it('leaves out what is too long to be kept, and names it', () => {
    expect(read('v2, larger than is kept').report.dropped).toEqual([
      { field: 'data.extensions.big', note: 'too long to be kept' },
    ]);
    expect(read('v2, larger than is kept').persona.extensions).toMatchObject({
      tavern: { data: { name: 'Orla', extensions: { small: 1 } } },
    });
    expect(read('v3 with a picture inside').report.dropped).toHaveLength(1);
  });

  it('has its lore noted where its documents do not show it, as far as there is room', () => {
    const { persona, lore } = read('kith');
    const brought = [...Array(MAX_LORE).keys()].map((n) =>
      LoreInput.parse({ name: `Stone ${n}`, keys: ['stone'], content: 'It is grey.' }),
    );
    const noted = noteLore({ persona, lore: brought }, emptyReport('kith'));
    expect(loreOfPersona(brought, noted)).toEqual(brought);
    const changed = brought.map((entry) => ({ ...entry, content: 'It is green.' }));
    expect(loreOfPersona(changed, noted)).toEqual([]);
    expect(noteLore({ persona: noted, lore }, emptyReport('kith'))).toEqual(
      noteLore({ persona, lore }, emptyReport('kith')),
    );
    for (const format of CharacterFormat.options)
      expect(written({ persona: noted, lore }, format)).toEqual(written({ persona, lore }, format));

    const report = emptyReport('kith');
    const extensions = { other: 'x'.repeat(MAX_EXTENSIONS - 1_000) };
    const full = Persona.parse(noteLore({ persona: { ...persona, extensions }, lore: brought }, report));
    const count = loreOfPersona(brought, full).length;
    expect(count).toBeGreaterThan(100);
    expect(report.dropped).toEqual([
      { field: 'lore', note: expect.stringContaining(`${MAX_LORE - count} `) },
    ]);
  });

  it('is read soon also where a thousand parts are too much together', () => {
    const parts = Object.fromEntries(Array.from({ length: 1_500 }, (_, n) => [`p${n}`, 'x'.repeat(2_500)]));
    const file = Buffer.from(JSON.stringify({ name: 'Orla', description: 'd', personality: 'p', ...parts }));
    const before = process.cpuUsage();
    expect(readCharacter(file).report.dropped).toEqual([{ field: 'document', note: 'too long to be kept' }]);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(3_000);
  });
});

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

describe('a character of ElizaOS', () => {
  it.each(['{{agentName}}', '{{agent}}', 'Eliza'])('speaks as %s in its examples', (name) => {
    const talk = [
      { name: '{{name1}}', content: { text: 'Who are you?' } },
      { name, content: { text: 'I am {{agentName}}.' } },
    ];
    const character = { name: 'Eliza', bio: 'Keeps letters.', messageExamples: [talk] };
    const { persona } = readCharacter(Buffer.from(JSON.stringify(character)));
    expect(persona.exampleDialogue).toEqual([
      [
        { who: 'person', text: 'Who are you?' },
        { who: 'companion', text: 'I am Eliza.' },
      ],
    ]);
  });
});

describe('any character', () => {
  const line = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).map((text) => `a${text}z`);
  const share = fc.integer({ min: 0, max: 100 }).map((n) => n / 100);
  const personas = fc.record({
    name: line,
    tagline: line,
    description: line,
    greeting: line,
    timeZone: fc.constantFrom('Europe/Berlin', 'Asia/Tokyo'),
    openness: share,
    tone: line,
    said: line,
  });
  const entries = fc.array(
    fc.record({
      name: fc.string({ unit: 'grapheme-ascii', maxLength: 20 }).map((text) => `n${text}`),
      keys: fc.array(line, { minLength: 1, maxLength: 3 }),
      content: line,
      constant: fc.boolean(),
      recursive: fc.boolean(),
      priority: fc.integer({ min: -5, max: 500 }),
      enabled: fc.boolean(),
    }),
    { maxLength: 5 },
  );

  it('is the same through every format, by way of every other', () => {
    fc.assert(
      fc.property(
        personas,
        entries,
        fc.shuffledSubarray([...CharacterFormat.options]),
        (some, lore, formats) => {
          const { openness, tone, said, ...fields } = some;
          const character = {
            persona: Persona.parse({
              ...nell,
              ...fields,
              traits: { ...nell.traits, openness },
              style: { ...nell.style, tone },
              exampleDialogue: [
                [
                  { who: 'person', text: said },
                  { who: 'companion', text: tone },
                ],
              ],
            }),
            lore: [...new Map(lore.map((entry) => [entry.name.trim(), LoreInput.parse(entry)])).values()],
          };
          let now: Character = character;
          for (const format of formats) now = stored(characterOf(readCharacter(fileOf(now, format))));
          const { extensions: _, ...persona } = now.persona;
          expect({ persona, lore: inOrder(now.lore) }).toEqual({
            ...character,
            lore: inOrder(character.lore),
          });
        },
      ),
      { numRuns: 150 },
    );
  });

  it('of any JSON in a card’s fields is read, and comes out as it came in', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...FIELDS), fc.jsonValue({ maxDepth: 4 })), (data) => {
        const card = {
          spec: 'chara_card_v2',
          spec_version: '2.0',
          data: JSON.parse(JSON.stringify(data)) as Json,
        };
        const character = stored(readCharacter(Buffer.from(JSON.stringify(card))));
        if (/[\ud800-\udfff]|\\u0000/u.test(JSON.stringify(card))) return;
        // A name that is a secret's, such as ENV, comes neither in nor out.
        expect(written(character, 'tavern-v2')).toEqual(leaveOutSecrets(card, emptyReport('tavern-v2')));
      }),
      { numRuns: 300 },
    );
  });

  it('whose file lost or changed some bytes is read or refused, and nothing else', () => {
    const files = valid.filter(({ bytes }) => bytes.length < 20_000);
    const bites = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.constantFrom(...files), bites, fc.nat({ max: 40 }), ({ bytes }, changes, cut) => {
        const copy = Buffer.from(bytes);
        for (const [at, byte] of changes) copy[at % copy.length] = byte;
        try {
          const { persona } = readCharacter(copy.subarray(0, copy.length - cut));
          expect(JSON.stringify(persona.extensions ?? {}).length).toBeLessThanOrEqual(MAX_EXTENSIONS);
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid_request' });
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

const FIELDS = [
  'name',
  'description',
  'personality',
  'scenario',
  'first_mes',
  'mes_example',
  'creator_notes',
  'character_book',
  'extensions',
  'tags',
  'alternate_greetings',
  'system_prompt',
  'other',
];
