import { MAX_MESSAGE_CHARACTERS, type RequestInput, type gatewayContract } from '@kith/contracts';
import { cleanText, cutText, type MentionNames } from './clean-text.js';

/** What of a Discord message decides whether it becomes a turn. */
export interface HeardMessage {
  id: string;
  channelId: string;
  place: 'direct' | 'channel';
  author: { id: string; name: string; isBot: boolean };
  /** Joins, pins and the like, which nobody wrote. */
  isSystem: boolean;
  text: string;
  mentionedUserIds: readonly string[];
  /** Whose message it answers. */
  repliesToUserId: string | null;
  names: MentionNames;
  sentAt: Date;
}

type Received = RequestInput<typeof gatewayContract.receive>;

/** A message becomes a turn, or is left alone for a reason. */
type Reading =
  | { kind: 'turn'; request: Received }
  | { kind: 'ignore'; reason: 'a bot' | 'not a message' | 'not spoken to' | 'no words' };

/** DMs, mentions of the bot and replies to it become turns; bots, the bot itself and wordless messages don't. */
export function readMessage(message: HeardMessage, botId: string): Reading {
  const { author, place } = message;
  if (author.isBot || author.id === botId) return { kind: 'ignore', reason: 'a bot' };
  if (message.isSystem) return { kind: 'ignore', reason: 'not a message' };
  const spokenTo =
    place === 'direct' || message.mentionedUserIds.includes(botId) || message.repliesToUserId === botId;
  if (!spokenTo) return { kind: 'ignore', reason: 'not spoken to' };
  const text = cutText(cleanText(message.text, botId, message.names), MAX_MESSAGE_CHARACTERS);
  if (text === '') return { kind: 'ignore', reason: 'no words' };
  return {
    kind: 'turn',
    request: {
      from: { door: 'discord', subject: author.id, displayName: cutText(author.name, 100) || author.id },
      place: { door: 'discord', externalId: message.channelId, kind: place },
      messageId: message.id,
      text,
      sentAt: message.sentAt.toISOString(),
    },
  };
}
