import { lastOf } from '@kith/contracts';
import {
  ChannelType,
  MessageFlags,
  RESTJSONErrorCodes,
  Routes,
  type APIOverwrite,
} from 'discord-api-types/v10';
import type { REST, RESTOptions } from 'discord.js';
import { mayWrite, type MayWrite, type SeenGuild, type SeenMember } from './may-write.js';
import type { ButtonRow } from './button-row.js';
import { forgetLimitsOnJumps } from './clock-jumps.js';
import { discordJs } from './discord-js.js';
import { codeOf } from './code-of.js';
import { keepToken } from './keep-token.js';
import { TooManyInvalidRequests, type InvalidRequests } from './invalid-requests.js';

// The client waits as long as Discord wants. A longer wait would hold up a job's place: the request is tried later.
const MAX_WAIT_MS = 10_000;
// Discord answers sooner on its worst days: the request is lost by then.
const REQUEST_TIMEOUT_MS = 10_000;
/** Half of the 50 that Discord allows a bot: the connection's client, which catches up, has the other half. */
const REQUESTS_PER_SECOND = 25;
/** Most messages that Discord gives at once. */
const PAGE = 100;
/** Five pages hold more messages than a channel gets in the few minutes that are searched. */
const MAX_PAGES = 5;
/** Codes of Discord's for a message that is not there. */
const GONE: ReadonlySet<unknown> = new Set([
  RESTJSONErrorCodes.UnknownMessage,
  RESTJSONErrorCodes.UnknownChannel,
]);
/** No previews of links: Discord would fetch pages that a model named, and their owners decide what shows. */
const FLAGS = MessageFlags.SuppressEmbeds;

/**
 * Makes the REST settings of everything here that talks to Discord, interactions too. Every answer is counted, and
 * nothing is sent while Discord has refused too much.
 */
export function restOptions(
  apiBase: string | undefined,
  invalidRequests: InvalidRequests,
): Partial<RESTOptions> {
  return {
    ...(apiBase !== undefined && { api: apiBase }),
    timeout: REQUEST_TIMEOUT_MS,
    globalRequestsPerSecond: REQUESTS_PER_SECOND,
    rejectOnRateLimit: ({ timeToReset }) => timeToReset > MAX_WAIT_MS,
    makeRequest: async (url, init) => {
      if (invalidRequests.isTooMany) throw new TooManyInvalidRequests();
      const { DefaultRestOptions } = await discordJs();
      const response = await DefaultRestOptions.makeRequest(url, init);
      invalidRequests.note(response, url);
      return response;
    },
  };
}

/** Parts of a channel or a thread that tell who may look into it. */
interface SeenChannel {
  type: ChannelType;
  guild_id?: string;
  parent_id?: string | null;
  thread_metadata?: object;
  permission_overwrites?: APIOverwrite[];
}

export interface OutgoingMessage {
  content: string;
  nonce: string;
  /** The message it answers, where it is the first chunk of a reply to one. */
  replyTo: string | undefined;
  /** Ids of people whom it may ping; a model's words ping nobody else. */
  pings?: readonly string[];
  /** Rows of buttons under it. */
  buttons?: readonly ButtonRow[];
  /** Gives up; its reason is thrown. */
  signal?: AbortSignal;
}

/** Parts of a posted message that tell which reply it belongs to. */
export interface PostedMessage {
  id: string;
  author: { id: string };
  content: string;
  message_reference?: { message_id?: string };
}

/** Requests that the bot sends over REST, apart from interactions. Works without the gateway connection. */
export class DiscordApi {
  private client: REST | undefined;
  private ownId: string | undefined;
  private stopWatching: () => void = () => undefined;

  constructor(
    private readonly options: { token: string | undefined; apiBase: string | undefined },
    private readonly invalidRequests: InvalidRequests,
  ) {}

  /**
   * Posts a message and returns its id. If this nonce was used in the last minutes, Discord returns that message. If
   * Discord refuses only the reference, the message is posted without it.
   */
  async createMessage(channelId: string, message: OutgoingMessage): Promise<string> {
    try {
      return await this.post(channelId, message);
    } catch (error) {
      const isReferenceRefused =
        codeOf(error) === RESTJSONErrorCodes.CannotReplyWithoutPermissionToReadMessageHistory;
      if (!isReferenceRefused || message.replyTo === undefined) throw error;
      return this.post(channelId, { ...message, replyTo: undefined });
    }
  }

  private async post(
    channelId: string,
    { content, nonce, replyTo, pings = [], buttons = [], signal }: OutgoingMessage,
  ): Promise<string> {
    const body = {
      content,
      flags: FLAGS,
      nonce,
      enforce_nonce: true,
      allowed_mentions: { parse: [], users: pings, replied_user: false },
      ...(buttons.length > 0 && { components: buttons }),
      ...(replyTo !== undefined && { message_reference: { message_id: replyTo, fail_if_not_exists: false } }),
    };
    const rest = await this.rest();
    const request = { body, ...(signal && { signal }) };
    const message = await rest.post(Routes.channelMessages(channelId), request).catch((error: unknown) => {
      // Where the request waits behind others, the client's own error does not tell that it was given up.
      throw signal?.aborted && codeOf(error) === undefined ? signal.reason : error;
    });
    return (message as { id: string }).id;
  }

