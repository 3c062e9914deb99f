import {
  ARCHIVED_THREAD,
  asJson,
  badForm,
  NO_CONTENT,
  ok,
  refusal,
  textOf,
  UNKNOWN_CHANNEL,
  UNKNOWN_MESSAGE,
  type RestAnswer,
  type RestRequest,
  route,
  type Route,
} from './answers.js';
import { attachmentsAfter } from './attachments.js';
import type { Journal } from './journal.js';
import { mayBot, type Permission } from './permissions.js';
import { channelShape, guildShape, memberShape } from './shapes.js';
import {
  EPHEMERAL,
  type DiscordChannel,
  type DiscordMessage,
  type DiscordWorld,
  type Json,
} from './discord-world.js';

const MAX_CONTENT = 2_000;
const MAX_NONCE = 25;
/** Discord says "a few minutes"; five is what tests may count on here. */
export const NONCE_WINDOW_MS = 5 * 60_000;

/** Finds the fault in a message's body, as Discord would say it; undefined when it is fine. */
export function refuseBody(body: Json): RestAnswer | undefined {
  const content = body['content'] ?? '';
  if (typeof content !== 'string')
    return badForm('content', 'STRING_TYPE_CONVERT', 'Could not interpret as string.');
  if (content.length > MAX_CONTENT)
    return badForm('content', 'BASE_TYPE_MAX_LENGTH', `Must be ${MAX_CONTENT} or fewer in length.`);
  const nonce = body['nonce'];
  if (nonce !== undefined && textOf(nonce).length > MAX_NONCE)
    return badForm('nonce', 'NONCE_TYPE_TOO_LONG', `Must be ${MAX_NONCE} or fewer in length.`);
  const hasRest = [body['embeds'], body['components'], body['attachments']].some(
    (part) => Array.isArray(part) && part.length > 0,
  );
  return content.trim() === '' && !hasRest ? refusal(400, 50006, 'Cannot send an empty message') : undefined;
}

/** Channels and messages as the bot may use them. */
export class MessageRoutes {
  constructor(
    private readonly world: DiscordWorld,
    private readonly journal: Journal,
    private readonly announce: (event: string, message: DiscordMessage) => void,
  ) {}

  readonly routes: Route[] = [
    route('GET', /^\/channels\/(\d+)$/, (_request, id) => this.channel(id)),
    route('PATCH', /^\/channels\/(\d+)$/, (request, id) => this.wake(request, id)),
    route('POST', /^\/channels\/(\d+)\/typing$/, (_request, id) => this.typing(id)),
    route('POST', /^\/channels\/(\d+)\/messages$/, (request, id) => this.create(request, id)),
    route('GET', /^\/channels\/(\d+)\/messages$/, (request, id) => this.list(request, id)),
    route('GET', /^\/channels\/(\d+)\/messages\/(\d+)$/, (_request, _channel, id) => this.one(id)),
    route('PATCH', /^\/channels\/(\d+)\/messages\/(\d+)$/, (request, _channel, id) => this.edit(request, id)),
    route('DELETE', /^\/channels\/(\d+)\/messages\/(\d+)$/, (_request, _channel, id) => this.remove(id)),
    route(
      'PUT',
      /^\/channels\/(\d+)\/messages\/(\d+)\/reactions\/([^/]+)\/@me$/,
      (_request, channel, id, emoji) => this.react(channel, id, emoji),
    ),
    route('GET', /^\/guilds\/(\d+)$/, (_request, id) => this.guild(id)),
    route('GET', /^\/guilds\/(\d+)\/members\/(\d+)$/, (_request, guild, user) => this.member(guild, user)),
    route('POST', /^\/users\/@me\/channels$/, (request) => this.openDm(request)),
  ];

  /** The channel, where the bot may do all of this there; else what Discord answers. */
  private reach(id: string, ...permissions: Permission[]): DiscordChannel | RestAnswer {
    const channel = this.world.channels.get(id);
    if (!channel) return UNKNOWN_CHANNEL;
    if (!mayBot(this.world, channel, 'VIEW_CHANNEL')) return refusal(403, 50001, 'Missing Access');
    return permissions.every((permission) => mayBot(this.world, channel, permission))
      ? channel
      : refusal(403, 50013, 'Missing Permissions');
  }

  private channel(id = ''): RestAnswer {
    const channel = this.reach(id);
    return 'id' in channel ? ok(channelShape(this.world, channel)) : channel;
  }

