import { ChannelType, type Message } from 'discord.js';
import type { HeardMessage } from './read-message.js';

/** What of discord.js's message counts here; asks Discord nothing. */
export function describeMessage(message: Message): HeardMessage {
  const { author, channel, member, mentions } = message;
  return {
    id: message.id,
    channelId: message.channelId,
    place: channel.type === ChannelType.DM ? 'direct' : message.inGuild() ? 'channel' : 'other',
    author: {
      id: author.id,
      name: member?.displayName ?? author.displayName,
      isBot: author.bot || message.webhookId !== null,
    },
    isSystem: message.system,
    text: message.content,
    mentionedUserIds: [...mentions.users.keys()],
    repliesToUserId: mentions.repliedUser?.id ?? null,
    names: {
      users: new Map(
        mentions.users.map((user) => [
          user.id,
          mentions.members?.get(user.id)?.displayName ?? user.displayName,
        ]),
      ),
      roles: new Map(mentions.roles.map((role) => [role.id, role.name])),
      channels: new Map(
        mentions.channels.map((mentioned) => [
          mentioned.id,
          'name' in mentioned ? (mentioned.name ?? '') : '',
        ]),
      ),
    },
    sentAt: message.createdAt,
  };
}
