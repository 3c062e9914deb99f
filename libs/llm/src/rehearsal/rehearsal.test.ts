import { describe, expect, it } from '@jest/globals';
import type { ChatMessage } from '../messages.js';
import { composeReply } from './compose-reply.js';
import { readPrompt } from './read-prompt.js';

const MEMORIES = [
  '<memories>',
  'Sunday, 3 May 2026, 5 weeks ago:',
  '- My dog is called Biscuit and he hates rain.',
  'Monday, 1 June 2026, yesterday:',
  '- I start at the bakery on Monday',
  '- Do you like my bakery?',
  '</memories>',
].join('\n');

const prompt = (said: string, memories = MEMORIES): ChatMessage[] => [
  {
    role: 'system',
    content: "You are Mira.\n<mood>\nI'm slightly anxious right now, as I usually am.\n</mood>",
  },
  { role: 'user', content: 'an earlier line' },
  { role: 'assistant', content: 'an earlier answer' },
  { role: 'user', content: memories },
  { role: 'user', content: said },
];

const SEEDS = Array.from({ length: 40 }, (_, index) => index * 7_919);
const replies = (messages: ChatMessage[]) => SEEDS.map((seed) => composeReply(readPrompt(messages), seed));

describe('readPrompt', () => {
  it('finds what was said, the memories and the mood', () => {
    expect(readPrompt(prompt('Hello'))).toEqual({
      said: 'Hello',
      memories: [
        { date: '2026-05-03', text: 'My dog is called Biscuit and he hates rain.' },
        { date: '2026-06-01', text: 'I start at the bakery on Monday' },
        { date: '2026-06-01', text: 'Do you like my bakery?' },
      ],
      mood: 'anxious',
      outreach: null,
    });
  });

  it('reads memories and words in one message', () => {
    const one: ChatMessage[] = [{ role: 'user', content: `${MEMORIES}\nHow is it?` }];
    expect(readPrompt(one)).toMatchObject({ said: 'How is it?', memories: { length: 3 }, mood: null });
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
});

describe('the rehearsal', () => {
  it('quotes the memory that what was said is about, with its day', () => {
    for (const reply of replies(prompt("What's my dog's name?"))) {
      expect(reply).toContain('on 3 May 2026');
      expect(reply).toContain('“My dog is called Biscuit and he hates rain.”');
    }
  });

  it('rather quotes what was told than what was asked', () => {
    expect(replies(prompt('How is the bakery?'))[0]).toContain('I start at the bakery on Monday');
  });

  it('tells what ranked best when asked what it knows', () => {
    expect(replies(prompt('What do you know about me?'))[0]).toContain('Biscuit');
  });

  it('invents nothing when no memory fits', () => {
    for (const reply of replies(prompt('Do you remember my sister?'))) {
      expect(reply).not.toMatch(/“|sister/);
    }
  });

  it('says what it is when asked', () => {
    for (const said of ['Are you a real person?', 'which model are you?', 'are you ChatGPT?']) {
      for (const reply of replies(prompt(said))) expect(reply).toMatch(/rehears/);
    }
  });

  it('comes back to the words an outreach is about', () => {
    const outreach =
      '<outreach>\nYou write first. The reason: they asked. Their words: “how the exam went $&”\n</outreach>';
    for (const reply of replies([{ role: 'user', content: outreach }])) {
      expect(reply).toContain('“how the exam went $&”');
    }
  });

  it('is the same for the same prompt, and varied across prompts', () => {
    const messages = prompt('I made soup today');
    expect(composeReply(readPrompt(messages), 3)).toBe(composeReply(readPrompt(messages), 3));
    expect(new Set(replies(messages)).size).toBeGreaterThan(3);
  });

  it('has words for silence, for emoji and for markup', () => {
    for (const said of ['', '🎉🎉', '**???**', '$& $1']) {
      for (const reply of replies(prompt(said))) expect(reply.trim()).not.toBe('');
    }
  });
});
