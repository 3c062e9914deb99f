import { INTENTS, type DiscordGateway } from './discord-gateway.js';
import type { DiscordInteraction } from './interaction-routes.js';
import { EVERY_PERMISSION, mayBot } from './permissions.js';
import { channelShape, memberShape } from './shapes.js';
import type { DiscordMessage, DiscordWorld, Json } from './discord-world.js';

/** Tells bots of what was written and pressed, each as much as it may know. */
export class Announcements {
  /** Announcements that are held back; null while none are. */
  private withheld: (() => void)[] | null = null;

  constructor(
    private readonly world: DiscordWorld,
    private readonly gateway: DiscordGateway,
  ) {}

  /** Holds back what is written from now on; the returned function announces it, the newest first. */
  withhold(): () => void {
    const withheld: (() => void)[] = [];
    this.withheld = withheld;
    return () => {
      this.withheld = null;
      for (const tell of withheld.reverse()) tell();
    };
  }

  /** Content is left out, as without the message content intent, where the bot is not spoken to. */
  message(event: string, message: DiscordMessage): void {
    if (this.withheld) this.withheld.push(() => this.tellOf(event, message));
    else this.tellOf(event, message);
  }

  private tellOf(event: string, message: DiscordMessage): void {
    const channel = this.world.channels.get(message.channel_id);
    if (!channel || !mayBot(this.world, channel, 'VIEW_CHANNEL')) return;
    // Of a server that is out of reach nothing is told.
    if (this.world.outages.has(channel.guild_id ?? '')) return;
    const direct = channel.type === 1;
    const spokenTo =
      direct ||
      message.author.id === this.world.bot.id ||
      message.mentions.some(({ id }) => id === this.world.bot.id);
    const full: Json = {
      ...message,
      channel_type: channel.type,
      ...(direct ? {} : { member: memberShape() }),
    };
    // Empty, and the poll left out; what is referred to is shown by the same rule for its own author and mentions.
    const bare: Json = { ...full, content: '', embeds: [], attachments: [], components: [] };
    delete bare['poll'];
    this.gateway.dispatch(
      event,
      full,
      direct ? INTENTS.directMessages : INTENTS.guildMessages,
      ({ intents }) => (spokenTo || (intents & INTENTS.messageContent) !== 0 ? full : bare),
    );
  }

  interaction(interaction: DiscordInteraction, type: 2 | 3, parts: Json): void {
    const { user, channel } = interaction;
    const direct = channel.type === 1;
    this.gateway.dispatch(
      'INTERACTION_CREATE',
      {
        id: interaction.id,
        application_id: this.world.applicationId,
        type,
        token: interaction.token,
        version: 1,
        channel_id: channel.id,
        channel: channelShape(this.world, channel),
        locale: 'en-US',
        entitlements: [],
        authorizing_integration_owners: {},
        context: direct ? 1 : 0,
        attachment_size_limit: 10_000_000,
        app_permissions: '0',
        ...(direct
          ? { user }
          : { guild_id: channel.guild_id, guild_locale: 'en-US', member: this.memberIn(interaction) }),
        ...parts,
      },
      0,
    );
  }

  /** A member with what they may do in the channel. A thread has its channel's permissions. */
  private memberIn({ user, channel }: DiscordInteraction): Json {
    const of = this.world.deniedToPeople.get(channel.parent_id ?? channel.id);
    return { ...memberShape(user), permissions: String(EVERY_PERMISSION & ~(of?.get(user.id) ?? 0n)) };
  }
}