  /** Wakes a thread, as whoever may write in it may; the double's bot changes nothing else of a channel. */
  private wake(request: RestRequest, id = ''): RestAnswer {
    const channel = this.reach(id, sendingIn(this.world, id));
    if (!('id' in channel)) return channel;
    if (channel.type !== 11 || asJson(request.body)['archived'] !== false)
      return refusal(403, 50013, 'Missing Permissions');
    channel.archived = false;
    return ok(channelShape(this.world, channel));
  }

  private typing(id = ''): RestAnswer {
    const channel = this.reach(id, sendingIn(this.world, id));
    if (!('id' in channel)) return channel;
    this.journal.typing.push(id);
    return NO_CONTENT;
  }

  private guild(id = ''): RestAnswer {
    const guild = this.world.guilds.get(id);
    return guild ? ok(guildShape(this.world, guild)) : refusal(404, 10004, 'Unknown Guild');
  }

  private member(guildId = '', userId = ''): RestAnswer {
    const user = this.world.users.get(userId);
    if (!user) return refusal(404, 10013, 'Unknown User');
    const key = `${guildId} ${userId}`;
    if (this.world.leavers.has(key)) return refusal(404, 10007, 'Unknown Member');
    const until = this.world.timeOuts.get(key)?.toISOString() ?? null;
    return ok({ ...memberShape(user), communication_disabled_until: until });
  }

  private openDm(request: RestRequest): RestAnswer {
    const user = this.world.users.get(String(asJson(request.body)['recipient_id']));
    return user
      ? ok(channelShape(this.world, this.world.dmChannel(user)))
      : badForm('recipient_id', 'SNOWFLAKE', 'Unknown user.');
  }

  private create(request: RestRequest, channelId = ''): RestAnswer {
    const channel = this.reach(channelId, sendingIn(this.world, channelId));
    if (!('id' in channel)) return channel;
    const body = asJson(request.body);
    const wrong = refuseBody(body) ?? this.refuseWords(channel, body);
    if (wrong) return wrong;
    const recipient = channel.recipients?.[0];
    if (recipient && this.world.closedDms.has(recipient.id))
      return refusal(403, 50007, 'Cannot send messages to this user');
    const first = this.firstWithNonce(body);
    if (first) {
      this.journal.repeatedNonces.push(textOf(body['nonce']));
      return ok(first);
    }
    const wanted = asJson(body['message_reference']);
    if (wanted['message_id'] !== undefined && !mayBot(this.world, channel, 'READ_MESSAGE_HISTORY'))
      return refusal(403, 160002, 'Cannot reply without permission to read message history');
    const reference = this.reference(channel, wanted);
    if (reference === 'unknown')
      return badForm('message_reference', 'REPLIES_UNKNOWN_MESSAGE', 'Unknown message');
    const attachments = attachmentsAfter(this.world, body['attachments'], request.files, []);
    if (!Array.isArray(attachments)) return attachments;
    const message = this.world.addMessage(channel, this.world.bot, {
      content: textOf(body['content']),
      attachments,
      embeds: (body['embeds'] ?? []) as Json[],
      components: (body['components'] ?? []) as Json[],
      flags: Number(body['flags'] ?? 0),
      ...(body['nonce'] === undefined ? {} : { nonce: textOf(body['nonce']) }),
      ...(reference ? { message_reference: reference } : {}),
    });
    message.mentions = allowedMentions(message, body['allowed_mentions']);
    this.journal.sent.push({ message, body });
    this.announce('MESSAGE_CREATE', message);
    return ok(message);
  }

  /** AutoMod looks at what is sent and at what is edited. */
  private refuseWords({ guild_id }: DiscordChannel, body: Json): RestAnswer | undefined {
    const words = this.world.blockedWords.get(guild_id ?? '') ?? [];
    const content = textOf(body['content']).toLowerCase();
    return words.some((word) => content.includes(word))
      ? refusal(400, 200000, 'Message was blocked by automatic moderation')
      : undefined;
  }

  /** `enforce_nonce`: the same author's message with this nonce within the window is the answer. */
  private firstWithNonce(body: Json): DiscordMessage | undefined {
    if (body['enforce_nonce'] !== true || body['nonce'] === undefined) return undefined;
    return this.journal.sent.find(
      ({ message }) =>
        message.nonce === textOf(body['nonce']) &&
        this.world.now() - Date.parse(message.timestamp) < NONCE_WINDOW_MS,
    )?.message;
  }

  private reference(
    channel: DiscordChannel,
    wanted: Json,
  ): NonNullable<DiscordMessage['message_reference']> | undefined | 'unknown' {
    if (wanted['message_id'] === undefined) return undefined;
    const original = this.world.messages.get(textOf(wanted['message_id']));
    if (original?.channel_id !== channel.id)
      return wanted['fail_if_not_exists'] === false ? undefined : 'unknown';
    return { message_id: original.id, channel_id: channel.id };
  }

