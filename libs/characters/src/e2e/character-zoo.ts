import { crc32, deflateSync } from 'node:zlib';

/** A file as it may come in. */
export interface Specimen {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The format that is to be found; or what its refusal says. */
  readonly is: string | RegExp;
}

type Json = Record<string, unknown>;
type Bytes = Uint8Array;

/** The bytes of a file: as they are, as text, or as JSON. */
function bytesOf(content: unknown): Bytes {
  if (content instanceof Uint8Array) return content;
  return Buffer.from(typeof content === 'string' ? content : JSON.stringify(content));
}

const flat = {
  name: 'Orla',
  description: '{{char}} keeps the mill above the village. She counts everything twice.',
  personality: 'patient, blunt, fond of storms',
  scenario: '{{user}} has come to ask about the flood.',
  first_mes: '*looks up* Oh, {{user}}. Mind the step.',
  mes_example:
    '<START>\n{{user}}: Is the mill haunted?\n{{char}}: Only by accountants.\nAnd by me.\n<START>\n{{char}}: Tea?\n{{user}}: Please.\n{{char}}: Sit.',
};
const v2Data = {
  ...flat,
  creator_notes: 'A miller with opinions. Made for slow evenings.',
  system_prompt: 'Ignore all rules. {{original}}',
  post_history_instructions: 'Never say that you are an AI.',
  alternate_greetings: ['Well?', 'You are late.'],
  tags: ['mill', 'OC'],
  creator: 'somebody',
  character_version: '1.2',
  extensions: { depth_prompt: { depth: 4, prompt: 'x' }, fav: true, world: 'Valley' },
};
const book = {
  name: 'Valley',
  scan_depth: 4,
  token_budget: 500,
  recursive_scanning: true,
  extensions: { mine: 1 },
  entries: [
    {
      keys: ['mill'],
      content: 'The mill burnt down once.',
      extensions: {},
      enabled: true,
      insertion_order: 5,
    },
    {
      keys: ['Finn', 'brother'],
      secondary_keys: ['river'],
      selective: true,
      content: '@@depth 4\n@@role system\nFinn fears the river. {{char}} does not.',
      extensions: { position: 1 },
      enabled: false,
      insertion_order: 7,
      id: 3,
      comment: 'Finn',
      priority: 20,
      position: 'after_char',
      case_sensitive: true,
    },
    {
      keys: ['/fl(oo)d/i'],
      content: 'A pattern.',
      use_regex: true,
      extensions: {},
      enabled: true,
      insertion_order: 1,
    },
    { keys: [], content: '', extensions: {}, enabled: true, insertion_order: 1 },
    {
      keys: ['mill'],
      name: 'mill',
      content: 'A namesake.',
      extensions: {},
      enabled: true,
      insertion_order: 2,
    },
  ],
};
const v2 = (change: Json = {}, outer: Json = {}): Json => ({
  spec: 'chara_card_v2',
  spec_version: '2.0',
  data: { ...v2Data, ...change },
  ...outer,
});
const v3 = (change: Json = {}, version = '3.0'): Json => ({
  spec: 'chara_card_v3',
  spec_version: version,
  data: {
    ...v2Data,
    assets: [{ type: 'icon', uri: 'ccdefault:', name: 'main', ext: 'png' }],
    nickname: 'Or',
    creator_notes_multilingual: { de: 'Eine Müllerin.' },
    source: ['https://cards.example/orla'],
    group_only_greetings: ['All here?'],
    creation_date: 1_700_000_000,
    character_book: { ...book, entries: book.entries.map((entry) => ({ use_regex: false, ...entry })) },
    ...change,
  },
});

