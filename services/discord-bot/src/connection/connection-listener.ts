import type { GatewayDispatchPayload } from 'discord-api-types/v10';
import type { Client, Interaction } from 'discord.js';
import type { BotView } from '../events/read-event.js';
import type { ListedServers } from '../catch-up/plan-servers.js';

/** Hears what happens on the connection to Discord. */
export interface ConnectionListener {
  onReady(client: Client<true>): void;
  /** The session of an earlier process is about to be resumed. */
  onResume(): void;
  /** A new session begins, before its first message. Messages since the last session were missed. */
  onSessionBegins(): void;
  /** The new session's servers and channels are known now. */
  onSession(client: Client, listed: ListedServers): void;
  /** Resolves once the event's messages are accepted; with false if the event must be received again. */
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
