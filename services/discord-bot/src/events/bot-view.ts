import { ChannelType, OverwriteType, PermissionFlagsBits } from 'discord-api-types/v10';
import type { Channel, Client, Role } from 'discord.js';
import type { PlaceNames } from './describe-message.js';
import type { BotView } from './read-event.js';
import { reachIn } from '../places/reach.js';

/** Channel or thread of a server. */
type InServer = Extract<Channel, { guildId: string }>;

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
      channel: (guildId, toldIn, id) => {
        const channel = channels.cache.get(id);
        return channel &&
          isInServer(channel) &&
          channel.guildId === guildId &&
          mayBeNamed(channel, channels.cache.get(toldIn), user?.id)
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

/**
 * Tells whether a channel's name may be told in another. Knowing an id must not reveal a name: it is told where everybody
 * in the server sees the channel, or where each role that sees the other one does and nobody was let in there by name.
 */
function mayBeNamed(channel: InServer, toldIn: Channel | undefined, botId: string | undefined): boolean {
  if (channel.id === toldIn?.id) return true;
  if (channel.type === ChannelType.PrivateThread) return false;
  const { everyone, cache: roles } = channel.guild.roles;
  if (isSeenBy(channel, everyone)) return true;
  if (!toldIn || !isInServer(toldIn)) return false;
  const letsInByName = placeOf(toldIn)?.permissionOverwrites.cache.some(
    ({ type, id, allow }) =>
      type === OverwriteType.Member && id !== botId && allow.has(PermissionFlagsBits.ViewChannel),
  );
  return letsInByName === false && roles.every((role) => !isSeenBy(toldIn, role) || isSeenBy(channel, role));
}

function isSeenBy(channel: InServer, role: Role): boolean {
  return placeOf(channel)?.permissionsFor(role).has(PermissionFlagsBits.ViewChannel) === true;
}

/** The channel that decides who sees this one: that of a thread, if it is known, or itself. */
function placeOf(channel: InServer) {
  return channel.isThread() ? channel.parent : channel;
}

function isInServer(channel: Channel): channel is InServer {
  return !channel.isDMBased();
}