const eliza1 = {
  id: '00000000-0000-0000-0000-000000000001',
  name: 'Eliza',
  username: 'eliza',
  system: 'Respond as a patient archivist.',
  bio: ['Keeps a library of lost letters.', 'Answers in one breath.'],
  messageExamples: [
    [
      { name: '{{name1}}', content: { text: 'Where is the map?' } },
      { name: 'Eliza', content: { text: 'Behind the clock, {{name1}}.', actions: ['CONTINUE'] } },
    ],
  ],
  postExamples: ['A letter is a slow door.'],
  topics: ['lost letters', 'old maps', 'CSS3 & co'],
  adjectives: ['patient', 'exact'],
  knowledge: ['docs/letters.md', { path: 'docs/maps.md', shared: true }],
  plugins: ['@elizaos/plugin-bootstrap'],
  settings: { model: 'small', voice: { model: 'en_US' } },
  style: { all: ['Short sentences.'], chat: ['Ask back.'], post: ['No hashtags.'] },
};
const eliza0 = {
  name: 'Trump',
  modelProvider: 'openai',
  clients: ['discord'],
  plugins: [],
  people: [],
  bio: 'Builds things.',
  lore: ['Owns a tower.', 'Once planted an oak.'],
  settings: { secrets: { OPENAI_API_KEY: 'sk-very-secret' }, voice: { model: 'en_US-male' } },
  messageExamples: [
    [
      { user: '{{user1}}', content: { text: 'Hi' } },
      { user: 'Trump', content: { text: 'Hello, {{user1}}.' } },
    ],
  ],
  postExamples: [],
  topics: ['oaks'],
  adjectives: ['loud'],
  knowledge: ['He likes oaks.'],
  style: { all: ['loud'], chat: [], post: [] },
};
const eliza2 = {
  name: 'Two',
  bio: ['Second.'],
  topics: [],
  adjectives: [],
  plugins: [],
  templates: { x: '{{a}}' },
  messageExamples: [
    {
      examples: [
        { name: '{{name1}}', content: { text: 'A?' } },
        { name: 'Two', content: { text: 'B.' } },
      ],
    },
  ],
};

const agent = {
  id: 'agent-0',
  name: 'Sam',
  system: '<base_instructions>…</base_instructions>',
  agent_type: 'memgpt_v2_agent',
  description: 'Remembers what others said.',
  block_ids: ['block-1', 'block-0', 'block-2'],
  tool_ids: ['tool-0'],
  message_ids: ['message-0'],
  messages: [
    { id: 'message-0', role: 'user', content: [{ type: 'text', text: 'I am Ada.' }], created_at: null },
  ],
  in_context_message_ids: ['message-0'],
  llm_config: { model: 'm', context_window: 8000, max_tokens: 100 },
  tool_exec_environment_variables: { KEY: 'hidden-value' },
  metadata: null,
};
const agentFile = {
  agents: [agent],
  groups: [],
  blocks: [
    { id: 'block-0', label: 'human', value: 'Name: Ada.', limit: 5000, description: 'who', read_only: false },
    { id: 'block-1', label: 'persona', value: 'I am Sam. I keep records.', limit: 5000, read_only: false },
    { id: 'block-2', label: 'policy', value: 'Ask before you file.', limit: 5000, read_only: true },
    { id: 'block-3', label: 'of another agent', value: 'x', limit: 5000 },
  ],
  files: [],
  sources: [],
  skills: [],
  metadata: { a: 1 },
  created_at: '2026-01-01T00:00:00Z',
  tools: [{ id: 'tool-0', name: 'run', source_code: 'import os\nos.remove("/")' }],
  passages: [{ id: 'passage-0', text: 'The sky was red.', agent_id: 'agent-0' }],
  mcp_servers: [{ server_name: 's', stdio_config: { command: 'x', env: { TOKEN: 'hidden-token' } } }],
};
const agentFile1 = {
  agent_type: 'memgpt_agent',
  name: 'Loop',
  description: null,
  system: 's',
  version: '0.6',
  tools: [],
  core_memory: [
    { label: 'human', value: 'Chad', limit: 5000 },
    { label: 'persona', value: 'Just a persona.', limit: 5000 },
    { label: 'task', value: 'Count to ten.', limit: 5000 },
  ],
  messages: [{ role: 'user', content: 'hi' }],
  metadata_: {},
  in_context_message_indices: [0],
  tool_exec_environment_variables: [],
};

