import {
  GatewayDispatchEvents,
  type GatewayDispatchPayload,
  type GatewayGuildDeleteDispatchData,
} from 'discord-api-types/v10';
import type { Client } from 'discord.js';
import type { Logger } from 'pino';
import type { CatchUpReader } from '../catch-up/catch-up-reader.js';
import type { ListedServers } from '../catch-up/plan-servers.js';
import type { Servers } from '../catch-up/servers.js';
import type { CommandDesk } from '../commands/desk/command-desk.js';
import { DEFINITIONS } from '../commands/desk/commands.js';
import { registerCommands } from '../commands/register-commands.js';
import type { ConnectionListener } from '../connection/connection-listener.js';
import type { DiscordLibrary } from '../connection/open-client.js';
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
    this.catchUp.stop();
  }

  onClient(client: Client, Events: DiscordLibrary['Events']): void {
    const { signal } = this.stopping;
    const accessChanged = (guildId: string) => this.catchUp.accessChanged(client, guildId);
    client.on(Events.ClientReady, ({ application }) => {
      void registerCommands(() => application.commands.set(DEFINITIONS), signal, this.logger);
    });
    // The raw event: when discord.js emits its own, it has already dropped the server's channels.
    client.ws.on(GatewayDispatchEvents.GuildDelete, ({ id, unavailable }: GatewayGuildDeleteDispatchData) => {
      if (unavailable) this.catchUp.serverWent(id);
      else void this.servers.leave(id, [...(client.guilds.cache.get(id)?.channels.cache.keys() ?? [])]);
    });
    client.on(Events.GuildCreate, ({ id, channels }) => {
      void this.servers.join(id, [...channels.cache.keys()]);
    });
    client.on(Events.GuildAvailable, ({ id, channels }) => {
      this.catchUp.serverCame(client, id);
      void this.servers.available(id, [...channels.cache.keys()]);
    });
    client.on(Events.ChannelUpdate, (_, channel) => {
      if (!channel.isDMBased()) accessChanged(channel.guildId);
    });
    client.on(Events.GuildRoleUpdate, (_, { guild }) => accessChanged(guild.id));
    client.on(Events.GuildMemberUpdate, (_, { id, guild }) => {
      if (id === client.user?.id) accessChanged(guild.id);
    });
    client.on(Events.InteractionCreate, (interaction) => this.desk.take(interaction));
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
    void this.catchUp.begin(client, () => session === this.sessions);
    void this.servers.compare(listed, (id) => channelsOf(client, id), this.stopping.signal);
  }

  async onEvent(event: GatewayDispatchPayload, view: BotView): Promise<boolean> {
    const { MessageCreate, MessageUpdate } = GatewayDispatchEvents;
    // An edit may call the bot in a place where it has heard nothing.
    if ((event.t === MessageCreate || event.t === MessageUpdate) && event.d.guild_id !== undefined) {
      const { guild_id: serverId, channel_id: channelId } = event.d;
      void this.servers.hear(serverId, channelId, view.threadOf(channelId) ?? null);
    }
    const taken = readEvent(event, view, new Date()).map(({ where, content }) =>
      this.intake.take(where, content),
    );
    return (await Promise.all(taken)).every(Boolean);
  }
}
