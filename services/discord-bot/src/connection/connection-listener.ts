import type { GatewayDispatchPayload } from 'discord-api-types/v10';
import type { Client, Interaction } from 'discord.js';
import type { BotView } from '../events/read-event.js';
import type { ListedServers } from '../catch-up/plan-servers.js';

/** Hears what happens on the connection to Discord. */
export interface ConnectionListener {
  onReady(client: Client<true>): void;
  /** A new session begins, before its first message: what was said since the last session was not heard. */
  onSessionBegins(): void;
  /** The new session's servers and channels are known now. */
  onSession(client: Client, listed: ListedServers): void;
  /** Resolves when all that the event says of messages is accepted, with false when it has to be heard again. */
  onEvent(event: GatewayDispatchPayload, view: BotView): Promise<boolean>;
  onInteraction(interaction: Interaction): void;
  /** Channels, or the bot's roles, changed in a server. */
  onAccess(client: Client, guildId: string): void;
  /** The app was added to a server. */
  onJoin(serverId: string, channelIds: string[]): void;
  /** A server that was out of reach is there again. */
  onAvailable(client: Client, serverId: string, channelIds: string[]): void;
  /** The app was removed from a server, or the server is gone. */
  onLeave(serverId: string, channelIds: string[]): void;
}
