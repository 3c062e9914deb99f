import { ChannelType, Routes } from 'discord-api-types/v10';
import type { Client } from 'discord.js';

/** Whereabouts of a DM. */
export const NOWHERE = { guildId: null, threadOf: null };
const THREADS: ReadonlySet<ChannelType> = new Set([
  ChannelType.AnnouncementThread,
  ChannelType.PublicThread,
  ChannelType.PrivateThread,
]);

/**
 * Finds the server of a channel or thread, also of one that is archived, and of a thread the channel.
 * @throws where no server is told: others read there, and without one its messages would count as those of a DM
 */
export async function whereaboutsOf({ channels, rest }: Client, channelId: string) {
  const known = channels.cache.get(channelId);
  if (known && 'guildId' in known)
    return { guildId: known.guildId, threadOf: known.isThread() ? known.parentId : null };
  const channel = (await rest.get(Routes.channel(channelId))) as {
    type: ChannelType;
    guild_id?: string;
    parent_id?: string | null;
  };
  if (channel.guild_id === undefined) throw new Error('Discord tells no server of a channel');
  // A channel's parent is its category, which may go without it.
  return {
    guildId: channel.guild_id,
    threadOf: THREADS.has(channel.type) ? (channel.parent_id ?? null) : null,
  };
}
