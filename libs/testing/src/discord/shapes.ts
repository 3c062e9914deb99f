import { EVERY_PERMISSION, mayBot } from './permissions.js';
import type { DiscordChannel, DiscordGuild, DiscordUser, DiscordWorld, Json } from './discord-world.js';

/** Larger payloads of the double. discord.js needs every array named here, empty or not. */

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
    permissions: String(EVERY_PERMISSION),
  };
}

/** With the id of the newest message in it. */
export function channelShape(world: DiscordWorld, channel: DiscordChannel): Json {
  const newest = newestIn(world, channel);
  if (channel.type === 1)
    return { id: channel.id, type: 1, recipients: channel.recipients ?? [], last_message_id: newest };
  const denied = world.denied.get(channel.id);
  return {
    id: channel.id,
    type: channel.type,
    guild_id: channel.guild_id,
    name: channel.name,
    position: 0,
    permission_overwrites: [
      ...(denied === undefined ? [] : [{ id: world.bot.id, type: 1, allow: '0', deny: String(denied) }]),
      ...[...(world.deniedToPeople.get(channel.id) ?? [])].map(([id, bits]) => ({
        id,
        type: 1,
        allow: '0',
        deny: String(bits),
      })),
    ],
    ...(channel.type === 11
      ? {
          owner_id: world.ownerId,
          thread_metadata: {
            archived: channel.archived === true,
            auto_archive_duration: 60,
            archive_timestamp: new Date(0).toISOString(),
            locked: false,
          },
        }
      : {}),
    nsfw: false,
    parent_id: channel.parent_id ?? null,
    topic: null,
    rate_limit_per_user: 0,
    last_message_id: newest,
  };
}

/** Payload of GUILD_CREATE. */
export function guildShape(world: DiscordWorld, guild: DiscordGuild): Json {
  const { id, name } = guild;
  const people = [world.bot, ...world.users.values()];
  const ofGuild = [...world.channels.values()].filter((channel) => channel.guild_id === guild.id);
  return {
    id,
    name,
    owner_id: world.ownerId,
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
    channels: ofGuild.filter(({ type }) => type === 0).map((channel) => channelShape(world, channel)),
    threads: ofGuild
      .filter((channel) => channel.type === 11 && channel.archived !== true)
      .filter((thread) => mayBot(world, thread, 'VIEW_CHANNEL'))
      .map((thread) => channelShape(world, thread)),
    presences: [],
    voice_states: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
    roles: [
      roleShape(guild.id, '@everyone', { permissions: String(EVERY_PERMISSION) }),
      roleShape(guild.botRoleId, world.bot.username, { managed: true, tags: { bot_id: world.bot.id } }),
    ],
  };
}

function roleShape(id: string, name: string, parts: Json): Json {
  return {
    id,
    name,
    permissions: '0',
    position: 0,
    color: 0,
    colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
    hoist: false,
    managed: false,
    mentionable: false,
    flags: 0,
    ...parts,
  };
}

function newestIn(world: DiscordWorld, channel: DiscordChannel): string | null {
  const ids = [...world.messages.values()]
    .filter((message) => message.channel_id === channel.id)
    .map(({ id }) => BigInt(id));
  return ids.length === 0 ? null : String(ids.reduce((a, b) => (a > b ? a : b)));
}