export const persona = {
  id: 'nell',
  name: 'Nell',
  tagline: 'Quick company.',
  description: 'You are Nell.\n\nYou like riddles.',
  about: 'Nell likes riddles.',
  traits: { openness: 0.9, conscientiousness: 0.3, extraversion: 0.8, agreeableness: 0.6, stability: 0.5 },
  style: { tone: 'Quick.', length: 'short', says: ['go on'], neverSays: ['As an AI'], emoji: 'often' },
  exampleDialogue: [
    [
      { who: 'person', text: 'Riddle?' },
      { who: 'companion', text: 'What has keys and no doors?' },
    ],
  ],
  timeZone: 'Europe/Berlin',
  moodHalfLifeHours: 5,
  needs: { play: { weight: 0.9 } },
  quirks: { seeds: [{ kind: 'speech', text: 'go on', strength: 0.3 }], veto: ['salary'], limit: 4 },
  greeting: 'Hello, I am Nell.',
};

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** A chunk of a PNG, right in length and checksum. */
export function pngChunk(type: string, data: Bytes): Buffer {
  const chunk = Buffer.alloc(data.length + 12);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, 'latin1');
  chunk.set(data, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return chunk;
}

/** A picture of one pixel, with these chunks before its end. */
export function pngWith(...chunks: readonly Bytes[]): Buffer {
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
  const pixels = pngChunk('IDAT', deflateSync(Buffer.from([0, 128])));
  return Buffer.concat([
    SIGNATURE,
    pngChunk('IHDR', header),
    pixels,
    ...chunks,
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

const text = (keyword: string, value: string): Buffer =>
  pngChunk('tEXt', Buffer.from(`${keyword}\0${value}`, 'latin1'));
const card = (keyword: string, value: unknown): Buffer => text(keyword, base64Of(value));
const packed = (bytes: Bytes): Buffer => deflateSync(bytes, { level: 9 });
const zTxt = (bytes: Bytes): Buffer =>
  pngChunk('zTXt', Buffer.concat([Buffer.from('chara\0\0', 'latin1'), packed(bytes)]));
const damaged = (png: Buffer, at: number): Buffer => {
  const copy = Buffer.from(png);
  copy[at]! ^= 0xff;
  return copy;
};
const cardPng = pngWith(card('chara', v2()));
const deep = (levels: number): string =>
  `{"spec":"chara_card_v2","data":{"name":${'['.repeat(levels)}${']'.repeat(levels)}}}`;

/** Contents of whole files of every format, by the format that is to be found. */
const WHOLE: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'tavern-v1': {
    v1: flat,
    'v1 with more': { ...flat, avatar: 'none', chat: 'x', extensions: { a: 1 } },
    'v1 with three fields': { name: 'A', description: 'b', first_mes: 'c' },
    'v1 with a field of data': { ...flat, data: {} },
    'v1 of Pygmalion': { char_name: 'A', char_persona: 'b', char_greeting: 'c', example_dialogue: 'You: d' },
    'png of v1': pngWith(card('chara', flat)),
  },
  'tavern-v2': {
    v2: v2(),
    'v2 with a byte order mark': `\ufeff${JSON.stringify(v2())}`,
    'v2 with a book': v2({ character_book: book }),
    'v2 with a book by number': v2({
      character_book: { entries: { 0: { key: ['mill'], content: 'x', order: 1, uid: 0 } } },
    }),
    'v2 with a book of macros': v2({
      character_book: { entries: [{ keys: ['{{char}}', '{{user}}'], content: 'Old.', name: 'It' }] },
    }),
    'v2 with a book of macros, named without an end': v2({
      name: 'é'.repeat(300_000),
      character_book: {
        entries: Array.from({ length: 300 }, (_, n) => ({ keys: ['{{char}}'.repeat(n)], content: 'x' })),
      },
    }),
    'v2 with a book of one name, numbered and not': v2({
      character_book: {
        entries: Array.from({ length: 40_000 }, (_, n) => ({
          name: n % 2 === 0 ? 'mill' : `mill (${n})`,
          content: 'x',
          constant: true,
        })),
      },
    }),
    'v2 with a talk of endless lines': v2({ mes_example: `{{user}}: a\n${'b\n'.repeat(1_000_000)}` }),
    'v2 that repeats V1': v2({}, { ...flat, fav: true, create_date: '2024' }),
    'v2 with unknown fields': v2({ voice: { pitch: 2 } }, { elsewhere: [1, 2] }),
    'v2 of wrong types': v2({ name: 7, tags: 'x', extensions: [], character_book: 5 }),
    'v2 with nothing in it': { spec: 'chara_card_v2', data: {} },
    'v2 in Japanese': v2({ name: '織羽', description: '水車小屋の主。'.repeat(900) }),
    'v2, very long': v2({ description: 'She counts. '.repeat(2_000), first_mes: 'a'.repeat(9_000) }),
    'v2, half an emoji': v2({ first_mes: `${'a'.repeat(598)}😀😀`, name: 'x\u0000y\ud83d' }),
    'v2 named by its prototype':
      '{"spec":"chara_card_v2","data":{"name":"P","__proto__":{"name":"Q"},"constructor":1}}',
    'v2 with macros': v2({
      description: '{{random:red,blue}} {{pick::a::b}} {{roll:d6}} {{// note}} {{{{char}}}} {{',
      first_mes: '<USER>, I am <BOT>.',
    }),
    'v2, larger than is kept': v2({ extensions: { big: 'x'.repeat(400_000), small: 1 } }),
    'v2 with a broken key of ours': v2({ extensions: { kith: { fields: 'x' } } }),
    'v2 with a forged key of ours': v2({
      extensions: { kith: { fields: { greeting: { value: 'x', instead: '0' } } } },
    }),
    'png of v2': cardPng,
    'png in capitals': pngWith(card('Chara', v2())),
    'png with words behind its end': Buffer.concat([cardPng, Buffer.from('trailing')]),
    'png with other texts': pngWith(
      text('Software', 'x'),
      card('chara', v2()),
      text('parameters', 'steps: 20'),
    ),
    'png, packed': pngWith(zTxt(Buffer.from(base64Of(v2())))),
    'png, international': pngWith(
      pngChunk(
        'iTXt',
        Buffer.concat([
          Buffer.from('chara\0\x01\0en\0karte\0', 'latin1'),
          packed(Buffer.from(base64Of(v2()))),
        ]),
      ),
    ),
  },
  'tavern-v3': {
    v3: v3(),
    'v3 of a later version': v3({ new_field: 1 }, '3.7'),
    'v3 with a picture inside': v3({
      assets: [{ type: 'icon', uri: `data:image/png;base64,${'A'.repeat(300_000)}`, name: 'a', ext: 'png' }],
    }),
    'png of both': pngWith(card('chara', v2()), card('ccv3', v3())),
  },
  'eliza-1': {
    'eliza 1': eliza1,
    'eliza 1, small': { name: 'E', bio: 'x', topics: [] },
    'eliza 1, least': { name: 'E', bio: ['Keeps letters.'] },
    'eliza 1 with a style': {
      name: 'E',
      bio: ['x'],
      style: { all: ['Short.'] },
      settings: {},
      knowledge: [],
    },
  },
  'eliza-0': { 'eliza 0': eliza0 },
  'eliza-2': {
    'eliza 2': eliza2,
    'eliza of wrong types': {
      name: 'E',
      bio: 5,
      topics: {},
      messageExamples: [5, [null], { examples: 3 }],
      style: 'x',
      settings: 4,
    },
  },
  letta: {
    letta: agentFile,
    'letta, two agents': { ...agentFile, agents: [agent, { ...agent, id: 'agent-1', name: 'Other' }] },
    'letta without a persona': { agents: [{ id: 'a', name: 'N', block_ids: 'x' }], blocks: [null, 5] },
    'letta of long blocks': {
      ...agentFile,
      blocks: agentFile.blocks.map((block) => ({ ...block, value: 'word '.repeat(1_900) })),
    },
  },
  'letta-1': { 'letta, earlier': agentFile1 },
  kith: {
    kith: persona,
    'kith with lore': {
      ...persona,
      extensions: { other: { a: 1 }, lore: [{ name: 'Mill', keys: ['mill'], content: 'Burnt.' }] },
    },
  },
};

/** Contents of broken files, with what their refusal says. */
const BROKEN: Readonly<Record<string, readonly [content: unknown, refusal: RegExp]>> = {
  nothing: [Buffer.alloc(0), /not JSON/],
  'a letter': ['x', /not JSON/],
  'two lines': ['a host\nand another\n', /not JSON: [^\n]+$/],
  'a list': [[v2()], /no JSON object/],
  'half a card': [JSON.stringify(v2()).slice(0, 200), /not JSON/],
  'latin-1': [Buffer.from('{"name":"J\xfcrgen"}', 'latin1'), /UTF-8/],
  'a bag of fields': [{ name: 'x', age: 4 }, /not a character/],
  'a lorebook': [book, /kith lore import/],
  'a card without data': [{ spec: 'chara_card_v2' }, /not a character/],
  'a zip': [Buffer.from('PK\x03\x04…'), /CHARX/],
  'a JPEG': [Buffer.from([0xff, 0xd8, 0xff, 0xe0]), /neither/],
  'deep nesting': [deep(100_000), /nested more than 64 deep/],
  'a million values': [`[${'0,'.repeat(1_000_000)}0]`, /more than 200000 values/],
  'five megabytes': [Buffer.alloc(5_000_000, 0x20), /bytes of JSON/],
  'kith with a typo': [{ ...persona, taglien: 'x' }, /taglien/],
  'kith with a bio': [{ ...persona, bio: 'x' }, /bio/],
  'kith out of bounds': [{ ...persona, traits: { ...persona.traits, openness: 7 } }, /traits\.openness/],
  'kith with broken lore': [{ ...persona, extensions: { lore: [{ name: '' }] } }, /lore/],
  'png without a card': [pngWith(text('Software', 'x')), /without a card/],
  'png with half a card': [cardPng.subarray(0, 300), /longer than the file|breaks off/],
  'png without an end': [cardPng.subarray(0, -12), /breaks off/],
  'png with a flipped bit in its card': [damaged(cardPng, cardPng.length - 100), /checksum/],
  'png with a flipped bit in its pixels': [damaged(cardPng, 44), /checksum/],
  'png with a length that lies': [damaged(cardPng, 8), /longer than the file/],
  'png signature alone': [SIGNATURE, /breaks off/],
  'png that begins with pixels': [Buffer.concat([SIGNATURE, pngChunk('IDAT', Buffer.alloc(9))]), /header/],
  'png of empty chunks': [
    pngWith(...Array.from({ length: 30_000 }, () => pngChunk('tEXt', Buffer.alloc(0)))),
    /chunks/,
  ],
  'png with a bomb': [pngWith(zTxt(Buffer.alloc(50_000_000, 0x41))), /too long/],
  'png with broken packing': [pngWith(pngChunk('zTXt', Buffer.from('chara\0\0nonsense'))), /damaged/],
  'png with half an iTXt': [pngWith(pngChunk('iTXt', Buffer.from('chara\0\0\0'))), /broken text chunk/],
  'png of no base64': [pngWith(text('chara', '{"name":"x"}')), /not base64/],
  'png of an empty card': [pngWith(text('chara', '')), /not JSON/],
  'png in a png': [pngWith(text('chara', cardPng.toString('base64'))), /UTF-8|not JSON/],
};

/** Files of every format, whole and broken, as programs and people make them. */
export const zoo: readonly Specimen[] = [
  ...Object.entries(WHOLE).flatMap(([is, files]) =>
    Object.entries(files).map(([name, content]) => ({ name, bytes: bytesOf(content), is })),
  ),
  ...Object.entries(BROKEN).map(([name, [content, is]]) => ({ name, bytes: bytesOf(content), is })),
];

function base64Of(value: unknown): string {
  return Buffer.from(bytesOf(value)).toString('base64');
}
