import type { AddressInfo } from 'node:net';
import { PATIENCE_MS } from '../eventually.js';
import { Announcements } from './announcements.js';
import { ApplicationRoutes } from './application-routes.js';
import { commandData, type OptionValue } from './command-data.js';
import { DiscordPlaces } from './discord-places.js';
import type { ErrorFault, RateLimitFault, RequestMatch } from './fault-plan.js';
import { DiscordGateway, INTENTS } from './discord-gateway.js';
import { InteractionRoutes, type DiscordInteraction } from './interaction-routes.js';
import { Journal, type SentMessage } from './journal.js';
import { MessageRoutes } from './message-routes.js';
import { RestServer } from './rest-server.js';
import {
  DiscordWorld,
  EPHEMERAL,
  type DiscordChannel,
  type DiscordMessage,
  type DiscordUser,
  type Json,
} from './discord-world.js';

export interface DiscordDoubleOptions {
  token?: string;
  botName?: string;
  heartbeatIntervalMs?: number;
  /** Privileged intents the application was granted; none by default. */
  grantedIntents?: number;
  /** The double's clock: ids, the 3 s and 15 min of interactions, the nonce window. */
  now?: () => number;
}

/** Parts of a message beside its words. */
type MessageParts = Partial<
  Pick<DiscordMessage, 'attachments' | 'sticker_items' | 'poll' | 'flags' | 'message_snapshots'>
>;

const DEFAULT_TOKEN = 'MTAw.double.token';

/**
 * A Discord of one's own: its REST API and its gateway on one port of 127.0.0.1, true to the protocol, with
 * people who write, press buttons, close their DMs, and a network that fails when told to. Real discord.js
 * connects with `rest: { api: double.api }`.
 */
export class DiscordDouble extends DiscordPlaces {
  readonly token: string;
  readonly world: DiscordWorld;
  readonly journal = new Journal();
  readonly gateway: DiscordGateway;
  private readonly rest: RestServer;
  private readonly application: ApplicationRoutes;
  private readonly interactions: InteractionRoutes;
  private announcedPort: number | undefined;
  private readonly announcements: Announcements;

  private constructor(options: DiscordDoubleOptions) {
    super();
    this.token = options.token ?? DEFAULT_TOKEN;
    this.world = new DiscordWorld(options.botName ?? 'Mira', options.now ?? Date.now);
    const messages = new MessageRoutes(this.world, this.journal, (event, message) =>
      this.announcements.message(event, message),
    );
    this.application = new ApplicationRoutes(this.world, () => this.gatewayUrl);
    this.interactions = new InteractionRoutes(this.world, this.journal);
    const routes = [...this.application.routes, ...messages.routes, ...this.interactions.routes];
    this.rest = new RestServer(this.token, this.journal, () => routes);
    this.gateway = new DiscordGateway(this.rest.http, this.world, this.token, () => this.gatewayUrl, {
      // Discord's usual interval
      heartbeatIntervalMs: options.heartbeatIntervalMs ?? 41_250,
      grantedIntents: options.grantedIntents ?? 0,
      changed: () => this.journal.changed(),
    });
    this.announcements = new Announcements(this.world, this.gateway);
  }

  /** Listens on a port the system chooses (or the one given, to come back after an outage). */
  static async start(options: DiscordDoubleOptions & { port?: number } = {}): Promise<DiscordDouble> {
    const double = new DiscordDouble(options);
    await new Promise<void>((resolve) => double.rest.http.listen(options.port ?? 0, '127.0.0.1', resolve));
    return double;
  }

  async stop(): Promise<void> {
    this.gateway.stop();
    const closed = new Promise((resolve) => this.rest.http.close(resolve));
    this.rest.http.closeAllConnections();
    await closed;
  }

  get port(): number {
    return (this.rest.http.address() as AddressInfo).port;
  }

  /** For discord.js's `rest.api` and the bot's DISCORD_API_BASE. */
  get api(): string {
    return `http://127.0.0.1:${this.port}/api`;
  }

  get bot(): DiscordUser {
    return this.world.bot;
  }

  get commands(): ApplicationRoutes['commands'] {
    return this.application.commands;
  }

  private get gatewayUrl(): string {
    return `ws://127.0.0.1:${this.announcedPort ?? this.port}/gateway`;
  }

  /** Tells bots another port for the gateway: a proxy's before this server. */
  announceGatewayAt(port: number): void {
    this.announcedPort = port;
  }

  // What people do

  /** Writes in a channel; `<@id>` in the text mentions. A reply pings its author unless told otherwise. */
  say(
    user: DiscordUser,
    text: string,
    channel: DiscordChannel,
    options: {
      mentions?: readonly DiscordUser[];
      replyTo?: DiscordMessage;
      ping?: boolean;
    } & MessageParts = {},
  ): DiscordMessage {
    const { replyTo, ping: _, mentions: _named, ...parts } = options;
    const message = this.world.addMessage(channel, user, {
      content: text,
      ...parts,
      ...(replyTo ? { message_reference: { message_id: replyTo.id, channel_id: channel.id } } : {}),
    });
    const pinged = replyTo && options.ping !== false ? [replyTo.author] : [];
    message.mentions = unique([...message.mentions, ...(options.mentions ?? []), ...pinged]);
    this.announcements.message('MESSAGE_CREATE', message);
    return message;
  }

