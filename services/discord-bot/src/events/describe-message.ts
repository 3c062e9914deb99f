import { boundTime, noteOfSent } from '@kith/contracts';
import {
  MessageType,
  type APIMessage,
  type APIUser,
  type GatewayMessageCreateDispatchData,
} from 'discord-api-types/v10';
import { cleanText, type MentionNames } from './clean-text.js';
import { describeSent, picturesIn } from './describe-sent.js';
import type { IncomingMessage } from './read-message.js';

/**
 * A message as Discord's gateway sends it, or as it is read over REST, which leaves out the place, and names and roles
 * there.
 */
export type RawMessage = Omit<APIMessage, 'mentions' | 'mention_roles'> &
  Partial<Pick<GatewayMessageCreateDispatchData, 'member' | 'mentions' | 'mention_roles'>>;

/** Names of roles and channels, as far as the servers are known. */
export interface PlaceNames {
  role(guildId: string, id: string): string | undefined;
  /** Name of a channel as it may be told in another one of its server. */
  channel(guildId: string, toldIn: string, id: string): string | undefined;
  /**
   * The role that Discord gave the bot in a server, under the bot's own name; null where it gave none, undefined where
   * that is not known.
   */
  ownRole(guildId: string): string | null | undefined;
}

/** A person whom a message mentions, with their name in its server where Discord tells it. */
type MentionedUser = NonNullable<RawMessage['mentions']>[number];

/** Types of message that people and bots write; all others are Discord's own. */
const WRITTEN: ReadonlySet<number> = new Set([
  MessageType.Default,
  MessageType.Reply,
  MessageType.ChatInputCommand,
  MessageType.ContextMenuCommand,
]);

/** Picks the parts of a message that count here. `guildId` is null in a DM. */
export function describeMessage(
  message: RawMessage,
  guildId: string | null,
  names: PlaceNames,
): IncomingMessage {
  // An update may leave out what it did not touch.
  const { author, mentions = [], mention_roles: mentionedRoles = [] } = message;
  const answered = message.referenced_message;
  // People mentioned only in quoted or forwarded words need a name as well.
  const forwarded = message.message_snapshots ?? [];
  const beside = [answered, ...forwarded.map((snapshot) => snapshot.message)].flatMap(
    (other): MentionedUser[] => other?.mentions ?? [],
  );
  const named = new Map(
    [...beside, ...mentions].map((user) => [user.id, nameOf(user, user.member)] as const),
  );
  const known: MentionNames = {
    user: (id) => named.get(id),
    role: (id) => (guildId === null ? undefined : names.role(guildId, id)),
    channel: (id) => (guildId === null ? undefined : names.channel(guildId, message.channel_id, id)),
  };
  const clean = (text: string) => cleanText(text, null, known);
  return {
    id: message.id,
    channelId: message.channel_id,
    place: guildId === null ? 'direct' : 'channel',
    author: {
      id: author.id,
      // Without the nickname: the person is known by this name in other places too.
      name: nameOf(author),
      isBot: author.bot === true || message.webhook_id !== undefined,
    },
    isSystem: !WRITTEN.has(message.type),
    text: message.content,
    opens: titleOf(message, known),
    mentionedUserIds: mentions.map(({ id }) => id),
    namesOwnRole: guildId !== null && namesOwnRole(mentionedRoles, names.ownRole(guildId)),
    sent: describeSent(message, clean),
    pictures: picturesIn(message),
    repliesTo: answered
      ? {
          messageId: answered.id,
          userId: answered.author.id,
          // Their name in this server, if the reply mentions them.
          name: named.get(answered.author.id) ?? nameOf(answered.author),
          text: [answered.content, ...describeSent(answered, clean)].filter(Boolean).join('\n'),
          sentAt: boundTime(new Date(answered.timestamp)),
        }
      : null,
    names: known,
    sentAt: boundTime(new Date(message.timestamp)),
  };
}

/** Words the note of the post that a message opens: the first message of a forum's post has the id of its thread. */
function titleOf({ id, channel_id: channelId }: RawMessage, names: MentionNames): string | null {
  const title = id === channelId ? names.channel(channelId) : undefined;
  return title === undefined ? null : noteOfSent('a forum post', title);
}

/** Tells whether the bot's own role is among those mentioned; null if the bot's role is not known. */
function namesOwnRole(mentioned: readonly string[], own: string | null | undefined): boolean | null {
  return own === undefined && mentioned.length > 0 ? null : mentioned.includes(own ?? '');
}

function nameOf({ global_name, username }: APIUser, member?: { nick?: string | null }): string {
  return member?.nick ?? global_name ?? username;
}
