import { describe, expect, it } from '@jest/globals';
import { MAX_MESSAGE_CHARACTERS } from '@kith/contracts';
import { readMessage, type HeardMessage } from './read-message.js';

const BOT = '100';
const heard: HeardMessage = {
  id: '900',
  channelId: '300',
  place: 'channel',
  author: { id: '200', name: 'Alice', isBot: false },
  isSystem: false,
  text: `<@${BOT}> hello`,
  mentionedUserIds: [BOT],
  repliesToUserId: null,
  names: {
    user: (id) => (id === '201' ? 'Bob' : undefined),
    role: (id) => (id === '7' ? 'mods' : undefined),
    channel: (id) => (id === '8' ? 'news' : undefined),
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
    expect(readMessage({ ...plain, repliesToUserId: BOT }, BOT).kind).toBe('turn');
    const direct = readMessage({ ...plain, place: 'direct' }, BOT);
    expect(direct).toMatchObject({ request: { place: { kind: 'direct', externalId: '300' } } });
  });

  it.each<[string, Partial<HeardMessage>]>([
    ['a bot', { author: { id: '555', name: 'Other', isBot: true } }],
    ['a bot', { author: { id: BOT, name: 'Mira', isBot: false } }],
    ['not a message', { isSystem: true }],
    ['not spoken to', { mentionedUserIds: ['201'] }],
    ['no words', { text: '' }],
    ['no words', { text: `<@${BOT}>` }],
  ])('leaves alone: %s', (reason, part) => {
    expect(readMessage({ ...heard, ...part }, BOT)).toEqual({ kind: 'ignore', reason });
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
