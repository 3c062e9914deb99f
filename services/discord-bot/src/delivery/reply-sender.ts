import {
  AppError,
  type DiscordTarget,
  firstOf,
  gatewayContract,
  lastOf,
  type RequestInput,
  type ResponseOutput,
} from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import { step } from '@kith/service-host';
import { RESTJSONErrorCodes } from 'discord-api-types/v10';
import type { Cursors } from '../places/cursors.js';
import { quietChannels } from '../places/quiet-channels.js';
import type { DiscordApi, OutgoingMessage, PostedMessage } from '../rest/discord-api.js';
import { codeOf } from '../rest/code-of.js';
import type { MayWrite } from '../rest/may-write.js';
import { snowflakeAt } from '../rest/snowflake-at.js';
import type { Typing } from './typing.js';
import { chunkMessage } from './chunk-message.js';
import type { Deletions } from './deletions.js';
import { causeOf, classifyFailure } from './classify-failure.js';
import { findSent } from './find-sent.js';
import { namingOf, pingsOf } from './live-messages.js';
import type { LiveReplies } from './live-replies.js';
import { isNonceKnown, nonceOf, sentSince } from './nonce-of.js';
import { toolButtons } from './tool-buttons.js';
import type { UndeliveredCause } from './plan-signs.js';

type DeliveryResult = RequestInput<typeof gatewayContract.noteDelivery>['result'];
/** Result, with the cause to tell the person if the reply is given up. */
export type SendResult = DeliveryResult & { cause?: UndeliveredCause };
type Claim = ResponseOutput<typeof gatewayContract.claimDelivery>;
export type ClaimedReply = Extract<Claim, { kind: 'claimed' }>;
/** Answer to a claim if the reply must not be sent, or not now. */
export type NothingClaimed = Exclude<Claim, ClaimedReply>;

/** Time after which outreach that Discord holds up, as by a rate limit, is asked about anew: consent may be withdrawn by then. */
const ASKED_ANEW_AFTER_MS = 2_000;

interface SenderParts {
  messenger: Messenger;
  api: DiscordApi;
  deletions: Deletions;
  typing: Typing;
  live: LiveReplies;
  cursors: Pick<Cursors, 'opened'>;
}

/** A reply on its way to a channel. */
interface Sending {
  channelId: string;
  chunks: readonly string[];
  /** Posts of ours there, among which a chunk may be that arrived unnoticed. */
  posted: readonly PostedMessage[];
  /** Ids of the chunks that arrived. */
  sent: string[];
}

/**
 * Outreach that its person can't answer, as only others would read it, or it would stand where they may not write; or that
 * the operator does not allow there. The person reads the reason as well as the operator.
 */
const REFUSALS: Record<MayWrite | 'quiet', SendResult | null> = {
  yes: null,
  quiet: {
    kind: 'failed',
    reason: 'the operator keeps the channel of that thread quiet',
    unreachable: 'place',
  },
  no: { kind: 'failed', reason: 'whoever it is for may no longer write there', unreachable: 'place' },
  'not now': {
    kind: 'failed',
    reason: 'whoever it is for is in a time-out there',
    unreachable: null,
    passes: true,
  },
};

/**
 * Sends claimed replies in chunks, and deletes those that were forgotten. May be repeated at any point: by its nonce
 * Discord knows a chunk that was sent before and answers with that message; once Discord has forgotten the nonce, the
 * chunk is looked for in the channel.
 */
export class ReplySender {
  constructor(private readonly parts: SenderParts) {}

  /** Deletes a reply whose words were forgotten, now or later, also chunks whose arrival was not noted. */
  async unsay(claimed: ClaimedReply): Promise<SendResult> {
    const { api, deletions, live } = this.parts;
    const { turnId, target, sent, attempt, firstTriedAt, othersSent } = claimed;
    try {
      const channelId = await this.open(target);
      await deletions.remove(channelId, sent);
      await live.takeBack(turnId, []);
      const since = snowflakeAt(sentSince(new Date(firstTriedAt)));
      const posted = attempt === 1 ? [] : await api.ownMessagesAfter(channelId, since);
      const unnoted = new Set<string>();
      for (const content of chunksOf(claimed).slice(sent.length)) {
        const taken = new Set([...sent, ...unnoted, ...othersSent]);
        const found = findSent({ content, replyTo: undefined }, posted, taken);
        if (found) unnoted.add(found.id);
      }
      await deletions.remove(channelId, unnoted);
      return { kind: 'forgotten' };
    } catch (error) {
      return failureOf(error, sent, '');
    }
  }

  /** Sends what has not arrived of a reply. Claims it again where it was in doubt and is not there. */
  async send(claimed: ClaimedReply): Promise<SendResult | NothingClaimed> {
    const { outboxId, target, text } = claimed;
    if (text.trim() === '') return { kind: 'failed', reason: 'the reply is blank', unreachable: null };
    const chunks = chunksOf(claimed);
    const sent = [...claimed.sent];
    try {
      const channelId = await this.open(target);
      const posted = await this.mayHaveArrived(claimed, channelId, chunks);
      if (target.mention === true && sent.length === 0 && !hasArrived(claimed, chunks, posted)) {
        const quiet = await quietChannels(this.parts.messenger);
        const refusal = REFUSALS[await this.parts.api.mayWrite(channelId, target.userId, quiet)];
        if (refusal) return refusal;
      }
      if (claimed.isInDoubt && !hasArrived(claimed, chunks, posted)) {
        const again = await this.parts.messenger.ask(gatewayContract.claimDelivery, {
          outboxId,
          isAbsent: true,
        });
        return again.kind === 'claimed' ? await this.send(again) : again;
      }
      await this.sendChunks(claimed, { channelId, chunks, posted, sent });
      if (target.channelId === undefined)
        await this.parts.cursors.opened({
          channelId,
          personId: claimed.personId,
          lastMessageId: lastOf(sent),
        });
      return { kind: 'delivered', platformIds: sent };
    } catch (error) {
      return failureOf(error, sent, chunks.slice(0, sent.length).join('\n'));
    }
  }

