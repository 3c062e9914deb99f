import type { CacheWithLimitsOptions, GuildMember, User } from 'discord.js';

/**
 * Limits of what discord.js keeps of its events: of people and of what they say it keeps nothing, as the bot reads all that
 * from the events themselves. These stay, each whole, as long as its server does:
 * - servers (`catch-up-reader.ts`, `bot-view.ts`, `open-client.ts`, and the count in the bot's status)
 * - their channels and threads, with overwrites (`reach.ts`, `bot-view.ts`, `catch-up-reader.ts`, `whereabouts.ts`);
 *   threads that were archived four hours ago go
 * - their roles (`bot-view.ts`, and discord.js for permissions)
 * - the bot as a user, and as a member of each server (`reach.ts`)
 */
export const CACHE_LIMITS: CacheWithLimitsOptions = {
  ApplicationCommandManager: 0,
  ApplicationEmojiManager: 0,
  AutoModerationRuleManager: 0,
  BaseGuildEmojiManager: 0,
  EntitlementManager: 0,
  GuildBanManager: 0,
  GuildEmojiManager: 0,
  GuildInviteManager: 0,
  GuildMemberManager: { maxSize: 0, keepOverLimit: isBot },
  GuildScheduledEventManager: 0,
  GuildStickerManager: 0,
  MessageManager: 0,
  PresenceManager: 0,
  ReactionManager: 0,
  ReactionUserManager: 0,
  StageInstanceManager: 0,
  ThreadMemberManager: 0,
  UserManager: { maxSize: 0, keepOverLimit: isBot },
  VoiceStateManager: 0,
};

function isBot({ id, client }: GuildMember | User): boolean {
  return id === client.user.id;
}
