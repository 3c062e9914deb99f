/**
 * State of the Discord double: users, guilds, channels, messages, in the shapes Discord sends. Holds
 * and looks up; who may do what, and what the bot hears of it, is decided by its neighbours.
 */

export type Json = Record<string, unknown>;

export interface DiscordUser {
  id: string;
  username: string;
  global_name: string | null;
  discriminator: string;
  avatar: string | null;
  bot: boolean;
}

export interface DiscordGuild {
  id: string;
  name: string;
  /** The role under the bot's own name, which Discord makes with it. */
  botRoleId: string;
}

export interface DiscordChannel {
  id: string;
  /** 0 is a guild's text channel, 1 a direct message, 11 a public thread. */
  type: 0 | 1 | 11;
  name: string | null;
  guild_id?: string;
  recipients?: DiscordUser[];
  /** The channel of a thread. */
  parent_id?: string;
  /** A thread that nobody wrote in for a while: it is announced no more, and wakes with a message. */
  archived?: boolean;
}

export interface DiscordMessage {
  id: string;
  channel_id: string;
  guild_id?: string;
  author: DiscordUser;
  content: string;
  timestamp: string;
  edited_timestamp: string | null;
  mentions: DiscordUser[];
  mention_everyone: boolean;
  mention_roles: string[];
  attachments: Json[];
  embeds: Json[];
  components: Json[];
  /** 0 is an ordinary message, 19 a reply, 20 the answer to a slash command. */
  type: number;
  flags: number;
  tts: boolean;
  pinned: boolean;
  nonce?: string | number;
  sticker_items?: Json[];
  poll?: Json;
  message_snapshots?: Json[];
  message_reference?: { message_id: string; channel_id: string; guild_id?: string };
  referenced_message?: DiscordMessage | null;
}

export const EPHEMERAL = 64;
export const LOADING = 128;

const DISCORD_EPOCH_MS = 1_420_070_400_000n;

/** All that the double knows. Ids are snowflakes: later is larger. */
export class DiscordWorld {
  readonly users = new Map<string, DiscordUser>();
  readonly guilds = new Map<string, DiscordGuild>();
  /** Ids of servers that are out of reach. */
  readonly outages = new Set<string>();
  readonly channels = new Map<string, DiscordChannel>();
  readonly messages = new Map<string, DiscordMessage>();
  /** Uploaded files, by the attachment's id. */
  readonly files = new Map<string, Buffer>();
  /** Servers that people have left: ids of both, with a space between them. */
  readonly leavers = new Set<string>();
  /** Ends of time-outs, by ids of server and person with a space between them. */
  readonly timeOuts = new Map<string, Date>();
  /** People whose DMs are closed to the bot. */
  readonly closedDms = new Set<string>();
  /** Permissions the bot lacks, as bits, by channel. */
  readonly denied = new Map<string, bigint>();
  /** Permissions that people lack, as bits, by channel and person. */
  readonly deniedToPeople = new Map<string, ReadonlyMap<string, bigint>>();
  /** Words that a server's AutoMod blocks, by server. */
  readonly blockedWords = new Map<string, readonly string[]>();
  /** Owner of every server here: nobody who talks. */
  readonly ownerId: string;
  readonly bot: DiscordUser;
  readonly applicationId: string;
  private counter = 0n;

  constructor(
    botName: string,
    readonly now: () => number,
  ) {
    this.applicationId = this.snowflake();
    this.ownerId = this.snowflake();
    this.bot = { ...this.newUser(botName), id: this.applicationId, bot: true };
  }

  snowflake(): string {
    this.counter += 1n;
    return String(((BigInt(this.now()) - DISCORD_EPOCH_MS) << 22n) | (this.counter & 0x3fffffn));
  }

  newUser(name: string): DiscordUser {
    return {
      id: this.snowflake(),
      username: name.toLowerCase().replaceAll(/\W/g, '_'),
      global_name: name,
      discriminator: '0',
      avatar: null,
      bot: false,
    };
  }

  userById(id: string): DiscordUser | undefined {
    return id === this.bot.id ? this.bot : this.users.get(id);
  }

  /** The DM channel of the bot and this person; made at first sight. */
  dmChannel(user: DiscordUser): DiscordChannel {
    const known = [...this.channels.values()].find(
      (channel) => channel.type === 1 && channel.recipients?.[0]?.id === user.id,
    );
    if (known) return known;
    const channel: DiscordChannel = { id: this.snowflake(), type: 1, name: null, recipients: [user] };
    this.channels.set(channel.id, channel);
    return channel;
  }

  /** Newest first, as Discord answers. */
  channelMessages(channelId: string): DiscordMessage[] {
    return [...this.messages.values()]
      .filter((message) => message.channel_id === channelId && (message.flags & EPHEMERAL) === 0)
      .sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? 1 : -1));
  }

  /** Makes a message and keeps it. Mentions are read from the text, as Discord does. */
  addMessage(
    channel: DiscordChannel,
    author: DiscordUser,
    parts: Partial<DiscordMessage> & { content: string },
  ): DiscordMessage {
    const reference = parts.message_reference;
    // A message wakes a thread.
    if (channel.archived === true) channel.archived = false;
    const message: DiscordMessage = {
      id: this.snowflake(),
      channel_id: channel.id,
      author,
      timestamp: new Date(this.now()).toISOString(),
      edited_timestamp: null,
      mentions: this.mentionedIn(parts.content),
      mention_everyone: false,
      mention_roles: [...parts.content.matchAll(/<@&(\d+)>/g)].map((match) => match[1] ?? ''),
      attachments: [],
      embeds: [],
      components: [],
      type: reference ? 19 : 0,
      flags: 0,
      tts: false,
      pinned: false,
      ...(channel.guild_id === undefined ? {} : { guild_id: channel.guild_id }),
      ...(reference ? { referenced_message: this.messages.get(reference.message_id) ?? null } : {}),
      ...parts,
    };
    this.messages.set(message.id, message);
    return message;
  }

  mentionedIn(text: string): DiscordUser[] {
    const ids = new Set([...text.matchAll(/<@!?(\d+)>/g)].map((match) => match[1] ?? ''));
    return [...ids].flatMap((id) => this.userById(id) ?? []);
  }
}
