import { describe, expect, it } from '@jest/globals';
import type { GatewayDispatchPayload } from 'discord.js';
import { readEvent } from './read-event.js';

const BOT = '100';
const READ_ONLY = { canReadHistory: true, canSend: false, canReact: true };
const view = {
  botId: BOT,
  reach: (channelId: string) =>
    channelId === 'read-only'
      ? READ_ONLY
      : channelId === 'no-history'
        ? { ...READ_ONLY, canSend: true, canReadHistory: false }
        : null,
  threadOf: (channelId: string) => ({ '300': null, '301': '300' })[channelId],
  names: {
    role: (guildId: string, id: string) => (guildId === '1' && id === '7' ? 'mods' : undefined),
    channel: (_guildId: string, _toldIn: string, id: string) => (id === '8' ? 'news' : undefined),
    ownRole: () => undefined,
  },
};
const alice = { id: '200', username: 'alice', global_name: 'Alice', discriminator: '0', avatar: null };
const message = {
  id: '900',
  channel_id: '300',
  author: alice,
  content: 'hello',
  timestamp: '2026-03-01T12:00:00.000Z',
  edited_timestamp: null,
  mentions: [],
  type: 0,
};

const NOW = new Date('2026-03-01T12:01:01.000Z');
const read = (t: string, d: object, now = NOW) =>
  readEvent({ op: 0, s: 1, t, d } as unknown as GatewayDispatchPayload, view, now);
const textOf = (d: object) => {
  const [event] = read('MESSAGE_CREATE', { ...message, ...d });
  return event?.content.kind === 'message' ? event.content.request.text : event?.content.kind;
};

