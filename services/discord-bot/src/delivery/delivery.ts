import {
  AppError,
  type DiscordTarget,
  firstOf,
  gatewayContract,
  lastOf,
  reasonOf,
  type RequestInput,
  type ResponseOutput,
} from '@kith/contracts';
import { Postponed, type Messenger } from '@kith/messaging';
import { step } from '@kith/service-host';
import { RESTJSONErrorCodes } from 'discord-api-types/v10';
import type { Logger } from 'pino';
import type { Cursors } from '../places/cursors.js';
import type { DiscordApi, OutgoingMessage, PostedMessage } from '../rest/discord-api.js';
import { codeOf } from '../rest/code-of.js';
import { snowflakeAt } from '../rest/snowflake-at.js';
import type { Typing } from './typing.js';
import { chunkMessage } from './chunk-message.js';
import { causeOf, classifyFailure } from './classify-failure.js';
import { findSent } from './find-sent.js';
import { namingOf, pingsOf } from './live-messages.js';
import type { LiveReplies } from './live-replies.js';
import { isNonceKnown, nonceOf, sentSince } from './nonce-of.js';
import { toolButtons } from './tool-buttons.js';
import type { UndeliveredCause } from './plan-signs.js';
import type { Signs } from './signs.js';

type DeliveryResult = RequestInput<typeof gatewayContract.noteDelivery>['result'];
/** Result, with the cause to tell the person if the reply is given up. */
type SendResult = DeliveryResult & { cause?: UndeliveredCause };
type Claim = ResponseOutput<typeof gatewayContract.claimDelivery>;
type ClaimedReply = Extract<Claim, { kind: 'claimed' }>;
/** Answer to a claim if the reply must not be sent, or not now. */
type NothingClaimed = Exclude<Claim, ClaimedReply>;

/**
 * Brings one outbox row to Discord: claim, send in chunks, note the result. May be repeated at any point: by its nonce Discord
 * knows a chunk that was sent before and answers with that message; once Discord has forgotten the nonce, the chunk is
 * looked for in the channel.
 */
export class Delivery {
  constructor(
    private readonly messenger: Messenger,
    private readonly api: DiscordApi,
    /** Tells why nothing can be sent right now; undefined when it can. */
    private readonly standstill: () => DeliveryResult | undefined,
    private readonly typing: Typing,
    private readonly live: LiveReplies,
    private readonly cursors: Pick<Cursors, 'opened'>,
    private readonly signs: Signs,
    private readonly logger: Logger,
    private readonly now: () => number = Date.now,
  ) {}

  /** Delivers a reply. @throws Postponed if it is not its turn, or must be tried again */
  async deliver(outboxId: string): Promise<void> {
    const claimed = await this.messenger.ask(gatewayContract.claimDelivery, { outboxId });
    if (claimed.kind !== 'claimed') {
      this.leave(outboxId, claimed);
      return;
    }
    step('outbox-claimed');
    const outcome: SendResult | NothingClaimed =
      this.standstill() ?? (await (claimed.isForgotten ? this.unsay(claimed) : this.send(claimed)));
    if (outcome.kind === 'not-yet' || outcome.kind === 'settled') {
      this.leave(outboxId, outcome);
      return;
    }
    const { cause = 'other', ...result } = outcome;
    const { channelId } = claimed.target;
    const sent = ('sent' in outcome ? outcome.sent : undefined) ?? claimed.sent;
    // Chunks that arrived stay. Live messages beyond them are deleted: the rest never comes.
    if (result.kind === 'failed') await this.takeBack(claimed.turnId, sent);
    const { retryAfterMs } = await this.messenger.ask(gatewayContract.noteDelivery, { outboxId, result });
    step('marked-sent');
    const { attempt } = claimed;
    if (retryAfterMs === null) this.live.letGo(outboxId);
    else if (channelId !== undefined) this.live.holdUp(outboxId, channelId, retryAfterMs);
    if (result.kind === 'delivered') {
      this.logger.info({ outboxId, chunks: result.platformIds.length, attempt }, 'reply delivered');
      return;
    }
    if (result.kind === 'forgotten') {
      this.logger.info({ outboxId, attempt }, 'a reply whose words were forgotten was taken back');
      return;
    }
    // No log holds the reply's words.
    const { said: _, ...told } = result;
    this.logger.warn({ outboxId, attempt, retryAfterMs, ...told }, 'reply not delivered');
    if (retryAfterMs !== null) throw new Postponed(retryAfterMs);
    if (result.kind === 'retry') await this.takeBack(claimed.turnId, sent);
    const { userId, replyToMessageId: messageId } = claimed.target;
    if (channelId !== undefined && messageId !== undefined && !claimed.isForgotten)
      await this.signs.give({ channelId, messageId, userId }, cause);
  }