  /** Sends the chunks that have not arrived, and adds the id of each to `sent` once it is in the channel. */
  private async sendChunks(claimed: ClaimedReply, { channelId, chunks, posted, sent }: Sending) {
    const { outboxId, target } = claimed;
    let live = await this.parts.live.close(claimed, channelId, chunks, namedIn(target));
    for (const [index, content] of chunks.entries()) {
      if (index < sent.length) continue;
      const isLast = index === chunks.length - 1;
      const chunk = messageOf(claimed, content, index, isLast);
      const shown = live[index];
      if (shown !== undefined && !(await this.finish(channelId, shown, chunk))) {
        await this.parts.live.dropFrom(claimed.turnId, channelId, live, index);
        live = [];
      }
      const taken = new Set([...sent, ...live, ...claimed.othersSent]);
      const there = live[index] ?? findSent(chunk, posted, taken)?.id;
      sent.push(there ?? (await this.parts.api.createMessage(channelId, chunk)));
      step('sent-unread');
      // The result notes the last chunk. Earlier ones are noted here, so that no later try sends them again.
      if (!isLast) await this.parts.messenger.ask(gatewayContract.noteSent, { outboxId, sent });
    }
    // More live messages were shown than the reply has chunks.
    await this.parts.live.dropFrom(claimed.turnId, channelId, live, chunks.length);
  }

  /**
   * Makes a message that was shown while the reply was written one of its chunks. False: somebody deleted it meanwhile,
   * and the chunk is sent as if it had never been there.
   */
  private async finish(channelId: string, messageId: string, chunk: OutgoingMessage): Promise<boolean> {
    try {
      await this.parts.api.editMessage(channelId, messageId, chunk.content, chunk);
      return true;
    } catch (error) {
      if (codeOf(error) === RESTJSONErrorCodes.UnknownMessage) return false;
      throw error;
    }
  }

  private async open(target: DiscordTarget): Promise<string> {
    const channelId = target.channelId ?? (await this.parts.api.openDm(target.userId));
    this.parts.typing.delivered(channelId, target.userId);
    return channelId;
  }

  /**
   * Reads our posts in the channel since the first try, of which only those that read as a chunk are kept; none at that
   * try, or while Discord still knows the nonces. A reply in doubt is always searched for: a nonce helps only when a
   * message is sent.
   */
  private async mayHaveArrived(
    claimed: ClaimedReply,
    channelId: string,
    chunks: readonly string[],
  ): Promise<PostedMessage[]> {
    const { attempt, firstTriedAt, isInDoubt, target } = claimed;
    const since = new Date(firstTriedAt);
    // Outreach in a channel is not sent if its person has left, so its nonce does not help.
    const mayResend = target.mention !== true && isNonceKnown(since, Date.now());
    // Whatever the clocks say: another reply's message with the same words must not be taken for this one.
    if ((attempt === 1 || mayResend) && !isInDoubt) return [];
    const posted = await this.parts.api.ownMessagesAfter(channelId, snowflakeAt(sentSince(since)));
    return this.parts.deletions.notToBeDeleted(posted.filter(({ content }) => chunks.includes(content)));
  }
}

/** Tells whether the companion writes first. */
function isOutreach({ mention, channelId }: DiscordTarget): boolean {
  return mention === true || channelId === undefined;
}

/** Returns the person to mention at the reply's beginning; nothing else shows whom it is for. */
function namedIn({ mention, withoutReference, userId }: DiscordTarget): string | null {
  return mention === true || withoutReference === true ? userId : null;
}

function chunksOf({ target, text }: ClaimedReply): string[] {
  return chunkMessage(namingOf(namedIn(target)) + text);
}

/** Makes the message of a chunk: the first refers to what it answers, and the last has the buttons. */
function messageOf(
  { outboxId, target, questions }: ClaimedReply,
  content: string,
  index: number,
  isLast: boolean,
): OutgoingMessage {
  return {
    content,
    nonce: nonceOf(outboxId, index),
    replyTo: index === 0 && !target.withoutReference ? target.replyToMessageId : undefined,
    pings: pingsOf(index, namedIn(target)),
    buttons: isLast ? toolButtons(questions ?? []) : [],
    ...(index === 0 && isOutreach(target) && { signal: AbortSignal.timeout(ASKED_ANEW_AFTER_MS) }),
  };
}

/** Reads Discord's error. @throws an error of the gateway: nothing can be noted, so the job comes again */
function failureOf(error: unknown, sent: string[], said: string): SendResult {
  if (error instanceof AppError) throw error;
  return { ...classifyFailure(error), sent, said, cause: causeOf(error) };
}

/** Tells whether the first chunk of an outreach is among the posted messages. */
function hasArrived(
  { othersSent }: ClaimedReply,
  chunks: readonly string[],
  posted: readonly PostedMessage[],
): boolean {
  const first = { content: firstOf(chunks), replyTo: undefined };
  return findSent(first, posted, new Set(othersSent)) !== undefined;
}
