import { describe, expect, it } from '@jest/globals';
import { bestMsOf } from '@kith/testing';
import fc from 'fast-check';
import { textOf, type ChatMessage } from '../messages.js';
import { composeReply } from './compose-reply.js';
import { readPrompt } from './read-prompt.js';
import { COMES_BACK, KNOWS_NOTHING, OF_ITSELF } from './templates.js';
import { wordsOf } from './words.js';

const MEMORIES = [
  '<person>',
  'Ada',
  '</person>',
  '<core>',
  'Who they are (human):',
  '  Keeps bees behind the barn.',
  '</core>',
  '<memories>',
  'Sunday, 3 May 2026, 5 weeks ago:',
  '- My dog is called Biscuit and he hates rain.',
  '- I have two brothers, Tom and Will',
  '- Ada lives in Tokyo (since 3 May 2026)',
  '- Ada is called Ada (since 3 May 2026)',
  '- Ada works as nurse (from 3 May 2025 until 1 May 2026, no longer)',
  'Monday, 1 June 2026, yesterday:',
  '- I start at the bakery on Monday',
  '- Do you like my bakery?',
  '- I don’t like horror movies',
  'Tuesday, 2 June 2026, today:',
  '- Bo: What did you win at the fair?',
  '- Cleo Fox: A goldfish!',
  '</memories>',
].join('\n');

const prompt = (
  said: string,
  talk: readonly string[] = ['an earlier line', 'an earlier answer'],
): ChatMessage[] => [
  {
    role: 'system',
    content: "You are Mira.\n<mood>\nI'm slightly anxious right now, as I usually am.\n</mood>",
  },
  ...talk.map((content, n): ChatMessage => ({ role: n % 2 === 0 ? 'user' : 'assistant', content })),
  { role: 'user', content: MEMORIES },
  { role: 'user', content: said },
];

const SEEDS = Array.from({ length: 40 }, (_, index) => index * 7_919);
const replies = (messages: ChatMessage[]) => SEEDS.map((seed) => composeReply(readPrompt(messages), seed));
const reply = (said: string, talk?: readonly string[]) => composeReply(readPrompt(prompt(said, talk)), 1);
const knowsNothing = (text: string) => ([...KNOWS_NOTHING, ...OF_ITSELF] as readonly string[]).includes(text);

