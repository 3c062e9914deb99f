import { describe, expect, it } from '@jest/globals';
import type { Json } from './json-values.js';
import { readCharacter, type ReadCharacter } from './read-character.js';

const read = (card: Json): ReadCharacter => readCharacter(Buffer.from(JSON.stringify(card)));
const v2 = (data: Json): Json => ({ spec: 'chara_card_v2', data: { name: 'Ann', ...data } });
const V1 = { name: 'Ann', description: 'A baker.', personality: 'kind', first_mes: 'Hi {{user}}' };

describe('a card of one level', () => {
  it('is read by its own fields, whatever a field of the name `data` holds', () => {
    for (const data of [{}, { mood: 'x' }, [], 'x']) {
      const { persona, report } = read({ ...V1, data });
      expect(report.format).toBe('tavern-v1');
      expect(persona).toMatchObject({ name: 'Ann', greeting: 'Hi you' });
      expect(persona.description).toContain('A baker.');
    }
  });

  it('keeps fields of names that every object has', () => {
    const odd = JSON.parse('{ "constructor": 1, "toString": "x", "__proto__": { "a": 2 } }') as Json;
    const { persona } = read({ ...V1, ...odd });
    for (const name of Object.keys(odd))
      expect(Object.getOwnPropertyDescriptor(persona.extensions?.['tavern'], name)?.value).toEqual(
        Object.getOwnPropertyDescriptor(odd, name)?.value,
      );
  });

  it('is read with the names that Pygmalion has for its fields', () => {
    const { persona, report } = read({
      char_name: 'Ann',
      char_persona: 'A baker.',
      world_scenario: 'A town by the sea.',
      char_greeting: 'Hi {{user}}',
      example_dialogue: 'You: Is it fresh?\nAnn: Still warm.',
    });
    expect(report.format).toBe('tavern-v1');
    expect(persona).toMatchObject({
      name: 'Ann',
      greeting: 'Hi you',
      description: 'You are Ann.\n\nA baker.\n\nScenario: A town by the sea.',
      exampleDialogue: [
        [
          { who: 'person', text: 'Is it fresh?' },
          { who: 'companion', text: 'Still warm.' },
        ],
      ],
    });
  });

  it('is read with the names of both, those of Tavern first where they say something', () => {
    const { persona } = read({
      char_name: 'Bo',
      name: 'Ann',
      char_persona: 'A baker.',
      description: '',
      char_greeting: 'Hi',
      first_mes: ' ',
      world_scenario: 'A town.',
    });
    expect(persona).toMatchObject({
      name: 'Ann',
      greeting: 'Hi',
      description: 'You are Ann.\n\nA baker.\n\nScenario: A town.',
    });
  });

  it.each<[string, Json]>([
    ['a package', { name: 'x', description: 'y', version: '1' }],
    ['a name and a greeting of Pygmalion', { char_name: 'Ann', char_greeting: 'Hi' }],
    ['a name alone', { char_name: 'Ann' }],
    ['names that are no text', { char_name: 1, char_persona: 2, char_greeting: 3, world_scenario: 4 }],
    ['an empty name', { char_name: ' ', char_persona: 'a', char_greeting: 'b', world_scenario: 'c' }],
    ['fields of data without a generation', { data: { name: 'Ann', description: 'a', first_mes: 'b' } }],
  ])('is not %s', (_, file) => expect(() => read(file)).toThrow(/is not a character/));

  it('is told from a book that travels alone', () => {
    const book = { entries: [{ keys: ['mill'], content: 'Old.' }] };
    for (const file of [book, { spec: 'lorebook_v3', data: book }])
      expect(() => read(file)).toThrow(/is a lorebook: kith lore import/);
  });
});

