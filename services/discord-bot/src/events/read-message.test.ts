import { describe, expect, it } from '@jest/globals';
import { CALLED, MAX_MESSAGE_CHARACTERS, WORDLESS_REPLY } from '@kith/contracts';
import { readMessage, type IncomingMessage } from './read-message.js';

const BOT = '100';
const sentAt = new Date('2026-03-01T11:00:00Z');
const heard: IncomingMessage = {
  id: '900',
  channelId: '300',
  place: 'channel',
  author: { id: '200', name: 'Alice', isBot: false },
  isSystem: false,
  text: `<@${BOT}> hello`,
  mentionedUserIds: [BOT],
  namesOwnRole: false,
  opens: null,
  sent: [],
  pictures: [],
  repliesTo: null,
  names: {
    user: (id) => (id === '201' ? 'Bob' : undefined),
    role: (id) => (id === '7' ? 'mods' : undefined),
    channel: (id: string) => (id === '8' ? 'news' : undefined),
  },
  sentAt: new Date('2026-03-01T12:00:00Z'),
};

const textOf = (text: string): string | undefined => {
  const reading = readMessage({ ...heard, text }, BOT);
  return reading.kind === 'turn' ? reading.request.text : undefined;
};

describe('readMessage', () => {
  it('makes a turn of a mention, without the mention', () => {
    expect(readMessage(heard, BOT)).toEqual({
      kind: 'turn',
      request: {
        from: { door: 'discord', subject: '200', displayName: 'Alice' },
        place: { door: 'discord', externalId: '300', kind: 'channel' },
        messageId: '900',
        text: 'hello',
        sentAt: '2026-03-01T12:00:00.000Z',
      },
    });
  });

  it('makes turns of replies to the bot and of DMs', () => {
    const plain = { ...heard, text: 'and then?', mentionedUserIds: [] };
    expect(
      readMessage(
        { ...plain, repliesTo: { messageId: '900', userId: BOT, name: 'Mira', text: 'Well.', sentAt } },
        BOT,
      ).kind,
    ).toBe('turn');
    const direct = readMessage({ ...plain, place: 'direct' }, BOT);
    expect(direct).toMatchObject({ request: { place: { kind: 'direct', externalId: '300' } } });
  });

  it.each<[string, Partial<IncomingMessage>]>([
    ['a bot', { author: { id: '555', name: 'Other', isBot: true } }],
    ['a bot', { author: { id: BOT, name: 'Mira', isBot: false } }],
    ['not a message', { isSystem: true }],
    ['not spoken to', { mentionedUserIds: ['201'] }],
    ['no words', { text: '', place: 'direct', mentionedUserIds: [] }],
  ])('leaves alone: %s', (reason, part) => {
    expect(readMessage({ ...heard, ...part }, BOT)).toEqual({ kind: 'ignore', reason });
  });

  it('makes turns of what has no words: a call, a picture, a reply whose words Discord keeps back', () => {
    expect(textOf(`<@${BOT}>`)).toBe(CALLED);
    const wordless = (part: Partial<IncomingMessage>) => {
      const reading = readMessage({ ...heard, text: '', ...part }, BOT);
      return reading.kind === 'turn' ? reading.request.text : undefined;
    };
    const pictures = [{ url: 'https://cdn.discordapp.com/attachments/1/2/cat.png' }];
    const reading = readMessage({ ...heard, sent: ['[sent a picture: cat.png]'], pictures }, BOT);
    expect(reading).toMatchObject({ request: { pictures } });
    expect(wordless({ sent: ['[sent a picture: cat.png]'] })).toBe('[sent a picture: cat.png]');
    const toBot = { messageId: '900', userId: BOT, name: 'Mira', text: 'Well.', sentAt };
    expect(wordless({ mentionedUserIds: [], repliesTo: toBot })).toBe(WORDLESS_REPLY);
    // Of whoever mentions the bot's role Discord keeps the words back.
    expect(wordless({ mentionedUserIds: [], namesOwnRole: true })).toBe(CALLED);
    expect(wordless({ text: 'look', sent: ['[sent a picture]'] })).toBe('look\n[sent a picture]');
  });

  it('puts the title of a forum post before its text', () => {
    const opens = '[sent a forum post: Bread]';
    const words = (text: string) => {
      const reading = readMessage({ ...heard, text, opens }, BOT);
      return reading.kind === 'turn' && reading.request.text;
    };
    expect(words(`<@${BOT}> how?`)).toBe(`${opens}\nhow?`);
    expect(words(`<@${BOT}>`)).toBe(opens);
  });

  it('tells what a reply refers to, and whose words those are', () => {
    const quoteOf = (repliesTo: IncomingMessage['repliesTo']) => {
      const reading = readMessage({ ...heard, repliesTo }, BOT);
      return reading.kind === 'turn' ? reading.request.quote : undefined;
    };
    expect(quoteOf({ messageId: '900', userId: BOT, name: 'Mira', text: 'I like rain.', sentAt })).toEqual({
      messageId: '900',
      name: null,
      text: 'I like rain.',
    });
    const bobs = { messageId: '900', userId: '201', name: 'Bob', sentAt };
    expect(quoteOf({ ...bobs, text: 'x'.repeat(5_000) })).toEqual({
      messageId: '900',
      name: 'Bob',
      text: 'x'.repeat(1_000),
      author: { subject: '201', saidAt: '2026-03-01T11:00:00.000Z' },
    });
    expect(quoteOf({ ...bobs, text: '' })).toBeUndefined();
  });

  it('puts names in place of mentions', () => {
    expect(textOf(`hey <@!201>, ask <@&7> in <#8> or <@999> <:wave:123>`)).toBe(
      'hey @Bob, ask @mods in #news or @someone :wave:',
    );
    expect(textOf(`<@${BOT}>, hi <@${BOT}>`)).toBe('hi');
    expect(textOf(`I told <@${BOT}> so`)).toBe('I told you so');
  });

  it('cuts what is too long, but no character in half', () => {
    const text = textOf(`${'x'.repeat(MAX_MESSAGE_CHARACTERS - 1)}🦊`);
    expect(text).toBe('x'.repeat(MAX_MESSAGE_CHARACTERS - 1));
  });
});
