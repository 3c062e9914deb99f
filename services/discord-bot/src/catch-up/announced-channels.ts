import type { Client } from 'discord.js';
import { reachIn } from '../places/reach.js';
import { snowflakeAt } from '../rest/snowflake-at.js';
import type { KnownChannel } from './plan-catch-up.js';

/**
 * Lists the channels and threads that Discord announced, of all servers, of one, or one alone. Only of those the bot's
 * permissions are worked out: many places are read again at once, and with all of each the process would stand still.
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