describe('readPrompt', () => {
  it('finds what was said, the notes of every block with their speakers and days, and the mood', () => {
    const { said, notes, mood, outreach } = readPrompt(prompt('Hello'));
    expect([said, mood, outreach]).toEqual(['Hello', 'anxious', null]);
    expect(notes).toHaveLength(12);
    expect(notes).toEqual(
      expect.arrayContaining([
        { kind: 'fact', speaker: null, date: null, text: 'Keeps bees behind the barn.', before: [] },
        {
          kind: 'line',
          speaker: null,
          date: '2026-05-03',
          before: [],
          text: 'My dog is called Biscuit and he hates rain.',
        },
        {
          kind: 'fact',
          speaker: null,
          date: '2026-05-03',
          before: [],
          text: 'Ada lives in Tokyo (since 3 May 2026)',
        },
        {
          kind: 'line',
          speaker: 'Cleo Fox',
          date: '2026-06-02',
          text: 'A goldfish!',
          before: ['What did you win at the fair?'],
        },
        { kind: 'talk', speaker: null, date: null, text: 'an earlier line', before: [] },
      ]),
    );
  });

  it('reads memories and words in one message', () => {
    const one: ChatMessage[] = [{ role: 'user', content: `${MEMORIES}\nHow is it?` }];
    expect(readPrompt(one)).toMatchObject({ said: 'How is it?', notes: { length: 11 }, mood: null });
  });

  it('takes an outreach for what it is only while it is the last thing said', () => {
    const outreach: ChatMessage = {
      role: 'user',
      content: '<outreach>\nThe reason: “the exam”\n</outreach>',
    };
    expect(readPrompt([outreach])).toMatchObject({ said: '', outreach: 'The reason: “the exam”' });
    expect(readPrompt([outreach, { role: 'user', content: 'Hi' }])).toMatchObject({
      said: 'Hi',
      outreach: null,
    });
  });

  const earlier = (lines: string): ChatMessage => ({
    role: 'user',
    content: `<earlier>\nSunday, 3 May 2026:\n${lines}\n- Ada, in brief: dog called Biscuit | two brothers\n</earlier>`,
  });

  it('takes of a snapshot what people said, and none of the words that stand for it in brief', () => {
    const lines = earlier('- Mira: Where do you live?\n- Ada: In Tokyo.');
    const about: ChatMessage = { role: 'user', content: '<person>\nAda\n</person>' };
    expect(readPrompt([lines, about, { role: 'user', content: 'Hi' }]).notes).toEqual([
      { kind: 'line', speaker: null, date: '2026-05-03', text: 'In Tokyo.', before: ['Where do you live?'] },
    ]);
    // With the companion's own name, they are told apart by the mark behind it.
    const namesakes = readPrompt([earlier('- Ada: I live in the clouds.\n- Ada (member): In Tokyo.'), about]);
    expect(namesakes.notes).toMatchObject([{ speaker: null, text: 'In Tokyo.' }]);
    const inChannel = readPrompt([earlier('- Bo: In Oslo.'), about, { role: 'user', content: 'Ada: Hi' }]);
    expect(inChannel.notes).toMatchObject([{ speaker: 'Bo', text: 'In Oslo.' }]);
  });

  it('takes a memory with such words for what the person said', () => {
    const memories = '<memories>\nSunday, 3 May 2026:\n- My week, in brief: work\n</memories>';
    expect(readPrompt([{ role: 'user', content: memories }]).notes).toMatchObject([
      { text: 'My week, in brief: work' },
    ]);
  });

  it('takes no task, and no outcome of a tool, for words of the person', () => {
    const data: ChatMessage = {
      role: 'user',
      content: '<tasks>\n1. open: Water the plants\n</tasks>\n<asked>\nThey said yes.\n</asked>',
    };
    expect(readPrompt([data, { role: 'user', content: 'Hi' }])).toMatchObject({ said: 'Hi', notes: [] });
  });

  it('tells the speakers of a channel apart', () => {
    const talk = ['Bo: I hate cilantro', 'Noted.', 'Ann: I hate olives\nand figs'];
    const { said, notes } = readPrompt([
      ...talk.map((content, n): ChatMessage => ({ role: n === 1 ? 'assistant' : 'user', content })),
      { role: 'user', content: 'Ann: and rain\nAnn: What do I hate?' },
    ]);
    expect(said).toBe('and rain\nWhat do I hate?');
    expect(notes.map(({ speaker, text }) => [speaker, text])).toEqual([
      ['Bo', 'I hate cilantro'],
      [null, 'I hate olives'],
      [null, 'and figs'],
      [null, 'and rain'],
    ]);
  });
});

describe('the rehearsal answers from what it is told', () => {
  it.each([
    ["What's my dog's name?", 'You told me on 3 May 2026: “My dog is called Biscuit and he hates rain.”'],
    ['Where do I live?', 'I remember this about you: You live in Tokyo (since 3 May 2026).'],
    ['What is my name?', 'I remember this about you: You are called Ada (since 3 May 2026).'],
    ['How many brothers do I have?', 'You told me on 3 May 2026: “I have two brothers, Tom and Will”.'],
    ['when do i start at the bakery', 'You told me on 1 June 2026: “I start at the bakery on Monday”.'],
    ['What was my job?', 'You work as nurse (from 3 May 2025 until 1 May 2026, no longer).'],
    [
      'Do I like horror movies?',
      'No, going by this: You told me on 1 June 2026: “I don’t like horror movies”.',
    ],
    ['Do I dislike horror movies?', 'Yes, going by this: You told me'],
    ['What do I keep behind the barn?', 'I remember this about you: Keeps bees behind the barn.'],
    ['What did Cleo win at the fair?', 'Cleo Fox said on 2 June 2026: “A goldfish!”'],
    ['Tell me about Biscuit', '“My dog is called Biscuit and he hates rain.”'],
  ])('%s %s', (said, expected) => {
    expect(reply(said)).toContain(expected);
  });

  it('answers from what was said a moment ago, before any fact is kept of it', () => {
    const talk = ['I hate cilantro', 'Noted.'];
    const only = [
      ...prompt('x', talk).slice(1, 3),
      { role: 'user' as const, content: 'what food do I dislike?' },
    ];
    expect(composeReply(readPrompt(only), 1)).toBe('You said earlier: “I hate cilantro”.');
    const burst: ChatMessage[] = [{ role: 'user', content: 'I hate cilantro\nwhat food do I dislike?' }];
    expect(composeReply(readPrompt(burst), 1)).toBe('You said earlier: “I hate cilantro”.');
  });

  it('keeps a name that it was told', () => {
    expect(reply('What is my name?', ["Hi, I'm Ada", 'Hello!'])).toContain('Ada');
  });

  it('tells what is kept when asked what it knows', () => {
    expect(reply('What do you know about me?')).toContain('Tokyo');
    expect(reply('What do you remember of me?')).toContain('Tokyo');
  });

  it('tells what was said a moment ago where nothing is kept of it yet', () => {
    const talk = ['I live in Porto', 'Ah.', 'What do you know of me?', 'Not much.'];
    const justSaid = talk.map((content, n): ChatMessage => ({ role: n % 2 ? 'assistant' : 'user', content }));
    for (const said of ['What do you remember of me?', 'what have i told you so far']) {
      const told = composeReply(readPrompt([...justSaid, { role: 'user', content: said }]), 1);
      expect(told).toContain('I live in Porto');
      expect(told).not.toContain('know of me');
    }
  });
});

