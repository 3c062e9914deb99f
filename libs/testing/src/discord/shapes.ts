import type { DiscordChannel, DiscordGuild, DiscordUser, DiscordWorld, Json } from './world.js';

/** Larger payloads of the double. discord.js needs every array named here, empty or not. */

const EVERY_PERMISSION = String(0x1fffffffffffffn);

/** A guild member; inside MESSAGE_CREATE it comes without its user. */
export function memberShape(user?: DiscordUser): Json {
  return {
    ...(user ? { user } : {}),
    roles: [],
    joined_at: new Date(0).toISOString(),
    deaf: false,
    mute: false,
    flags: 0,
    nick: null,
    permissions: EVERY_PERMISSION,
  };
}

/** With `newest`, the id of the newest message in it. */
export function channelShape(channel: DiscordChannel, newest: string | null = null): Json {
  if (channel.type === 1)
    return { id: channel.id, type: 1, recipients: channel.recipients ?? [], last_message_id: newest };
  return {
    id: channel.id,
    type: channel.type,
    guild_id: channel.guild_id,
    name: channel.name,
    position: 0,
    permission_overwrites: [],
    nsfw: false,
    parent_id: null,
    topic: null,
    rate_limit_per_user: 0,
    last_message_id: newest,
  };
}

/** What GUILD_CREATE carries. */
export function guildShape(world: DiscordWorld, guild: DiscordGuild): Json {
  const people = [world.bot, ...world.users.values()];
  return {
    ...guild,
    owner_id: [...world.users.keys()][0] ?? world.bot.id,
    icon: null,
    splash: null,
    discovery_splash: null,
    banner: null,
    description: null,
    features: [],
    emojis: [],
    stickers: [],
    verification_level: 0,
    default_message_notifications: 0,
    explicit_content_filter: 0,
    mfa_level: 0,
    nsfw_level: 0,
    system_channel_id: null,
    system_channel_flags: 0,
    afk_channel_id: null,
    afk_timeout: 300,
    preferred_locale: 'en-US',
    premium_tier: 0,
    premium_progress_bar_enabled: false,
    rules_channel_id: null,
    public_updates_channel_id: null,
    safety_alerts_channel_id: null,
    vanity_url_code: null,
    application_id: null,
    joined_at: new Date(0).toISOString(),
    large: false,
    unavailable: false,
    member_count: people.length,
    members: people.map((user) => memberShape(user)),
    channels: [...world.channels.values()]
      .filter((channel) => channel.guild_id === guild.id)
      .map((channel) => channelShape(channel, newestIn(world, channel))),
    threads: [],
    presences: [],
    voice_states: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
    roles: [
      {
        id: guild.id,
        name: '@everyone',
        permissions: EVERY_PERMISSION,
        position: 0,
        color: 0,
        colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
        hoist: false,
        managed: false,
        mentionable: false,
        flags: 0,
      },
    ],
  };
}

function newestIn(world: DiscordWorld, channel: DiscordChannel): string | null {
  const ids = [...world.messages.values()]
    .filter((message) => message.channel_id === channel.id)
    .map(({ id }) => BigInt(id));
  return ids.length === 0 ? null : String(ids.reduce((a, b) => (a > b ? a : b)));
}
