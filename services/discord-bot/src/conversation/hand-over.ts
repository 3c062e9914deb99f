import { setTimeout as wait } from 'node:timers/promises';
import { AppError, gatewayContract, isRetryable, type RequestInput } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import { withCorrelationId } from '@kith/messaging';
import type { Logger } from 'pino';
import { handOverWaitMs } from './plan-retry.js';
import type { Typing } from './typing.js';

type Received = RequestInput<typeof gatewayContract.receive>;

/**
 * Hands messages to the gateway, in the order of their channel, and keeps trying for a minute. Repeats are
 * safe: the gateway knows a message by its Discord id.
 */
export class HandOver {
  /** The last hand-over of each channel: the next one waits for it. */
  private readonly tails = new Map<string, Promise<void>>();
  private readonly draining = new AbortController();

  constructor(
    private readonly messenger: Messenger,
    private readonly typing: Typing,
    private readonly logger: Logger,
    private readonly now: () => number = Date.now,
  ) {}

  take(request: Received): void {
    const channelId = request.place.externalId;
    const heardAt = this.now();
    const tail = (this.tails.get(channelId) ?? Promise.resolve()).then(() =>
      withCorrelationId(`discord-${request.messageId}`, () => this.deliver(request, heardAt)),
    );
    this.tails.set(channelId, tail);
    void tail.then(() => {
      if (this.tails.get(channelId) === tail) this.tails.delete(channelId);
    });
  }

  /** Lets each message that waits have one last try. */
  async drain(): Promise<void> {
    this.draining.abort();
    await Promise.all(this.tails.values());
  }

  /** Never throws: what can't be handed over ends in a log line, without the text. */
  private async deliver(request: Received, heardAt: number): Promise<void> {
    const { messageId, place, from } = request;
    const fields = { messageId, channelId: place.externalId };
    for (let attempt = 0; ; attempt += 1) {
      try {
        const { duplicate, ...turn } = await this.messenger.ask(gatewayContract.receive, request);
        this.logger.info(
          { ...fields, conversationId: turn.conversationId, duplicate },
          'message handed over',
        );
        const where = { channelId: place.externalId, userId: from.subject };
        if (!duplicate) this.typing.begin(where, turn, heardAt);
        return;
      } catch (error) {
        const { code, message: reason } =
          error instanceof AppError ? error : new AppError('internal', String(error));
        const waitMs = isRetryable(code) ? handOverWaitMs(attempt, this.now() - heardAt) : null;
        if (waitMs === null || this.draining.signal.aborted) {
          this.logger.error({ ...fields, code, reason, attempt }, 'message given up: not handed over');
          return;
        }
        if (attempt === 0) this.logger.warn({ ...fields, code, reason }, 'message not handed over yet');
        await wait(waitMs, null, { signal: this.draining.signal }).catch(() => undefined);
      }
    }
  }
}
