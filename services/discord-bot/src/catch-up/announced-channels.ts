import type { Client } from 'discord.js';
import { reachIn } from '../places/reach.js';
import { snowflakeAt } from '../rest/snowflake-at.js';
import type { KnownChannel } from './plan-catch-up.js';

/**
 * Lists the channels and threads that Discord announced: all, those of one server, or one alone. Works out the bot's
 * permissions for these only: that is slow, and many places may be read again at once.
 */
export function announcedChannels(
  client: Client,
  only: { guildId: string } | { id: string } | null = null,
): KnownChannel[] {
  const isMeant = (channel: { id: string; guildId?: string }) =>
    only === null || ('id' in only ? channel.id === only.id : channel.guildId === only.guildId);
  return client.channels.cache
    .filter(isMeant)
    .filter((channel) => channel.isTextBased() && !channel.isDMBased())
    .map(({ id, lastMessageId, createdTimestamp }) => ({
      id,
      lastMessageId,
      // A thread that began with a message has the id of that message, which may be far older.
      madeAt: createdTimestamp === null ? id : snowflakeAt(new Date(createdTimestamp)),
      canRead: reachIn(client, id)?.canReadHistory !== false,
    }));
}