  /** Changes the text of a message of ours, and whom it mentions: an edit notifies nobody. */
  async editMessage(
    channelId: string,
    messageId: string,
    content: string,
    more: Pick<OutgoingMessage, 'pings' | 'buttons' | 'signal'> = {},
  ): Promise<void> {
    const { signal, pings = [], buttons = [] } = more;
    const body = {
      content,
      flags: FLAGS,
      allowed_mentions: { parse: [], users: pings },
      ...(buttons.length > 0 && { components: buttons }),
    };
    await this.inThread(channelId, (rest) =>
      rest.patch(Routes.channelMessage(channelId, messageId), { body, ...(signal && { signal }) }),
    );
  }

  /** Adds a reaction of the bot's, an emoji as it is, to a message. */
  async react(channelId: string, messageId: string, emoji: string): Promise<void> {
    await this.inThread(channelId, (rest) =>
      rest.put(Routes.channelMessageOwnReaction(channelId, messageId, encodeURIComponent(emoji))),
    );
  }

  /** Deletes a message of ours, if it and its channel are still there. */
  async deleteMessage(channelId: string, messageId: string): Promise<void> {
    try {
      await this.inThread(channelId, (rest) => rest.delete(Routes.channelMessage(channelId, messageId)));
    } catch (error) {
      if (!GONE.has(codeOf(error))) throw error;
    }
  }

  /** Runs a change. If it fails because the thread is archived, wakes the thread and repeats the change. */
  private async inThread(channelId: string, change: (rest: REST) => Promise<unknown>): Promise<void> {
    const rest = await this.rest();
    try {
      await change(rest);
    } catch (error) {
      if (codeOf(error) !== RESTJSONErrorCodes.InvalidActionOnArchivedThread) throw error;
      await rest.patch(Routes.channel(channelId), { body: { archived: false } });
      await change(rest);
    }
  }

  /** The bot's own messages of a channel after this one, the oldest first; among the next 500 there. */
  async ownMessagesAfter(channelId: string, after: string): Promise<PostedMessage[]> {
    const rest = await this.rest();
    this.ownId ??= ((await rest.get(Routes.user())) as { id: string }).id;
    const own: PostedMessage[] = [];
    for (let page = 0, last = after; page < MAX_PAGES; page += 1) {
      const query = new URLSearchParams({ after: last, limit: String(PAGE) });
      const messages = (await rest.get(Routes.channelMessages(channelId), { query })) as PostedMessage[];
      const inOrder = messages.toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
      own.push(...inOrder.filter(({ author }) => author.id === this.ownId));
      if (inOrder.length < PAGE) break;
      last = lastOf(inOrder).id;
    }
    return own;
  }

  /** Reads the channel of a thread; null for a channel. */
  async threadOf(channelId: string): Promise<string | null> {
    const rest = await this.rest();
    const channel = (await rest.get(Routes.channel(channelId))) as SeenChannel;
    return channel.thread_metadata === undefined ? null : (channel.parent_id ?? null);
  }

  /**
   * Tells whether somebody is still in the server of a channel or thread, and may look into it and write there: a bot that
   * can't list a server's members is not told who leaves. A private thread counts for its members alone, though
   * moderators may look into it.
   * @param quiet channels in whose threads the companion does not write first
   */
  async mayWrite(channelId: string, userId: string, quiet: ReadonlySet<string>): Promise<MayWrite | 'quiet'> {
    const rest = await this.rest();
    const channel = (await rest.get(Routes.channel(channelId))) as SeenChannel;
    const guildId = channel.guild_id ?? '';
    // A thread has its channel's permissions.
    const isThread = channel.thread_metadata !== undefined;
    if (isThread && quiet.has(channel.parent_id ?? '')) return 'quiet';
    try {
      const member = (await rest.get(Routes.guildMember(guildId, userId))) as Omit<SeenMember, 'id'>;
      const guild = (await rest.get(Routes.guild(guildId))) as SeenGuild;
      // Refused as an unknown member where they are not in it.
      if (channel.type === ChannelType.PrivateThread) await rest.get(Routes.threadMembers(channelId, userId));
      const of = isThread
        ? ((await rest.get(Routes.channel(channel.parent_id ?? ''))) as SeenChannel)
        : channel;
      const place = { overwrites: of.permission_overwrites ?? [], isThread };
      return mayWrite(guild, place, { ...member, id: userId }, new Date());
    } catch (error) {
      const code = codeOf(error);
      if (code === RESTJSONErrorCodes.UnknownMember || code === RESTJSONErrorCodes.UnknownUser) return 'no';
      throw error;
    }
  }

  /** Returns the id of the DM channel with a person, and makes the channel where there is none. */
  async openDm(userId: string): Promise<string> {
    const rest = await this.rest();
    const channel = await rest.post(Routes.userChannels(), { body: { recipient_id: userId } });
    return (channel as { id: string }).id;
  }

  /** Shows the typing indicator for about ten seconds, or until the next message. */
  async showTyping(channelId: string): Promise<void> {
    const rest = await this.rest();
    await rest.post(Routes.channelTyping(channelId));
  }

  close(): void {
    this.stopWatching();
    this.client?.clearHashSweeper();
    this.client?.clearHandlerSweeper();
  }

  /** The client, made for the first request. */
  private async rest(): Promise<REST> {
    const { REST } = await discordJs();
    if (this.client) return this.client;
    const { token, apiBase } = this.options;
    this.client = new REST(restOptions(apiBase, this.invalidRequests));
    keepToken(this.client);
    this.client.setToken(token ?? '');
    this.stopWatching = forgetLimitsOnJumps(this.client);
    return this.client;
  }
}
