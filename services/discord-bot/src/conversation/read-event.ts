import { GatewayDispatchEvents, type GatewayDispatchPayload } from 'discord-api-types/v10';
import { describeMessage, type PlaceNames, type RawMessage } from './describe-message.js';
import type { Reach } from '../connection/reach.js';
import type { Heard, Where } from './hand-over.js';
import { readMessage } from './read-message.js';

/** Who hears, and what it knows of the places. */
export interface Ears {
  botId: string;
  names: PlaceNames;
  /** What the bot may do in a place; null where it is not known. */
  reach: (channelId: string) => Reach | null;
}

/** Something that was said, or taken back, and where. */
export interface Told {
  where: Where;
  heard: Heard;
}

/** What an event of Discord's gateway tells of messages; nothing, where it is about something else. */
export function readEvent(event: GatewayDispatchPayload, ears: Ears): Told[] {
  switch (event.t) {
    case GatewayDispatchEvents.MessageCreate:
      return [{ where: whereOf(event.d), heard: readSaid(event.d, event.d.guild_id ?? null, ears) }];
    case GatewayDispatchEvents.MessageUpdate:
      return readEdit(event.d, ears);
    case GatewayDispatchEvents.MessageDelete:
      return [{ where: whereOf(event.d), heard: revisionOf(event.d.id, null) }];
    case GatewayDispatchEvents.MessageDeleteBulk:
      return event.d.ids.map((id) => ({ where: whereOf(event.d), heard: revisionOf(id, null) }));
    default:
      return [];
  }
}

/** What a message says to the bot. `guildId` is null in a DM. */
export function readSaid(message: RawMessage, guildId: string | null, { botId, names, reach }: Ears): Heard {
  const reading = readMessage(describeMessage(message, guildId, names), botId);
  if (reading.kind === 'ignore') return { kind: 'nothing', id: message.id };
  const answerable = answerableIn(reach(message.channel_id));
  return { kind: 'message', id: message.id, request: { ...reading.request, answerable } };
}

/** How a message can be answered in its place; where nobody knows, the delivery finds out. */
function answerableIn(reach: Reach | null): 'by-reply' | 'by-message' | 'not' {
  if (reach?.canSend === false) return 'not';
  return reach?.canReadHistory === false ? 'by-message' : 'by-reply';
}

function readEdit(message: RawMessage & { guild_id?: string }, { botId, names }: Ears): Told[] {
  // Links that unfold are updates too; only an edit has a time of its own.
  if (!message.edited_timestamp) return [];
  const reading = readMessage(describeMessage(message, message.guild_id ?? null, names), botId);
  const where = whereOf(message);
  if (reading.kind === 'turn') return [{ where, heard: revisionOf(message.id, reading.request.text) }];
  // What it replies to, maybe the bot, is gone: nobody knows whether it is still spoken to.
  const isUnsure = message.message_reference !== undefined && !message.referenced_message;
  // An edit that leaves no words, or not the bot as whom they are for, takes back what was said to it. Words that are
  // for others Discord keeps back.
  const isTakenBack = reading.reason === 'no words' || (reading.reason === 'not spoken to' && !isUnsure);
  return isTakenBack ? [{ where, heard: revisionOf(message.id, null) }] : [];
}

function whereOf({ channel_id, guild_id }: { channel_id: string; guild_id?: string }): Where {
  return { channelId: channel_id, isDirect: guild_id === undefined };
}

function revisionOf(messageId: string, text: string | null): Heard {
  return { kind: 'revision', revision: { door: 'discord', messageId, text } };
}
