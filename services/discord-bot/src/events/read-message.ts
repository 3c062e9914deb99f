import {
  CALLED,
  cutText,
  MAX_MESSAGE_CHARACTERS,
  MAX_QUOTE_CHARACTERS,
  WORDLESS_REPLY,
  type RequestInput,
  type SentPicture,
  type gatewayContract,
} from '@kith/contracts';
import { cleanText, type MentionNames } from './clean-text.js';
import { identityOf } from './identity-of.js';

/** Parts of a Discord message that decide whether it becomes a turn. */
export interface IncomingMessage {
  id: string;
  channelId: string;
  place: 'direct' | 'channel';
  author: { id: string; name: string; isBot: boolean };
  /** Joins, pins and the like, which nobody wrote. */
  isSystem: boolean;
  text: string;
  /** Note of the forum post that it opens, with the title; null for any other. */
  opens: string | null;
  /** Notes of attachments and the like. */
  sent: readonly string[];
  /** Sent pictures that can be looked at. */
  pictures: readonly SentPicture[];
  mentionedUserIds: readonly string[];
  /**
   * True if the bot's role is mentioned, which has the bot's name. Discord then hides the words. Null
   * if roles are mentioned and the bot's role is not known.
   */
  namesOwnRole: boolean | null;
  /** The message it answers, as far as Discord shows it. */
  repliesTo: { messageId: string; userId: string; name: string; text: string; sentAt: Date } | null;
  names: MentionNames;
  sentAt: Date;
}

export type ReceivedMessage = RequestInput<typeof gatewayContract.receive>;

/** A message becomes a turn, or is left alone for a reason. */
type Reading =
  | { kind: 'turn'; request: ReceivedMessage }
  | { kind: 'ignore'; reason: 'a bot' | 'not a message' | 'not spoken to' | 'no words' };

/**
 * DMs, mentions of the bot and replies to it become turns, whatever they carry; messages of bots don't. Anything but
 * words becomes a note, so that the companion can answer that it can't see it.
 */
export function readMessage(message: IncomingMessage, botId: string): Reading {
  const { author, place, repliesTo } = message;
  if (author.isBot || author.id === botId) return { kind: 'ignore', reason: 'a bot' };
  if (message.isSystem) return { kind: 'ignore', reason: 'not a message' };
  const isCalled = message.mentionedUserIds.includes(botId) || message.namesOwnRole === true;
  if (place !== 'direct' && !isCalled && repliesTo?.userId !== botId)
    return { kind: 'ignore', reason: 'not spoken to' };
  const said = cleanText(message.text, botId, message.names);
  const lines = [message.opens, said, ...message.sent].filter((line) => line !== null && line !== '');
  if (lines.length === 0) {
    const note = noteOfNothing(message, isCalled, botId);
    if (note === null) return { kind: 'ignore', reason: 'no words' };
    lines.push(note);
  }
  const text = cutText(lines.join('\n'), MAX_MESSAGE_CHARACTERS);
  const quoted = cutText(cleanText(repliesTo?.text ?? '', botId, message.names), MAX_QUOTE_CHARACTERS);
  return {
    kind: 'turn',
    request: {
      from: identityOf(author.id, author.name),
      place: { door: 'discord', externalId: message.channelId, kind: place },
      messageId: message.id,
      text,
      ...(message.pictures.length > 0 && { pictures: [...message.pictures] }),
      ...(repliesTo &&
        quoted && {
          quote: {
            messageId: repliesTo.messageId,
            // Null: the companion's own words.
            name: repliesTo.userId === botId ? null : cutText(repliesTo.name, 100) || 'someone',
            text: quoted,
            ...(repliesTo.userId !== botId && {
              author: { subject: repliesTo.userId, saidAt: repliesTo.sentAt.toISOString() },
            }),
          },
        }),
      sentAt: message.sentAt.toISOString(),
    },
  };
}

/** Makes the note of a message without anything: a call, or a reply whose words Discord keeps back; null for an empty DM. */
function noteOfNothing(
  { text, repliesTo }: IncomingMessage,
  isCalled: boolean,
  botId: string,
): string | null {
  if (isCalled || text !== '') return CALLED;
  return repliesTo?.userId === botId ? WORDLESS_REPLY : null;
}
