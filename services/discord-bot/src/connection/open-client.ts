import { GatewayIntentBits } from 'discord-api-types/v10';
import type { Client, ClientOptions } from 'discord.js';
import type { Logger } from 'pino';
import type { discordJs } from '../rest/discord-js.js';
import { CACHE_LIMITS } from './kept-caches.js';
import { skipUnreadableEvents } from './skip-unreadable-events.js';

/** Discord's library, loaded at the first connection. */
export type DiscordLibrary = Awaited<ReturnType<typeof discordJs>>;

/** Longest wait for the next server at a start: one that is out of reach would hold up all others. */
const GUILDS_WITHIN_MS = 1_500;

/** Makes a client that is not connected yet; its errors are logged. */
export function openClient(
  { Client, Events, LeaveResumable, Options }: DiscordLibrary,
  rest: NonNullable<ClientOptions['rest']>,
  logger: Logger,
): Client {
  const { Guilds, GuildMessages, DirectMessages } = GatewayIntentBits;
  const client = new Client({
    // Mentions, replies to the bot and DMs include their text; the bot needs no other.
    intents: [Guilds, GuildMessages, DirectMessages],
    allowedMentions: { parse: [], repliedUser: false },
    makeCache: Options.cacheWithLimits(CACHE_LIMITS),
    rest,
    // Until then commands wait with everything else, and Discord gives them three seconds.
    waitGuildTimeout: GUILDS_WITHIN_MS,
    ws: { buildStrategy: (manager) => new LeaveResumable(manager) },
  });
  skipUnreadableEvents(client, logger);
  client.on(Events.ShardError, (error) => logger.warn({ reason: error.message }, 'gateway error'));
  client.on(Events.Error, (error) => logger.warn({ reason: error.message }, 'Discord client error'));
  return client;
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