  /** Leaves a reply that must not be sent. @throws Postponed if it must be checked again */
  private leave(outboxId: string, unclaimed: NothingClaimed): void {
    if (unclaimed.kind === 'not-yet') throw new Postponed(unclaimed.retryAfterMs);
    // Somebody may have dropped it while it waited for its next try.
    this.live.letGo(outboxId);
    this.logger.debug({ outboxId }, 'nothing to deliver');
  }

  /** Takes back what was shown of a reply beyond `sent`. Where that fails it stays: nothing more can be done. */
  private async takeBack(turnId: string, sent: readonly string[]): Promise<void> {
    await this.live.takeBack(turnId, sent).catch((error: unknown) => {
      this.logger.warn(
        { turnId, reason: reasonOf(error) },
        'could not delete what was shown of a failed reply beyond what was sent',
      );
    });
  }

  /** Deletes a reply whose words were forgotten, also chunks whose arrival was not noted. */
  private async unsay(claimed: ClaimedReply): Promise<SendResult> {
    const { turnId, target, sent, attempt, firstTriedAt, othersSent } = claimed;
    try {
      const channelId = await this.open(target);
      await this.live.takeBack(turnId, []);
      const since = snowflakeAt(sentSince(new Date(firstTriedAt)));
      const posted = attempt === 1 ? [] : await this.api.ownMessagesAfter(channelId, since);
      const found = chunksOf(claimed).flatMap(
        (content) => findSent({ content, replyTo: undefined }, posted, new Set(othersSent))?.id ?? [],
      );
      await this.drop(channelId, [...new Set([...sent, ...found])]);
      return { kind: 'forgotten' };
    } catch (error) {
      if (error instanceof AppError) throw error;
      return { ...classifyFailure(error), sent, said: '', cause: causeOf(error) };
    }
  }

