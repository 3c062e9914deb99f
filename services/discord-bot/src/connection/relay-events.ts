import { GatewayDispatchEvents, type GatewayGuildDeleteDispatchData } from 'discord-api-types/v10';
import type { Client } from 'discord.js';
import type { ConnectionListener } from './connection-listener.js';
import type { DiscordLibrary } from './open-client.js';

/** Tells the listener about servers, channels, roles and interactions. */
export function relayEvents(
  client: Client,
  Events: DiscordLibrary['Events'],
  listener: ConnectionListener,
): void {
  client.on(Events.ClientReady, (ready) => listener.onReady(ready));
  // The raw event: when discord.js emits its own, it has already dropped the server's channels.
  client.ws.on(GatewayDispatchEvents.GuildDelete, ({ id, unavailable }: GatewayGuildDeleteDispatchData) => {
    // Here the server is only out of reach.
    if (unavailable) return;
    listener.onLeave(id, [...(client.guilds.cache.get(id)?.channels.cache.keys() ?? [])]);
  });
  client.on(Events.GuildCreate, ({ id, channels }) => listener.onJoin(id, [...channels.cache.keys()]));
  client.on(Events.GuildAvailable, ({ id, channels }) =>
    listener.onAvailable(client, id, [...channels.cache.keys()]),
  );
  client.on(Events.ChannelUpdate, (_, channel) => {
    if (!channel.isDMBased()) listener.onAccess(client, channel.guildId);
  });
  client.on(Events.GuildRoleUpdate, (_, { guild }) => listener.onAccess(client, guild.id));
  client.on(Events.GuildMemberUpdate, (_, { id, guild }) => {
    if (id === client.user?.id) listener.onAccess(client, guild.id);
  });
  client.on(Events.InteractionCreate, (interaction) => listener.onInteraction(interaction));
}

/**
 * Drops the servers that a new session does not list: the bot was removed from them meanwhile. discord.js keeps them as
 * they were, and would not tell that the bot is added again.
 */
export function dropUnlisted({ channels, guilds }: Client, listed: readonly string[]): void {
  for (const [id, guild] of guilds.cache) {
    if (listed.includes(id)) continue;
    for (const channelId of guild.channels.cache.keys()) channels.cache.delete(channelId);
    guilds.cache.delete(id);
  }
}
