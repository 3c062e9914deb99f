import { expect, it } from '@jest/globals';
import { Collection, type Client } from 'discord.js';
import { announcedChannels } from './announced-channels.js';

/** A client with ten servers of ten channels each, and how often the bot's permissions in one were worked out. */
function clientOf() {
  const asked: string[] = [];
  const channels = Array.from({ length: 100 }, (_, number) => {
    const id = String(number);
    return {
      id,
      guildId: `server-${number % 10}`,
      lastMessageId: null,
      createdTimestamp: null,
      isTextBased: () => true,
      isDMBased: () => false,
      guild: { members: { me: {} } },
      permissionsFor: () => (asked.push(id), null),
    };
  });
  const cache = new Collection(channels.map((channel) => [channel.id, channel]));
  return { asked, client: { user: {}, channels: { cache } } as unknown as Client };
}

it.each([
  ['all', null, 100],
  ['those of one server', { guildId: 'server-3' }, 10],
  ['one', { id: '42' }, 1],
])('works out what the bot may do in %s, where no others are asked for', (_, only, count) => {
  const { asked, client } = clientOf();
  expect(announcedChannels(client, only)).toHaveLength(count);
  expect(asked).toHaveLength(count);
});