  private async send(claimed: ClaimedReply): Promise<SendResult | NothingClaimed> {
    const { outboxId, target, text } = claimed;
    if (text.trim() === '') return { kind: 'failed', reason: 'the reply is blank', unreachable: null };
    const named = namedIn(target);
    const chunks = chunksOf(claimed);
    const sent = [...claimed.sent];
    try {
      const channelId = await this.open(target);
      const posted = await this.mayHaveArrived(claimed, channelId);
      if (target.mention === true && sent.length === 0 && !hasArrived(claimed, chunks, posted)) {
        // Otherwise only others would read it, or it would stand where its person may not answer.
        const right = await this.api.mayWrite(channelId, target.userId);
        if (right === 'no')
          return { kind: 'failed', reason: 'they may no longer write in this channel', unreachable: 'place' };
        if (right === 'not now')
          return { kind: 'failed', reason: 'they are in a time-out there', unreachable: null, passes: true };
      }
      if (claimed.isInDoubt && !hasArrived(claimed, chunks, posted)) {
        const again = await this.messenger.ask(gatewayContract.claimDelivery, { outboxId, isAbsent: true });
        return again.kind === 'claimed' ? await this.send(again) : again;
      }
      let live = await this.live.close(claimed, channelId, chunks, named);
      for (const [index, content] of chunks.entries()) {
        if (index < sent.length) continue;
        const isLast = index === chunks.length - 1;
        const buttons = isLast ? toolButtons(claimed.questions ?? []) : [];
        const pings = pingsOf(index, named);
        const shown = live[index];
        if (shown !== undefined && !(await this.finish(channelId, shown, content, { pings, buttons }))) {
          await this.drop(channelId, live.slice(index));
          live = [];
        }
        const replyTo = index === 0 && !target.withoutReference ? target.replyToMessageId : undefined;
        const chunk = { content, nonce: nonceOf(outboxId, index), replyTo, pings, buttons };
        const taken = new Set([...sent, ...live, ...claimed.othersSent]);
        const there = live[index] ?? findSent(chunk, posted, taken)?.id;
        sent.push(there ?? (await this.api.createMessage(channelId, chunk)));
        step('sent-unread');
        // The result notes the last chunk. Earlier ones are noted here, so that no later try sends them again.
        if (!isLast) await this.messenger.ask(gatewayContract.noteSent, { outboxId, sent });
      }
      // More live messages were shown than the reply has chunks.
      await this.drop(channelId, live.slice(chunks.length));
      if (target.channelId === undefined)
        await this.cursors.opened({ channelId, personId: claimed.personId, lastMessageId: lastOf(sent) });
      return { kind: 'delivered', platformIds: sent };
    } catch (error) {
      // An error of the gateway, not of Discord: nothing can be noted, so the job comes again.
      if (error instanceof AppError) throw error;
      const said = chunks.slice(0, sent.length).join('\n');
      return { ...classifyFailure(error), sent, said, cause: causeOf(error) };
    }
  }

  /**
   * Makes a message that was shown while the reply was written one of its chunks. False: somebody deleted it meanwhile,
   * and the chunk is sent as if it had never been there.
   */
  private async finish(
    channelId: string,
    messageId: string,
    content: string,
    parts: Pick<OutgoingMessage, 'pings' | 'buttons'>,
  ): Promise<boolean> {
    try {
      await this.api.editMessage(channelId, messageId, content, parts);
      return true;
    } catch (error) {
      if (codeOf(error) === RESTJSONErrorCodes.UnknownMessage) return false;
      throw error;
    }
  }

  private async drop(channelId: string, messageIds: readonly string[]): Promise<void> {
    for (const id of messageIds) await this.api.deleteMessage(channelId, id);
  }

  private async open(target: DiscordTarget): Promise<string> {
    const channelId = target.channelId ?? (await this.api.openDm(target.userId));
    this.typing.delivered(channelId, target.userId);
    return channelId;
  }

  /**
   * Reads our posts in the channel since the first try; none at that try, or while Discord still knows the nonces. A reply
   * in doubt is always searched for: a nonce helps only when a message is sent.
   */
  private async mayHaveArrived(claimed: ClaimedReply, channelId: string): Promise<PostedMessage[]> {
    const { attempt, firstTriedAt, isInDoubt, target } = claimed;
    const since = new Date(firstTriedAt);
    // Outreach in a channel is not sent if its person has left, so its nonce does not help.
    const mayResend = target.mention !== true && isNonceKnown(since, this.now());
    // Whatever the clocks say: another reply's message with the same words must not be taken for this one.
    if ((attempt === 1 || mayResend) && !isInDoubt) return [];
    return this.api.ownMessagesAfter(channelId, snowflakeAt(sentSince(since)));
  }
}

/** Returns the person to mention at the reply's beginning; nothing else shows whom it is for. */
function namedIn({ mention, withoutReference, userId }: DiscordTarget): string | null {
  return mention === true || withoutReference === true ? userId : null;
}

function chunksOf({ target, text }: ClaimedReply): string[] {
  return chunkMessage(namingOf(namedIn(target)) + text);
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