  /** `before`, `after` and `limit` as Discord has them; newest first. */
  private list(request: RestRequest, channelId = ''): RestAnswer {
    const channel = this.reach(channelId);
    if (!('id' in channel)) return channel;
    // Discord says nothing of the missing permission.
    if (!mayBot(this.world, channel, 'READ_MESSAGE_HISTORY')) return ok([]);
    const before = request.query.get('before');
    const after = request.query.get('after');
    const limit = Math.min(Number(request.query.get('limit') ?? 50), 100);
    const messages = this.world
      .channelMessages(channelId)
      .filter(({ id }) => before === null || BigInt(id) < BigInt(before))
      .filter(({ id }) => after === null || BigInt(id) > BigInt(after));
    return ok((after === null ? messages.slice(0, limit) : messages.slice(-limit)).map(asKept));
  }

  private one(id = ''): RestAnswer {
    const message = this.world.messages.get(id);
    return message && (message.flags & EPHEMERAL) === 0 ? ok(asKept(message)) : UNKNOWN_MESSAGE;
  }

  private edit(request: RestRequest, id = ''): RestAnswer {
    const message = this.world.messages.get(id);
    if (!message) return UNKNOWN_MESSAGE;
    if (message.author.id !== this.world.bot.id)
      return refusal(403, 50005, 'Cannot edit a message authored by another user');
    const body = asJson(request.body);
    const channel = this.reach(message.channel_id);
    if (!('id' in channel)) return channel;
    if (channel.archived === true) return ARCHIVED_THREAD;
    const wrong = refuseBody({ ...message, ...body }) ?? this.refuseWords(channel, body);
    if (wrong) return wrong;
    const attachments = attachmentsAfter(this.world, body['attachments'], request.files, message.attachments);
    if (!Array.isArray(attachments)) return attachments;
    const edited_timestamp = new Date(this.world.now()).toISOString();
    Object.assign(message, body, { attachments, edited_timestamp });
    // As Discord does, anew from the words and from what this edit allows, whatever the first request allowed.
    if (body['content'] !== undefined) {
      message.mentions = this.world.mentionedIn(message.content);
      message.mentions = allowedMentions(message, body['allowed_mentions']);
    }
    this.journal.edits.push({ message: { ...message }, body });
    this.announce('MESSAGE_UPDATE', message);
    return ok(message);
  }

  private remove(id = ''): RestAnswer {
    const message = this.world.messages.get(id);
    if (!message) return UNKNOWN_MESSAGE;
    if (this.world.channels.get(message.channel_id)?.archived === true) return ARCHIVED_THREAD;
    this.world.messages.delete(id);
    this.journal.deleted.push(id);
    return NO_CONTENT;
  }

  private react(channelId = '', messageId = '', emoji = ''): RestAnswer {
    const channel = this.reach(channelId, 'READ_MESSAGE_HISTORY', 'ADD_REACTIONS');
    if (!('id' in channel)) return channel;
    if (channel.archived === true) return ARCHIVED_THREAD;
    if (!this.world.messages.has(messageId)) return UNKNOWN_MESSAGE;
    if (!/\p{Extended_Pictographic}/u.test(emoji)) return refusal(400, 10014, 'Unknown Emoji');
    this.journal.reactions.push({ channelId, messageId, emoji });
    return NO_CONTENT;
  }
}

/** Strips the nonce: Discord tells it when the message is made, and never again. */
function asKept({ nonce: _, ...message }: DiscordMessage): DiscordMessage {
  return message;
}

/** Finds the users a message pings: everyone named in it, unless `allowed_mentions` says less. */
function allowedMentions(message: DiscordMessage, allowed: unknown): DiscordMessage['mentions'] {
  const author = message.referenced_message?.author;
  if (allowed === undefined || allowed === null) return [...message.mentions, ...(author ? [author] : [])];
  const { parse, users, replied_user: repliedUser } = asJson(allowed);
  const all = Array.isArray(parse) && parse.includes('users');
  const named = message.mentions.filter((user) => all || (Array.isArray(users) && users.includes(user.id)));
  return repliedUser === true && author ? [...named, author] : named;
}

function sendingIn(world: DiscordWorld, channelId: string): Permission {
  return world.channels.get(channelId)?.type === 11 ? 'SEND_MESSAGES_IN_THREADS' : 'SEND_MESSAGES';
}