describe('the report on a card', () => {
  it.each<[string, Json]>([
    ['a list', { personality: ['kind', 'bold'] }],
    ['an object', { personality: { tone: 'kind' } }],
    ['a number', { personality: 7 }],
  ])('says that a field is not a text, and not what it is for: %s', (_, data) => {
    const { report } = read(v2(data));
    expect(report.understood.map(({ field }) => field)).not.toContain('personality');
    expect(report.kept).toContainEqual({ field: 'personality', note: 'is not a text' });
  });

  it('names macros that are left out of the texts', () => {
    const { report } = read(v2({ description: 'It is {{time}}.', first_mes: 'Hi {{user}}: {{roll:d6}}' }));
    expect(report.kept).toContainEqual({ field: '{{roll}}, {{time}}', note: 'left out of its texts' });
  });

  it('has a tone in one line, also where the card breaks it', () => {
    const { persona } = read(v2({ personality: 'Kind.{{newline}}Bold.\nCalm.' }));
    expect(persona.style.tone).toBe('Kind. Bold. Calm.');
  });

  it('says so of a character of ElizaOS, too', () => {
    const { report } = read({ name: 'Ann', bio: 'A baker.', system: ['x'] });
    expect(report.kept).toEqual([{ field: 'system', note: 'is not a text' }]);
  });

  it('names what is chosen, and what is cut', () => {
    const long = 'It is so. '.repeat(100);
    const talk = `{{user}}: Hello\n{{char}}: ${long}`;
    const { report } = read(v2({ name: 7, creator_notes: long, mes_example: talk }));
    expect(report.assumed).toEqual(
      expect.arrayContaining([
        { field: 'name', note: 'Unnamed' },
        { field: 'about', note: 'its beginning: 800 characters are in force' },
        { field: 'exampleDialogue', note: 'of a line its beginning: 600 characters are in force' },
      ]),
    );
    const topics = Array.from({ length: 9 }, (_, n) => `stone ${'x'.repeat(n)}`.trim());
    const eliza = read({ name: 'Ann '.repeat(30), bio: 'A baker.', topics });
    expect(eliza.report.assumed).toEqual(
      expect.arrayContaining([
        { field: 'name', note: 'its beginning: 60 characters are in force' },
        { field: 'quirks', note: expect.stringContaining('8 of its interests') },
      ]),
    );
  });

  it('chooses nothing for a card that says it all in few words', () => {
    const data = { creator_notes: 'A baker.', mes_example: '{{user}}: Hello\n{{char}}: Hey' };
    const fields = read(v2({ ...data, first_mes: 'Hi' })).report.assumed.map(({ field }) => field);
    expect(fields).toEqual(['traits', 'moodHalfLifeHours', 'style']);
  });
});

describe('example dialogue', () => {
  const talk = [
    [
      { who: 'person', text: 'Hello' },
      { who: 'companion', text: 'Hey: you' },
    ],
  ];

  it.each([
    '<START>\n{{user}}: Hello\n{{char}}: Hey: you',
    '<start>\r\n{{user}}: Hello\r\n{{char}}: Hey: you\r\n',
    '{{user}}：Hello\n{{char}}：Hey: you',
    '{{ user }}: Hello\n{{ Char }}: Hey: you',
    '**{{user}}:** Hello\n**{{char}}:** Hey: you',
    '**{{user}}**: Hello\n**Ann**: Hey: you',
    '"{{user}}": Hello\n"{{char}}": Hey: you',
    '_You_: Hello\n*Ann:* Hey: you',
    '*You: Hello*\n**Ann: Hey: you** ',
    '"You: Hello"\n“Ann: Hey: you”',
    '{{random_user_1}}: Hello\n{{char}}: Hey: you',
  ])('is read from %j', (text) => {
    expect(read(v2({ mes_example: text })).persona.exampleDialogue).toEqual(talk);
  });

  it('is in force also where the companion alone speaks', () => {
    const mes_example = '<START>\n{{char}}: Bread is patient.\n{{char}}: I am not.\n<START>\n{{char}}: Next!';
    const { persona, report } = read(v2({ mes_example, first_mes: 'Hi' }));
    const unsaid = { who: 'person', text: '…' };
    expect(persona.exampleDialogue).toEqual([
      [unsaid, { who: 'companion', text: 'Bread is patient.\nI am not.' }],
      [unsaid, { who: 'companion', text: 'Next!' }],
    ]);
    expect(report.assumed.map(({ field }) => field)).not.toContain('exampleDialogue');
  });

  it.each([
    ['{{char}}: **bold** and: more', '**bold** and: more'],
    ['{{char}}: *The clock*: five', '*The clock*: five'],
    ['{{char}}: Look.\nThe note：empty', 'Look.\nThe note：empty'],
    ['**{{char}}**: **loud**', '**loud**'],
    ['*{{char}}*: I walk *home*', 'I walk *home*'],
    ['{{char}}: Look.\n"Anna": no', 'Look.\n"Anna": no'],
  ])('keeps what is said as it is: %j', (line, text) => {
    const [exchange] = read(v2({ mes_example: `{{user}}: Hello\n${line}` })).persona.exampleDialogue;
    expect(exchange).toEqual([
      { who: 'person', text: 'Hello' },
      { who: 'companion', text },
    ]);
  });
});
