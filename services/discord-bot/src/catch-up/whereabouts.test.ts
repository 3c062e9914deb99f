import { expect, it } from '@jest/globals';
import { ChannelType } from 'discord-api-types/v10';
import { whereaboutsOf } from './whereabouts.js';

/** Asks about a channel of which Discord tells this, and which no session announced. */
const ask = (channel: object) => {
  const client = { channels: { cache: new Map() }, rest: { get: async () => channel } };
  return whereaboutsOf(client as never, '600');
};

it('a place is found in its server, a thread with its channel', async () => {
  const thread = { type: ChannelType.PublicThread, guild_id: '1', parent_id: '5' };
  expect(await ask(thread)).toEqual({ guildId: '1', threadOf: '5' });
  expect(await ask({ ...thread, type: ChannelType.GuildText })).toEqual({ guildId: '1', threadOf: null });
});

it('a place of which no server is told is not taken for a DM', async () => {
  await expect(ask({ type: ChannelType.GuildText })).rejects.toThrow('no server');
});
