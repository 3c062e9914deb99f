import { GatewayDispatchEvents, type GatewayDispatchPayload } from 'discord-api-types/v10';
import type { Client, Interaction } from 'discord.js';
import type { Logger } from 'pino';
import type { CatchUpReader } from '../catch-up/catch-up-reader.js';
import type { ListedServers } from '../catch-up/plan-servers.js';
import type { Servers } from '../catch-up/servers.js';
import type { CommandDesk } from '../commands/desk/command-desk.js';
import { DEFINITIONS } from '../commands/desk/commands.js';
import { registerCommands } from '../commands/register-commands.js';
import type { ConnectionListener } from '../connection/connection-listener.js';
import { channelsOf } from '../events/bot-view.js';
import { readEvent, type BotView } from '../events/read-event.js';
import type { MessageIntake } from '../intake/message-intake.js';

/** Brings each event of the connection to the part that it concerns. */
export class EventRouter implements ConnectionListener {
  private readonly stopping = new AbortController();
  /** Sessions that have begun. */
  private sessions = 0;

  constructor(
    private readonly intake: MessageIntake,
    private readonly catchUp: CatchUpReader,
    private readonly servers: Servers,
    private readonly desk: CommandDesk,
    private readonly logger: Logger,
  ) {}

  /** Stops background work: catching up, comparing servers, registering commands. */
  stop(): void {
    this.stopping.abort();
  }

  onReady(client: Client<true>): void {
    const register = () => client.application.commands.set(DEFINITIONS);
    void registerCommands(register, this.stopping.signal, this.logger);
  }

  onResume(): void {
    this.intake.keepCursors();
  }

  onSessionBegins(): void {
    this.sessions += 1;
    this.intake.hold();
  }

  onSession(client: Client, listed: ListedServers): void {
    const session = this.sessions;
    void this.catchUp.begin(client, this.stopping.signal, () => session === this.sessions);
    void this.servers.compare(listed, (id) => channelsOf(client, id), this.stopping.signal);
  }

  async onEvent(event: GatewayDispatchPayload, view: BotView): Promise<boolean> {
    if (event.t === GatewayDispatchEvents.MessageCreate && event.d.guild_id !== undefined) {
      const { guild_id: serverId, channel_id: channelId } = event.d;
      void this.servers.hear(serverId, channelId, view.threadOf(channelId));
    }
    const taken = readEvent(event, view, new Date()).map(({ where, content }) =>
      this.intake.take(where, content),
    );
    return (await Promise.all(taken)).every(Boolean);
  }

  onInteraction(interaction: Interaction): void {
    this.desk.take(interaction);
  }

  onAccess(client: Client, guildId: string): void {
    this.catchUp.accessChanged(client, guildId, this.stopping.signal);
  }

  onJoin(serverId: string, channelIds: string[]): void {
    void this.servers.join(serverId, channelIds);
  }

  onAvailable(client: Client, serverId: string, channelIds: string[]): void {
    this.catchUp.serverCame(client, serverId, this.stopping.signal);
    void this.servers.available(serverId, channelIds);
  }

  onLeave(serverId: string, channelIds: string[]): void {
    void this.servers.leave(serverId, channelIds);
  }
}