  dm(user: DiscordUser, text: string, options: MessageParts = {}): DiscordMessage {
    return this.say(user, text, this.dmChannel(user), options);
  }

  /** Sends the MESSAGE_CREATE of a message once more: Discord may send an event up to N times. */
  redeliver(message: DiscordMessage): void {
    this.announcements.message('MESSAGE_CREATE', message);
  }

  /** Holds back what is written from now on; the returned function announces it, the newest first. */
  withholdEvents(): () => void {
    return this.announcements.withhold();
  }

  /** The author changes what they wrote: it mentions whom it names then, and whom it replies to. */
  edit(message: DiscordMessage, text: string): void {
    message.content = text;
    const repliedTo = this.world.messages.get(message.message_reference?.message_id ?? '')?.author.id;
    const stillPinged = message.mentions.filter(({ id }) => id === repliedTo);
    message.mentions = unique([...this.world.mentionedIn(text), ...stillPinged]);
    message.edited_timestamp = new Date(this.world.now()).toISOString();
    this.announcements.message('MESSAGE_UPDATE', message);
  }

  /** The author deletes what they wrote: the event names it, and says no more. */
  remove(message: DiscordMessage): void {
    this.world.messages.delete(message.id);
    const channel = this.world.channels.get(message.channel_id);
    if (!channel) return;
    this.gateway.dispatch(
      'MESSAGE_DELETE',
      {
        id: message.id,
        channel_id: channel.id,
        ...(channel.guild_id === undefined ? {} : { guild_id: channel.guild_id }),
      },
      channel.type === 1 ? INTENTS.directMessages : INTENTS.guildMessages,
    );
  }

  /** Runs a registered slash command; by default in the person's DM. */
  slash(
    user: DiscordUser,
    command: string,
    subcommand: string | null = null,
    options: Readonly<Record<string, OptionValue>> = {},
    channel: DiscordChannel = this.dmChannel(user),
  ): DiscordInteraction {
    const data = commandData(this.application.commands, command, subcommand, options);
    const interaction = this.interactions.begin(user, channel, null);
    this.announcements.interaction(interaction, 2, { data });
    return interaction;
  }

  /** Presses a button of a message the bot sent. */
  press(user: DiscordUser, message: DiscordMessage, customId: string): DiscordInteraction {
    const component = componentsOf(message).find((candidate) => candidate['custom_id'] === customId);
    if (!component) throw new Error(`the message has no component ${customId}`);
    const channel = this.world.channels.get(message.channel_id);
    if (!channel) throw new Error('the message is in no channel');
    const interaction = this.interactions.begin(user, channel, message);
    const data = { custom_id: customId, component_type: component['type'], values: [] };
    this.announcements.interaction(interaction, 3, { data, message });
    return interaction;
  }

  // What went wrong

  rateLimit(match: RateLimitFault): void {
    this.rest.faults.arm({ kind: 'rate-limit', match });
  }

  fail(match: ErrorFault): void {
    this.rest.faults.arm({ kind: 'error', match });
  }

  /** Loses the answer on its way; what was asked for happens. */
  loseAnswer(match: RequestMatch): void {
    this.rest.faults.arm({ kind: 'lost-answer', match });
  }

  /** Ends all faults; beside other tests, only the one that was given with this very match. */
  clearFaults(match?: RequestMatch): void {
    this.rest.faults.clear(match);
  }

  // What the bot did

  /** Messages the bot made in this channel, oldest first; interactions' answers are not among them. */
  sentTo(channel: DiscordChannel): SentMessage[] {
    return this.journal.sent.filter(({ message }) => message.channel_id === channel.id);
  }

  /** The first message of the bot's that fits, past or to come. */
  waitForMessage(fits: (message: DiscordMessage) => boolean, timeoutMs = PATIENCE_MS): Promise<SentMessage> {
    return this.journal.until(
      'such message',
      () => this.journal.sent.find(({ message }) => fits(message)),
      timeoutMs,
    );
  }

  /** The bytes of something attached to a message of the bot's. */
  fileOf(attachment: Json): Buffer {
    const bytes = this.world.files.get(String(attachment['id']));
    if (!bytes) throw new Error('no such attachment');
    return bytes;
  }

  /** Waits for what the person sees of an interaction. */
  waitForAnswer(interaction: DiscordInteraction, timeoutMs = PATIENCE_MS): Promise<DiscordMessage> {
    return this.journal.until(
      'answer to the interaction',
      () =>
        interaction.shown ? (interaction.followUps.at(-1) ?? interaction.original ?? undefined) : undefined,
      timeoutMs,
    );
  }

  /** Resolves when the bot has identified, or resumed, and its socket is open. */
  waitForReady(timeoutMs = PATIENCE_MS): Promise<true> {
    return this.journal.until('connected bot', () => this.gateway.connected > 0 || undefined, timeoutMs);
  }
}

/** Tells whether only the person who asked can see it. */
export function isEphemeral(message: DiscordMessage): boolean {
  return (message.flags & EPHEMERAL) !== 0;
}

/** Buttons and menus of a message, out of their rows. */
export function componentsOf(message: DiscordMessage): Json[] {
  return message.components.flatMap((row) => (row['components'] ?? []) as Json[]);
}

function unique(users: readonly DiscordUser[]): DiscordUser[] {
  return [...new Map(users.map((user) => [user.id, user])).values()];
}
