import { cutText, DAY_MS, HOUR_MS, type gatewayContract, type RequestInput } from '@kith/contracts';
import { GatewayDispatchEvents, type GatewayDispatchPayload } from 'discord-api-types/v10';
import { describeMessage, type PlaceNames, type RawMessage } from './describe-message.js';
import type { CursorPlace } from '../places/cursors.js';
import type { Reach } from '../places/reach.js';
import { isSnowflake } from '../rest/snowflake-at.js';
import { readMessage, type ReceivedMessage } from './read-message.js';

/**
 * Longest time from an edit to its event. Most come at once, and after minutes where a session is resumed; this clock may
 * be hours off, as one that is set for another zone.
 */
const EDIT_WITHIN_MS = DAY_MS;
/** Age up to which a message of a server may still call the bot by an edit: a forgotten mention is added in minutes. */
const CALLED_WITHIN_MS = HOUR_MS;

/** Message to the bot. */
export interface InboundMessage {
  kind: 'message';
  id: string;
  request: ReceivedMessage;
  /** True where its place is not known: it may be a thread, of a channel that is yet to be found. */
  mayBeInThread?: true;
}

/** News of one message. */
export type InboundContent =
  | InboundMessage
  /** Edited or deleted. */
  | { kind: 'revision'; revision: RequestInput<typeof gatewayContract.revise> }
  /** The place was deleted in its server, with all that was said there and in its threads, of which Discord names none. */
  | { kind: 'place-deleted'; serverId: string }
  /** Needs nothing, but it was heard. */
  | { kind: 'nothing'; id: string }
  /** Mentions a role that may be the bot's: it is read again once the roles of its server are known. */
  | { kind: 'unclear'; id: string };

/** The bot as it reads events: who it is, and what it knows of the places. */
export interface BotView {
  botId: string;
  names: PlaceNames;
  /** Reads the bot's permissions in a place; null where they are not known. */
  reach: (channelId: string) => Reach | null;
  /** Reads the channel of a thread; null for a channel, and undefined where the place is not known. */
  threadOf: (channelId: string) => string | null | undefined;
}

/** News of one message, with its place. */
export interface InboundEvent {
  where: CursorPlace;
  content: InboundContent;
}

/** Reads the news of messages from an event of Discord's gateway; empty for any other event. */
export function readEvent(event: GatewayDispatchPayload, view: BotView, now: Date): InboundEvent[] {
  switch (event.t) {
    case GatewayDispatchEvents.MessageCreate:
      return [{ where: whereOf(event.d), content: readSaid(event.d, event.d.guild_id ?? null, view) }];
    case GatewayDispatchEvents.MessageUpdate:
      return wasEdited(event.d, now) ? readEdit(event.d, view, now) : [];
    case GatewayDispatchEvents.MessageDelete:
      return [{ where: whereOf(event.d), content: revisionOf(event.d.id, null) }];
    case GatewayDispatchEvents.MessageDeleteBulk:
      return event.d.ids.map((id) => ({ where: whereOf(event.d), content: revisionOf(id, null) }));
    case GatewayDispatchEvents.ChannelDelete:
    case GatewayDispatchEvents.ThreadDelete:
      return readDeleted(event.d);
    default:
      return [];
  }
}

/**
 * Reads a message as one to the bot, or as none. `guildId` is null in a DM.
 * @throws if it lacks what every message has
 */
export function readSaid(
  message: RawMessage,
  guildId: string | null,
  { botId, names, reach, threadOf }: BotView,
): InboundContent {
  if (!isSnowflake(message.id)) throw new TypeError('a message without an id');
  const described = describeMessage(message, guildId, names);
  const reading = readMessage(described, botId);
  if (reading.kind === 'ignore') {
    const isUnclear = reading.reason === 'not spoken to' && described.namesOwnRole === null;
    return { kind: isUnclear ? 'unclear' : 'nothing', id: message.id };
  }
  const answerable = answerableIn(reach(message.channel_id));
  const request = { ...reading.request, answerable };
  if (guildId === null) return { kind: 'message', id: message.id, request };
  const channelId = threadOf(message.channel_id);
  return {
    kind: 'message',
    id: message.id,
    request: { ...request, within: withinOf(message, guildId, channelId ?? null) },
    ...(channelId === undefined && { mayBeInThread: true }),
  };
}

/** Picks what is known of a message's place in its server, and of its author there. */
function withinOf(
  { member }: RawMessage,
  server: string,
  threadOf: string | null,
): ReceivedMessage['within'] {
  const nickname = cutText(member?.nick ?? '', 100);
  return {
    server,
    ...(threadOf !== null && { threadOf }),
    ...(nickname && { nickname }),
    ...(member?.roles && { roles: member.roles }),
  };
}

/** Decides how a message can be answered in its place. Where permissions are unknown, the delivery finds out. */
function answerableIn(reach: Reach | null): 'by-reply' | 'by-message' | 'not' {
  if (reach?.canSend === false) return 'not';
  return reach?.canReadHistory === false ? 'by-message' : 'by-reply';
}

/**
 * Tells whether an update may be an edit; pins and links that unfold are updates, too. An edit sets its time, which stays
 * set. The gateway compares the words; but the same markup reads differently once a channel or somebody has another
 * name.
 */
function wasEdited({ edited_timestamp: at }: RawMessage, now: Date): boolean {
  return at !== null && Date.parse(at) >= now.getTime() - EDIT_WITHIN_MS;
}

/**
 * Reads an edit. One that speaks to the bot may be the first to do so, as where somebody adds a mention that they forgot:
 * then it is told as a message, too. The gateway knows one that it has by its id.
 */
function readEdit(message: RawMessage & { guild_id?: string }, view: BotView, now: Date): InboundEvent[] {
  const { guild_id: guildId = null, id } = message;
  const described = describeMessage(message, guildId, view.names);
  const reading = readMessage(described, view.botId);
  const where = whereOf(message);
  if (reading.kind === 'turn') {
    const edit = { where, content: revisionOf(id, reading.request.text, reading.request.pictures) };
    const mayBeNew = guildId !== null && described.sentAt.getTime() >= now.getTime() - CALLED_WITHIN_MS;
    return mayBeNew ? [edit, { where, content: readSaid(message, guildId, view) }] : [edit];
  }
  // Unsure whether the bot is still meant: the message it replies to is gone and may have been the bot's, or a
  // mentioned role may be the bot's.
  const isUnsure =
    described.namesOwnRole === null ||
    (message.message_reference !== undefined && !message.referenced_message);
  // An edit to no words, or to words for others, takes back what was said to the bot. Discord hides the
  // words of messages for others.
  const isTakenBack = reading.reason === 'no words' || (reading.reason === 'not spoken to' && !isUnsure);
  return isTakenBack ? [{ where, content: revisionOf(message.id, null) }] : [];
}

function readDeleted(place: { id: string; guild_id?: string }): InboundEvent[] {
  const { id: channelId, guild_id: serverId } = place;
  // A DM that is closed keeps its messages.
  if (serverId === undefined) return [];
  return [{ where: { channelId, isDirect: false }, content: { kind: 'place-deleted', serverId } }];
}

function whereOf({ channel_id, guild_id }: { channel_id: string; guild_id?: string }): CursorPlace {
  return { channelId: channel_id, isDirect: guild_id === undefined };
}

function revisionOf(
  messageId: string,
  text: string | null,
  pictures?: ReceivedMessage['pictures'],
): InboundContent {
  return { kind: 'revision', revision: { door: 'discord', messageId, text, ...(pictures && { pictures }) } };
}
