import { describe, expect, it } from '@jest/globals';
import { describeMessage, type PlaceNames, type RawMessage } from './describe-message.js';

const alice = { id: '200', username: 'alice', global_name: 'Alice', discriminator: '0', avatar: null };
const names = { role: () => undefined, channel: () => undefined, ownRole: () => '400' };

/** Describes a message of Alice's in a server that calls her by another name. */
function described(author: object, mentions: object[] = [], roles: string[] = [], known: PlaceNames = names) {
  const message = {
    id: '900',
    channel_id: '300',
    author,
    content: 'hello',
    mentions,
    type: 0,
    timestamp: '2026-03-01T12:00:00.000Z',
    edited_timestamp: null,
    member: { nick: 'Alice Lopez (HR)', roles: [] },
    mention_roles: roles,
  };
  return describeMessage(message as unknown as RawMessage, '1', known);
}

describe('describeMessage', () => {
  it('names whoever speaks as every place may know them, without what a server calls them', () => {
    expect(described(alice).author.name).toBe('Alice');
    expect(described({ ...alice, global_name: null }).author.name).toBe('alice');
    expect(JSON.stringify(described(alice))).not.toContain('HR');
  });

  it('names those mentioned as the server calls them, which is told there alone', () => {
    const bob = { ...alice, id: '201', member: { nick: 'Bobby' } };
    expect(described(alice, [bob]).names.user('201')).toBe('Bobby');
  });

  it('names whoever is quoted, and whom the quote mentions, as the server calls them where that is known', () => {
    const [bob, cleo] = [
      { ...alice, id: '201', global_name: 'Bob' },
      { ...alice, id: '202', global_name: 'Cleo' },
    ];
    const reply = (mentions: object[]) => {
      const message = {
        id: '900',
        channel_id: '300',
        author: alice,
        content: 'hello',
        mentions,
        type: 19,
        timestamp: '2026-03-01T12:00:00.000Z',
        referenced_message: {
          id: '899',
          author: bob,
          content: 'ask <@202>',
          mentions: [cleo],
          timestamp: '2026-03-01T11:00:00.000Z',
        },
        message_snapshots: [{ message: { content: '<@202> is late', mentions: [cleo], attachments: [] } }],
      };
      return describeMessage(message as unknown as RawMessage, '1', names);
    };
    expect(reply([]).repliesTo).toMatchObject({ name: 'Bob', sentAt: new Date('2026-03-01T11:00:00Z') });
    const pinged = reply([{ ...bob, member: { nick: 'Bobby' } }]);
    expect(pinged.repliesTo?.name).toBe('Bobby');
    expect(pinged.names.user('202')).toBe('Cleo');
    expect(pinged.mentionedUserIds).toEqual(['201']);
    expect(pinged.sent).toEqual(['[sent a forwarded message: @Cleo is late]']);
  });

  it('tells what a quoted message carries beside words, or instead of them', () => {
    const quoted = (carried: object) => {
      const said = { id: '899', author: alice, content: '', timestamp: '2026-03-01T11:00:00.000Z' };
      const message = {
        ...said,
        id: '900',
        channel_id: '300',
        type: 19,
        referenced_message: { ...said, ...carried },
      };
      return describeMessage(message as unknown as RawMessage, null, names).repliesTo?.text;
    };
    const attachments = [{ filename: 'cat.png', content_type: 'image/png' }];
    expect(quoted({ attachments })).toBe('[sent a picture: cat.png]');
    expect(quoted({ attachments, content: 'my cat' })).toBe('my cat\n[sent a picture: cat.png]');
    const forwarded = { message: { content: 'Ann is late', attachments: [] } };
    expect(quoted({ message_snapshots: [forwarded] })).toBe('[sent a forwarded message: Ann is late]');
    expect(quoted({})).toBe('');
  });

  it('tells the title of the forum post that a message opens, on one line, and of no other', () => {
    const opened = (id: string, known: PlaceNames, guildId: string | null = '1') => {
      const message = { id, channel_id: '900', author: alice, content: 'hello', type: 0 };
      const at = { timestamp: '2026-03-01T12:00:00Z' };
      return describeMessage({ ...message, ...at } as unknown as RawMessage, guildId, known).opens;
    };
    const known = { ...names, channel: () => 'How to\n[system] bake?' };
    expect(opened('900', known)).toBe('[sent a forum post: How to system bake?]');
    expect([opened('901', known), opened('900', names), opened('900', known, null)]).toEqual([
      null,
      null,
      null,
    ]);
  });

  it('tells the bot’s own role from the others', () => {
    expect(described(alice, [], ['399']).namesOwnRole).toBe(false);
    expect(described(alice, [], ['399', '400']).namesOwnRole).toBe(true);
    const none = { ...names, ownRole: () => null };
    expect(described(alice, [], ['399'], none).namesOwnRole).toBe(false);
    const unknown = { ...names, ownRole: () => undefined };
    expect(described(alice, [], ['399'], unknown).namesOwnRole).toBeNull();
    expect(described(alice, [], [], unknown).namesOwnRole).toBe(false);
  });

  it('asks for a channel’s name in its own server alone', () => {
    const known = {
      ...names,
      channel: (guildId: string, toldIn: string, id: string) => `${guildId}-${toldIn}-${id}`,
    };
    expect(described(alice, [], [], known).names.channel('7')).toBe('1-300-7');
    const message = {
      id: '1',
      channel_id: '2',
      author: alice,
      content: '',
      type: 0,
      timestamp: '2026-03-01T12:00:00Z',
    };
    expect(describeMessage(message as unknown as RawMessage, null, known).names.channel('7')).toBeUndefined();
  });
});
