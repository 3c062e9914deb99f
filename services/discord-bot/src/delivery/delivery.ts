import { gatewayContract, reasonOf } from '@kith/contracts';
import { Postponed, type Messenger } from '@kith/messaging';
import { step } from '@kith/service-host';
import type { Logger } from 'pino';
import type { SendFailure } from './classify-failure.js';
import type { LiveReplies } from './live-replies.js';
import type { ClaimedReply, NothingClaimed, ReplySender, SendResult } from './reply-sender.js';
import type { UndeliveredCause } from './plan-signs.js';
import type { Signs } from './signs.js';

interface DeliveryParts {
  messenger: Messenger;
  sender: ReplySender;
  /** Tells why nothing can be sent right now; undefined when it can. */
  standstill: () => SendFailure | undefined;
  live: LiveReplies;
  signs: Signs;
  logger: Logger;
}

/** Brings one outbox row to its end: claims it, has it sent, and notes the result. May be repeated at any point. */
export class Delivery {
  constructor(private readonly parts: DeliveryParts) {}

  /** Delivers a reply. @throws Postponed if it is not its turn, or must be tried again */
  async deliver(outboxId: string): Promise<void> {
    const { messenger, sender, standstill } = this.parts;
    const claimed = await messenger.ask(gatewayContract.claimDelivery, { outboxId });
    if (claimed.kind !== 'claimed') {
      this.leave(outboxId, claimed);
      return;
    }
    step('outbox-claimed');
    const outcome: SendResult | NothingClaimed =
      standstill() ?? (await (claimed.isForgotten ? sender.unsay(claimed) : sender.send(claimed)));
    if (outcome.kind === 'not-yet' || outcome.kind === 'settled') {
      this.leave(outboxId, outcome);
      return;
    }
    await this.note(claimed, outcome);
  }

  /** Notes the result of a try, and does what follows from it. @throws Postponed if it must be tried again */
  private async note(claimed: ClaimedReply, { cause = 'other', ...result }: SendResult): Promise<void> {
    const { messenger, live, logger } = this.parts;
    const { outboxId, attempt } = claimed;
    const { channelId } = claimed.target;
    const sent = ('sent' in result ? result.sent : undefined) ?? claimed.sent;
    // Chunks that arrived stay. Live messages beyond them are deleted: the rest never comes.
    if (result.kind === 'failed') await this.takeBack(claimed.turnId, sent);
    const noted = await messenger.ask(gatewayContract.noteDelivery, { outboxId, result });
    const { retryAfterMs, isGone } = noted;
    step('marked-sent');
    if (retryAfterMs === null) live.letGo(outboxId);
    else if (channelId !== undefined) live.holdUp(outboxId, channelId, retryAfterMs);
    const arrived = result.kind === 'delivered' ? result.platformIds : sent;
    // A part of it may have arrived without an answer: it is searched for, as at the next try.
    if (isGone)
      return this.unsayGone({
        ...claimed,
        sent: arrived,
        attempt: result.kind === 'retry' ? attempt + 1 : attempt,
      });
    if (result.kind === 'delivered') {
      // Its words were forgotten while it was sent: the next try deletes it.
      if (retryAfterMs !== null) throw new Postponed(retryAfterMs);
      logger.info({ outboxId, chunks: result.platformIds.length, attempt }, 'reply delivered');
      return;
    }
    if (result.kind === 'forgotten') {
      logger.info({ outboxId, attempt }, 'a reply whose words were forgotten was taken back');
      return;
    }
    // No log holds the reply's words.
    const { said: _, ...told } = result;
    logger.warn({ outboxId, attempt, retryAfterMs, ...told }, 'reply not delivered');
    if (retryAfterMs !== null) throw new Postponed(retryAfterMs);
    if (result.kind === 'retry') await this.takeBack(claimed.turnId, sent);
    await this.signUndelivered(claimed, cause);
  }

  /** Shows at the message that its reply is given up, unless that was forgotten. */
  private async signUndelivered(
    { target: { channelId, userId, replyToMessageId: messageId }, isForgotten }: ClaimedReply,
    cause: UndeliveredCause,
  ): Promise<void> {
    if (channelId !== undefined && messageId !== undefined && !isForgotten)
      await this.parts.signs.give({ channelId, messageId, userId }, cause);
  }

  /** Leaves a reply that must not be sent. @throws Postponed if it must be checked again */
  private leave(outboxId: string, unclaimed: NothingClaimed): void {
    if (unclaimed.kind === 'not-yet') throw new Postponed(unclaimed.retryAfterMs);
    // Somebody may have dropped it while it waited for its next try.
    this.parts.live.letGo(outboxId);
    this.parts.logger.debug({ outboxId }, 'nothing to deliver');
  }

  /** Deletes what arrived of a reply that is not to be there any more, now or later. What can't be found stays. */
  private async unsayGone(claimed: ClaimedReply): Promise<void> {
    const { sender, logger } = this.parts;
    const { outboxId } = claimed;
    const end = await sender.unsay(claimed);
    if ('reason' in end)
      logger.warn(
        { outboxId, reason: end.reason },
        'could not find what arrived of a reply that was erased while it was sent',
      );
    else logger.info({ outboxId }, 'a reply that was erased while it was sent was taken back');
  }

  /** Takes back what was shown of a reply beyond `sent`, now or later. What can't be found stays: nothing more can be done. */
  private async takeBack(turnId: string, sent: readonly string[]): Promise<void> {
    await this.parts.live.takeBack(turnId, sent).catch((error: unknown) => {
      this.parts.logger.warn(
        { turnId, reason: reasonOf(error) },
        'could not find what was shown of a failed reply beyond what was sent',
      );
    });
  }
}