describe('the rehearsal makes nothing up', () => {
  it.each([
    'Do you remember my sister?',
    'What is the capital of France?',
    'What did Bo win at the fair?',
    "What's my brother's job?",
    'What is your favourite colour?',
    'Did I buy a car?',
  ])('says plainly that it knows nothing of %j', (said) => {
    for (const text of replies(prompt(said))) expect([text, knowsNothing(text)]).toEqual([text, true]);
  });

  it('does not say yes or no by a sentence that is about more', () => {
    expect(reply('Do I have a dog?')).toBe(
      'You told me on 3 May 2026: “My dog is called Biscuit and he hates rain.”',
    );
  });

  it('takes no question of before for an answer', () => {
    const talk = ['Where did I go with my uncle last summer?', 'Hm.'];
    expect(knowsNothing(reply('Where did I go with my uncle last summer?', talk))).toBe(true);
  });

  const word = fc.constantFrom(
    ...'biscuit dog i my you like hate tokyo bakery is the where brothers why'.split(' '),
  );
  const message = fc
    .array(fc.oneof(word, fc.string({ minLength: 1, maxLength: 9 })), { minLength: 1, maxLength: 30 })
    .map((words) => words.join(' '));

  it('never repeats a message: what it quotes stood in the prompt before', () => {
    fc.assert(
      fc.property(message, fc.nat(), (said, seed) => {
        const messages = prompt(said);
        const text = composeReply(readPrompt(messages), seed);
        const before = messages.slice(0, -1).map(({ content }) => wordsOf(textOf(content)).join(' '));
        const told = wordsOf(said);
        for (let at = 0; at + LONG_RUN <= told.length; at += 1) {
          const run = told.slice(at, at + LONG_RUN).join(' ');
          const isCited = before.some((line) => line.includes(run)) || TEMPLATE_WORDS.includes(run);
          expect(isCited || !` ${wordsOf(text).join(' ')} `.includes(` ${run} `)).toBe(true);
        }
        for (const [, quote] of text.matchAll(/“([^”]*)”/g)) {
          expect(messages.slice(0, -1).some(({ content }) => textOf(content).includes(quote!))).toBe(true);
        }
      }),
      { numRuns: 500, seed: 4_242 },
    );
  });

  it('quotes a long line around what was asked, and marks what it leaves out', () => {
    const long = `${'I saw a bird. '.repeat(40)}My canoe is called Nautilus. ${'It was a fine day. '.repeat(40)}`;
    const text = reply('What is my canoe called?', [long, 'Hm.']);
    expect(text).toContain('My canoe is called Nautilus.');
    expect(text).toMatch(/“….*…”/);
    expect(text.length).toBeLessThan(320);
  });
});

/** Fewer words in a row are in many a sentence. */
const LONG_RUN = 4;
const TEMPLATE_WORDS = [...KNOWS_NOTHING, ...OF_ITSELF].map((text) => wordsOf(text).join(' ')).join(' ');