describe('readEvent', () => {
  it('hears that a thread is deleted, and a channel with its threads, but not that a DM is closed', () => {
    const deleted = (channelId: string) => ({
      where: { channelId, isDirect: false },
      content: { kind: 'place-deleted', serverId: '1' },
    });
    const thread = { id: '301', guild_id: '1', parent_id: '300', type: 11 };
    expect(read('THREAD_DELETE', thread)).toEqual([deleted('301')]);
    const channel = { id: '300', guild_id: '1', type: 0, name: 'general' };
    expect(read('CHANNEL_DELETE', channel)).toEqual([deleted('300')]);
    expect(read('CHANNEL_DELETE', { id: '400', type: 1, recipients: [alice] })).toEqual([]);
  });

  it('hears a DM, whether its channel is known or not', () => {
    expect(read('MESSAGE_CREATE', message)).toEqual([
      {
        where: { channelId: '300', isDirect: true },
        content: {
          kind: 'message',
          id: '900',
          request: {
            from: { door: 'discord', subject: '200', displayName: 'Alice' },
            place: { door: 'discord', externalId: '300', kind: 'direct' },
            messageId: '900',
            text: 'hello',
            sentAt: '2026-03-01T12:00:00.000Z',
            answerable: 'by-reply',
          },
        },
      },
    ]);
  });

  it('hears in a server who speaks to the bot, and reads markup as names', () => {
    const mentions = [
      { ...alice, id: BOT, bot: true },
      { ...alice, id: '201', member: { nick: 'Bobby' } },
    ];
    const there = { guild_id: '1', member: { nick: 'Al' } };
    const content = `<@${BOT}> ask <@201> or <@&7> in <#8>`;
    expect(textOf({ ...there, mentions, content })).toBe('ask @Bobby or @mods in #news');
    expect(textOf({ ...there, mentions, content, guild_id: '2' })).toContain('@a role');
    expect(textOf(there)).toBe('nothing');
    expect(textOf({ ...there, mention_roles: ['400'] })).toBe('unclear');
    expect(textOf({ ...there, referenced_message: { author: { ...alice, id: BOT } }, type: 19 })).toBe(
      'hello',
    );
    const [event] = read('MESSAGE_CREATE', { ...message, ...there, mentions });
    expect(event?.content).toMatchObject({
      request: {
        from: { displayName: 'Alice' },
        within: { server: '1', nickname: 'Al' },
        place: { kind: 'channel' },
      },
    });
  });

  it.each([[null], [''], [undefined]])(
    'tells of no name of its own in a server that has none: %j',
    (nick) => {
      const there = { guild_id: '1', member: { nick, roles: ['7'] } };
      const [event] = read('MESSAGE_CREATE', { ...message, ...there, mentions: [{ ...alice, id: BOT }] });
      expect(event?.content).toMatchObject({ request: { from: { displayName: 'Alice' } } });
      const request = event?.content.kind === 'message' ? event.content.request : null;
      expect(request?.within).toEqual({ server: '1', roles: ['7'] });
    },
  );

  it('names the channel of a thread, and none for a channel', () => {
    const within = (channel_id: string) => {
      const mentions = [{ ...alice, id: BOT, bot: true }];
      const [event] = read('MESSAGE_CREATE', { ...message, guild_id: '1', mentions, channel_id });
      return event?.content.kind === 'message' && event.content.request.within;
    };
    expect(within('301')).toEqual({ server: '1', threadOf: '300' });
    expect(within('300')).toEqual({ server: '1' });
    expect(within('302')).toEqual({ server: '1' });
  });

  it('says how a message can be answered there, as far as that is known', () => {
    const answerable = (channel_id: string) => {
      const [event] = read('MESSAGE_CREATE', { ...message, channel_id });
      return event?.content.kind === 'message' && event.content.request.answerable;
    };
    expect(['300', 'no-history', 'read-only'].map(answerable)).toEqual(['by-reply', 'by-message', 'not']);
  });

  it.each([
    ['a bot', { author: { ...alice, bot: true } }],
    ['a webhook', { webhook_id: '5' }],
    ['who joins', { type: 7 }],
  ])('leaves alone %s', (_, part) => {
    expect(textOf(part)).toBe('nothing');
  });

  it('tells of edits and deletions, and not of links that unfold', () => {
    const where = { channelId: '300', isDirect: true };
    const edited = { ...message, content: 'hallo', edited_timestamp: '2026-03-01T12:01:00.000Z' };
    const revision = (messageId: string, text: string | null) => ({
      where,
      content: { kind: 'revision', revision: { door: 'discord', messageId, text } },
    });
    expect(read('MESSAGE_UPDATE', edited)).toEqual([revision('900', 'hallo')]);
    expect(read('MESSAGE_UPDATE', { ...edited, content: '' })).toEqual([revision('900', null)]);
    expect(read('MESSAGE_UPDATE', message)).toEqual([]);
    // Also after its session was away for minutes, and where the clock here is hours off.
    for (const time of ['2026-03-01T00:00:00Z', '2026-03-02T11:00:00Z'])
      expect(read('MESSAGE_UPDATE', edited, new Date(time))).toEqual([revision('900', 'hallo')]);
    // Pinned long after its last edit: a channel that it names may have another name since.
    expect(read('MESSAGE_UPDATE', edited, new Date('2026-03-02T12:02:00Z'))).toEqual([]);
    expect(read('MESSAGE_DELETE', { id: '900', channel_id: '300' })).toEqual([revision('900', null)]);
    expect(read('MESSAGE_DELETE_BULK', { ids: ['900', '901'], channel_id: '300' })).toEqual([
      revision('900', null),
      revision('901', null),
    ]);
    const there = { ...edited, guild_id: '1' };
    expect(read('MESSAGE_UPDATE', { ...there, author: { ...alice, bot: true } })).toEqual([]);
    expect(read('TYPING_START', { channel_id: '300' })).toEqual([]);
  });

  it('tells of an edit in a server that calls the bot as a message, too, unless that is an hour old', () => {
    const mentions = [{ ...alice, id: BOT, bot: true }];
    const edited = { ...message, guild_id: '1', mentions, edited_timestamp: '2026-03-01T12:01:00.000Z' };
    const kinds = (time: string) =>
      read('MESSAGE_UPDATE', edited, new Date(time)).map(({ content }) => content.kind);
    expect(kinds('2026-03-01T12:59:00Z')).toEqual(['revision', 'message']);
    expect(kinds('2026-03-01T13:01:00Z')).toEqual(['revision']);
  });

  it('tells of the pictures that an edit leaves', () => {
    const url = 'https://cdn.discordapp.com/attachments/1/2/cat.png';
    const attachments = [{ id: '1', filename: 'cat.png', content_type: 'image/png', size: 1_000, url }];
    const edited = { ...message, edited_timestamp: '2026-03-01T12:01:00.000Z' };
    const [kept] = read('MESSAGE_UPDATE', { ...edited, attachments });
    expect(kept?.content).toMatchObject({ kind: 'revision', revision: { pictures: [{ url }] } });
    const [bare] = read('MESSAGE_UPDATE', { ...edited, attachments: [] });
    expect(bare?.content).not.toHaveProperty('revision.pictures');
  });

  it('takes back what an edit leaves to others, and never sends on their words', () => {
    const edited = {
      ...message,
      guild_id: '1',
      content: 'for Bob alone',
      edited_timestamp: '2026-03-01T12:01:00.000Z',
    };
    const contents = (d: object) => read('MESSAGE_UPDATE', { ...edited, ...d }).map((event) => event.content);
    const takenBack = { kind: 'revision', revision: { door: 'discord', messageId: '900', text: null } };
    expect(contents({})).toEqual([takenBack]);
    const toBot = { type: 19, message_reference: { message_id: '899' } };
    const said = { author: { ...alice, id: BOT } };
    expect(contents({ ...toBot, referenced_message: said })).toMatchObject([
      { revision: { text: 'for Bob alone' } },
      { kind: 'message', id: '900' },
    ]);
    // The bot's own message was deleted meanwhile: this may have been a reply to it.
    expect(contents({ ...toBot, referenced_message: null })).toEqual([]);
    // So may the role that it mentions be the bot's.
    expect(contents({ mention_roles: ['400'] })).toEqual([]);
  });
});
