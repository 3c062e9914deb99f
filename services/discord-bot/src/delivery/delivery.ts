import { AppError, gatewayContract, type DiscordTarget, type RequestInput } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import type { Logger } from 'pino';
import type { DiscordApi } from '../connection/discord-api.js';
import type { Typing } from '../conversation/typing.js';
import { chunkMessage } from './chunk-message.js';
import { classifyFailure } from './classify-failure.js';
import { nonceOf } from './nonce-of.js';

type DeliveryResult = RequestInput<typeof gatewayContract.settleDelivery>['result'];

/**
 * Brings one outbox row to Discord: claim, send in chunks, settle. May be repeated at any point: a chunk that
 * was sent before is answered by Discord with the message there is, thanks to its nonce.
 */
export class Delivery {
  constructor(
    private readonly messenger: Messenger,
    private readonly api: DiscordApi,
    /** Why nothing can be sent at all right now; undefined when it can. */
    private readonly standstill: () => DeliveryResult | undefined,
    private readonly typing: Typing,
    private readonly logger: Logger,
  ) {}

  /** @throws AppError `unavailable` when the job is to be tried again */
  async deliver(outboxId: string): Promise<void> {
    const { delivery } = await this.messenger.ask(gatewayContract.claimDelivery, { outboxId });
    if (!delivery) {
      this.logger.debug({ outboxId }, 'nothing to deliver');
      return;
    }
    const { target, text, attempt } = delivery;
    const result = this.standstill() ?? (await this.send(outboxId, target, text));
    await this.messenger.ask(gatewayContract.settleDelivery, { outboxId, result });
    if (result.kind === 'delivered') {
      this.logger.info({ outboxId, chunks: result.platformIds.length, attempt }, 'reply delivered');
      return;
    }
    this.logger.warn({ outboxId, attempt, ...result }, 'reply not delivered');
    if (result.kind === 'retry') throw new AppError('unavailable', `reply ${outboxId}: ${result.reason}`);
  }

  private async send(outboxId: string, target: DiscordTarget, text: string): Promise<DeliveryResult> {
    const chunks = chunkMessage(text);
    if (chunks.length === 0) return { kind: 'failed', reason: 'the reply is blank', unreachable: false };
    const platformIds: string[] = [];
    try {
      const channelId = target.channelId ?? (await this.api.openDm(target.userId));
      this.typing.delivered(channelId, target.userId);
      for (const [index, content] of chunks.entries()) {
        const replyTo = index === 0 ? target.replyToMessageId : undefined;
        const nonce = nonceOf(outboxId, index);
        platformIds.push(await this.api.createMessage(channelId, { content, nonce, replyTo }));
      }
      return { kind: 'delivered', platformIds };
    } catch (error) {
      return classifyFailure(error);
    }
  }
}