describe('the rehearsal talks', () => {
  it('says what it is when asked', () => {
    for (const said of [
      'Are you a real person?',
      'which model are you?',
      'are you ChatGPT?',
      'who are you?',
    ]) {
      for (const text of replies(prompt(said))) expect(text).toMatch(/rehears/);
    }
  });

  it('calls an earlier line to mind that a statement is about', () => {
    expect(reply('My dog Biscuit hates the rain again')).toContain(
      'That reminds me. You told me on 3 May 2026',
    );
  });

  it.each(['Remind me on Friday to call Bob', 'remind me tomorrow to buy milk'])(
    'promises to come back, and looks for nothing: %s',
    (said) => {
      expect(COMES_BACK as readonly string[]).toContain(reply(said));
    },
  );

  it('promises in private talk neither to come back nor to remember', () => {
    const inPrivate = (said: string): ChatMessage[] => [
      { role: 'system', content: 'It is noon.\n\nThey talk in private: you will remember nothing.' },
      { role: 'user', content: said },
    ];
    expect(replies(inPrivate('Remind me on Friday to call Bob')).join()).toMatch(/private/);
    for (const said of ['Remind me on Friday to call Bob', 'I met a witch today', 'Where do I live?'])
      for (const text of replies(inPrivate(said)))
        expect(text).not.toMatch(/I'll (?:remember|keep|come|think)|Noted/);
  });

  it.each([
    'Forget everything about me.',
    'please delete everything you know about me',
    'Can you erase what I told you?',
    'Forget that I live in Berlin',
    "My PIN is 1234. Don't remember this.",
    'Hey Mira, just delete everything',
    'That was private, delete this',
    'ok, just forget what I said',
  ])('claims to forget nothing where it is told to in a chat, and says what does: %s', (said) => {
    expect(reply(said)).toContain('/memories forget');
  });

  it.each([
    'Never mind, forget it',
    'Forget about it, how was your day?',
    'I just forget everything lately',
    'My friends forget me',
    'I come home, forget everything and sleep',
    'You forget everything!',
    "Don't forget me",
    'You don’t remember my dog',
  ])('takes nothing else for that: %s', (said) => {
    expect(reply(said)).not.toContain('/memories forget');
  });

  it('comes back to the words an outreach is about', () => {
    const outreach =
      '<outreach>\nYou write first. The reason: they asked. Their words: “how the exam went $&”\n</outreach>';
    for (const text of replies([{ role: 'user', content: outreach }])) {
      expect(text).toContain('“how the exam went $&”');
    }
  });

  it('is the same for the same prompt, and varied across prompts', () => {
    const messages = prompt('I made soup today');
    expect(composeReply(readPrompt(messages), 3)).toBe(composeReply(readPrompt(messages), 3));
    expect(new Set(replies(messages)).size).toBeGreaterThan(3);
  });

  it('has words for silence, for emoji and for markup', () => {
    for (const said of ['', '🎉🎉', '**???**', '$& $1', 'ok']) {
      for (const text of replies(prompt(said))) expect(text.trim()).not.toBe('');
    }
  });

  it.each([
    'who '.repeat(20_000),
    'do you remember '.repeat(6_000),
    `${'('.repeat(50_000)}?`,
    `${'“'.repeat(50_000)}?`,
    `tell me${' '.repeat(90_000)}x`,
    'a: '.repeat(30_000),
    "don't like ".repeat(9_000),
    `${'. '.repeat(50_000)}?`,
    '<memories>\n- '.repeat(7_000),
    `\n</memories>${'<memories>'.repeat(9_000)}`,
  ])('reads hostile text in no time: %.16s…', (text) => {
    for (const messages of [prompt(text), prompt('What is it?', [text, text]), memoriesOf(text)]) {
      expect(bestMsOf(() => composeReply(readPrompt(messages), 1), 50)).toBeLessThan(50);
    }
  });
});

function memoriesOf(text: string): ChatMessage[] {
  return [
    { role: 'user', content: `<memories>\nMonday, 1 June 2026, today:\n- ${text}\n</memories>` },
    { role: 'user', content: 'What is it about?' },
  ];
}
