import { ChannelType } from 'discord-api-types/v10';
import type { Channel, Client } from 'discord.js';
import type { PlaceNames } from './describe-message.js';
import type { BotView } from './read-event.js';
import { reachIn } from '../places/reach.js';

/** Names for a resumed session, which gets no list of servers. */
export const NO_NAMES: PlaceNames = {
  role: () => undefined,
  channel: () => undefined,
  ownRole: () => undefined,
};

/** The channels of a server; null while it is out of reach. */
export function channelsOf({ guilds }: Client, serverId: string): string[] | null {
  const guild = guilds.cache.get(serverId);
  return guild?.available ? [...guild.channels.cache.keys()] : null;
}

/** Reads names and permissions from a connected client. */
export function botViewOf(client: Client): BotView {
  const { user, guilds, channels } = client;
  return {
    reach: (channelId) => reachIn(client, channelId),
    threadOf: (channelId) => {
      const channel = channels.cache.get(channelId);
      return channel?.isThread() ? channel.parentId : null;
    },
    botId: user?.id ?? '',
    names: {
      role: (guildId, id) => guilds.cache.get(guildId)?.roles.cache.get(id)?.name,
      channel: (guildId, id) => {
        const channel = channels.cache.get(id);
        // Knowing a channel's id must not reveal its name: names of other servers and private threads are not shown.
        return channel && 'guildId' in channel && channel.guildId === guildId && !isPrivate(channel)
          ? channel.name
          : undefined;
      },
      ownRole: (guildId) => {
        const roles = guilds.cache.get(guildId)?.roles;
        return user && roles?.cache.size ? (roles.botRoleFor(user)?.id ?? null) : undefined;
      },
    },
  };
}

function isPrivate({ type }: Channel): boolean {
  return type === ChannelType.PrivateThread;
}
