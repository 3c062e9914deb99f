import { lastOf } from '@kith/contracts';
import {
  MessageFlags,
  Routes,
  type APIActionRowComponent,
  type APIButtonComponentWithCustomId,
} from 'discord-api-types/v10';
import type { REST, RESTOptions } from 'discord.js';
import { forgetLimitsOnJumps } from './clock-jumps.js';
import { discordJs } from './discord-js.js';
import { TooManyInvalidRequests, type InvalidRequests } from './invalid-requests.js';

// Discord's own waits are kept by the client; a longer one is not worth a job's place: it is tried later.
const LONGEST_WAIT_MS = 10_000;
// Slower than Discord on its worst days: the request is lost by then.
const REQUEST_TIMEOUT_MS = 10_000;
/** Discord's code for a reply that may not refer to a message, since the bot may not read the history. */
export const NO_REFERENCE = 160_002;
/** Discord's code for a message that is not there (any more). */
export const UNKNOWN_MESSAGE = 10_008;
/** Most messages that Discord gives at once. */
const PAGE = 100;
/** Five pages hold more than a channel says in the few minutes that are looked at. */
const MAX_PAGES = 5;
/** A link's preview is fetched by Discord and drawn by whoever owns the page: a model's words bring none. */
const FLAGS = MessageFlags.SuppressEmbeds;

/**
 * REST settings of everything here that talks to Discord, or to the server that stands in for it: interactions too.
 * Every answer is counted, and nothing is asked while too much was refused.
 */
export function restOptions(
  apiBase: string | undefined,
  invalidRequests: InvalidRequests,
): Partial<RESTOptions> {
  return {
    ...(apiBase === undefined ? {} : { api: apiBase }),
    timeout: REQUEST_TIMEOUT_MS,
    rejectOnRateLimit: ({ timeToReset }) => timeToReset > LONGEST_WAIT_MS,
    makeRequest: async (url, init) => {
      if (invalidRequests.isTooMany) throw new TooManyInvalidRequests();
      const { DefaultRestOptions } = await discordJs();
      const response = await DefaultRestOptions.makeRequest(url, init);
      invalidRequests.note(response.status, url);
      return response;
    },
  };
}

/** Row of buttons under a message. */
export type ButtonRow = APIActionRowComponent<APIButtonComponentWithCustomId>;

export interface OutgoingMessage {
  content: string;
  nonce: string;
  replyTo: string | undefined;
  /** Ids of people whom it may ping; a model's words ping nobody else. */
  pings?: readonly string[];
  /** Rows of buttons under it. */
  buttons?: readonly ButtonRow[];
}

/** A message as Discord shows it, as far as it tells whose reply it is. */
export interface PostedMessage {
  id: string;
  author: { id: string };
  content: string;
  nonce?: string | number;
  message_reference?: { message_id?: string };
}

/** The few things the bot does over REST outside of interactions. Works without the gateway connection. */
export class DiscordApi {
  private client: REST | undefined;
  private ownId: string | undefined;
  private stopWatching: () => void = () => undefined;

  constructor(
    private readonly options: { token: string | undefined; apiBase: string | undefined },
    private readonly invalidRequests: InvalidRequests,
  ) {}

  /** Returns the message's id; of the first one, when this nonce was used in the last minutes. */
  async createMessage(
    channelId: string,
    { content, nonce, replyTo, pings = [], buttons = [] }: OutgoingMessage,
  ): Promise<string> {
    const body = {
      content,
      flags: FLAGS,
      nonce,
      enforce_nonce: true,
      allowed_mentions: { parse: [], users: pings, replied_user: false },
      ...(buttons.length > 0 && { components: buttons }),
      ...(replyTo === undefined
        ? {}
        : { message_reference: { message_id: replyTo, fail_if_not_exists: false } }),
    };
    const message = (await (await this.rest()).post(Routes.channelMessages(channelId), { body })) as {
      id: string;
    };
    return message.id;
  }

  /** Changes what a message of ours says; with a signal, unless that takes too long. */
  async editMessage(
    channelId: string,
    messageId: string,
    content: string,
    { signal, buttons = [] }: { signal?: AbortSignal; buttons?: readonly ButtonRow[] } = {},
  ): Promise<void> {
    const components = buttons.length > 0 ? { components: buttons } : {};
    const body = { content, flags: FLAGS, allowed_mentions: { parse: [] }, ...components };
    await (
      await this.rest()
    ).patch(Routes.channelMessage(channelId, messageId), {
      body,
      ...(signal && { signal }),
    });
  }

  /** Adds a reaction of the bot's, an emoji as it is, to a message. */
  async react(channelId: string, messageId: string, emoji: string): Promise<void> {
    await (
      await this.rest()
    ).put(Routes.channelMessageOwnReaction(channelId, messageId, encodeURIComponent(emoji)));
  }

  /** Takes a message of ours back; one that is gone is gone. */
  async deleteMessage(channelId: string, messageId: string): Promise<void> {
    try {
      await (await this.rest()).delete(Routes.channelMessage(channelId, messageId));
    } catch (error) {
      if ((error as { code?: unknown }).code !== UNKNOWN_MESSAGE) throw error;
    }
  }

  /** The bot's own messages of a channel after this one, the oldest first; among the next 500 there. */
  async ownMessagesAfter(channelId: string, after: string): Promise<PostedMessage[]> {
    const me = await this.me();
    const own: PostedMessage[] = [];
    for (let page = 0, last = after; page < MAX_PAGES; page += 1) {
      const query = new URLSearchParams({ after: last, limit: String(PAGE) });
      const messages = (await (
        await this.rest()
      ).get(Routes.channelMessages(channelId), { query })) as PostedMessage[];
      const inOrder = messages.toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
      own.push(...inOrder.filter(({ author }) => author.id === me));
      if (inOrder.length < PAGE) break;
      last = lastOf(inOrder).id;
    }
    return own;
  }

  /** The bot's own id. */
  private async me(): Promise<string> {
    this.ownId ??= ((await (await this.rest()).get(Routes.user())) as { id: string }).id;
    return this.ownId;
  }

  /** The id of the DM channel with a person; makes it at first. */
  async openDm(userId: string): Promise<string> {
    const body = { recipient_id: userId };
    const channel = (await (await this.rest()).post(Routes.userChannels(), { body })) as { id: string };
    return channel.id;
  }

  /** Shows the typing indicator for about ten seconds, or until the next message. */
  async showTyping(channelId: string): Promise<void> {
    await (await this.rest()).post(Routes.channelTyping(channelId));
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
    this.client = new REST(restOptions(apiBase, this.invalidRequests)).setToken(token ?? '');
    this.stopWatching = forgetLimitsOnJumps(this.client);
    return this.client;
  }
}
