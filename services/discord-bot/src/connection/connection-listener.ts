import type { GatewayDispatchPayload } from 'discord-api-types/v10';
import type { Client } from 'discord.js';
import type { BotView } from '../events/read-event.js';
import type { ListedServers } from '../catch-up/plan-servers.js';
import type { DiscordLibrary } from './open-client.js';

/** Hears what happens on the connection to Discord. */
export interface ConnectionListener {
  /** A client was made: once it is connected it tells of servers, channels, roles and interactions. */
  onClient(client: Client, events: DiscordLibrary['Events']): void;
  /** The session of an earlier process is about to be resumed. */
  onResume(): void;
  /** A new session begins, before its first message. Messages since the last session were missed. */
  onSessionBegins(): void;
  /** The new session's servers and channels are known now. */
  onSession(client: Client, listed: ListedServers): void;
  /** Resolves once the event's messages are accepted; with false if the event must be received again. */
  onEvent(event: GatewayDispatchPayload, view: BotView): Promise<boolean>;
}
