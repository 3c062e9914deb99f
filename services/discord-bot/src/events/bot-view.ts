import { ChannelType, OverwriteType, PermissionFlagsBits } from 'discord-api-types/v10';
import type { Channel, Client, PermissionOverwrites, Role } from 'discord.js';
import type { PlaceNames } from './describe-message.js';
import type { BotView } from './read-event.js';
import { reachIn } from '../places/reach.js';

/** Channel or thread of a server. */
type InServer = Extract<Channel, { guildId: string }>;

const VIEW = PermissionFlagsBits.ViewChannel;

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
      return channel && (channel.isThread() ? channel.parentId : null);
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
 * in the server sees the channel, or where each role that people have and that sees the other one
 * does, and nobody was let in there by name.
 */
function mayBeNamed(channel: InServer, toldIn: Channel | undefined, botId: string | undefined): boolean {
  if (channel.id === toldIn?.id) return true;
  if (channel.type === ChannelType.PrivateThread) return false;
  const { everyone, cache } = channel.guild.roles;
  const roles = cache.filter(({ tags }) => tags?.botId === undefined);
  // Whoever is shut out, or has a role that is, may be in any place.
  const isShutOut = ({ type, id }: PermissionOverwrites) =>
    type === OverwriteType.Member || (id !== everyone.id && roles.has(id));
  if (hasOverwrite(channel, (overwrite) => overwrite.deny.has(VIEW) && isShutOut(overwrite))) return false;
  if (isSeenBy(channel, everyone)) return true;
  if (!toldIn || !isInServer(toldIn)) return false;
  const letsInByName = hasOverwrite(
    toldIn,
    ({ type, id, allow }) => type === OverwriteType.Member && id !== botId && allow.has(VIEW),
  );
  return !letsInByName && roles.every((role) => !isSeenBy(toldIn, role) || isSeenBy(channel, role));
}

/** True also where the overwrites are not known. */
function hasOverwrite(channel: InServer, isMeant: (overwrite: PermissionOverwrites) => boolean): boolean {
  return placeOf(channel)?.permissionOverwrites.cache.some(isMeant) ?? true;
}

function isSeenBy(channel: InServer, role: Role): boolean {
  return placeOf(channel)?.permissionsFor(role).has(VIEW) === true;
}

/** The channel that decides who sees this one: that of a thread, if it is known, or itself. */
function placeOf(channel: InServer) {
  return channel.isThread() ? channel.parent : channel;
}

function isInServer(channel: Channel): channel is InServer {
  return !channel.isDMBased();
}
