import { AppError, isRetryable, present } from '@kith/contracts';
import { burialCommand } from './burial.js';
import { numberOf, type Delivery } from './delivery.js';
import { decodeMessage } from './entry.js';
import type { EventTrimmer } from './event-trimmer.js';
import { letterOf, runHandler, settle, type Handling, type XAdd } from './handling.js';
import type { Handled } from './server-options.js';

/** Hears events from their streams: one that fails comes again, and becomes a dead letter in the end. */
export class EventHearer {
  constructor(
    private readonly handling: Handling,
    private readonly trimmer: EventTrimmer,
    private readonly maxDeliveries: number,
  ) {}

  /** Runs an event's handler and acknowledges it, unless it is to come again. */
  async hear(delivery: Delivery, pattern: string): Promise<'settled' | 'failed'> {
    const startedAt = performance.now();
    const message = decodeMessage(delivery.fields);
    if (message.onlyGroup !== undefined && message.onlyGroup !== this.handling.group) {
      await this.acknowledgeEvent(delivery);
      return 'settled';
    }
    const observe = (outcome: Handled['outcome']) =>
      this.handling.observe({ kind: 'event', pattern, outcome, tookMs: performance.now() - startedAt });
    try {
      await runHandler(present(this.handling.handlerOf(pattern)), message);
    } catch (error) {
      observe('error');
      const { correlationId } = message;
      const number = numberOf(delivery);
      const last = number >= this.maxDeliveries;
      const hopeless = error instanceof AppError && !isRetryable(error.code);
      if (last || hopeless) {
        await this.bury(delivery, pattern, describe(error), error);
        return 'settled';
      }
      // Left unacknowledged: it comes again when the claim time is over.
      this.handling.log.warn({ pattern, correlationId, delivery: number, err: error }, 'an event failed');
      return 'failed';
    }
    await this.acknowledgeEvent(delivery);
    observe('ok');
    return 'settled';
  }

  /** Makes a dead letter of an event. */
  async bury(delivery: Delivery, pattern: string, reason: string, error?: unknown): Promise<void> {
    const { stream, id } = delivery;
    const letter = letterOf(this.handling.group, delivery, pattern, reason);
    const { correlationId, deliveries } = letter;
    this.handling.log.error(
      { pattern, correlationId, deliveries, err: error },
      'an event became a dead letter',
    );
    await settle(this.handling.commands, () =>
      this.handling.commands
        .multi()
        .xadd(...(burialCommand(this.handling.keyPrefix, letter) as XAdd))
        .xack(stream, letter.service, id)
        .exec(),
    );
    this.trimmer.order(stream);
  }

  /** Other services may still need the entry: trimming removes it. */
  private async acknowledgeEvent({ stream, id }: Delivery): Promise<void> {
    await settle(this.handling.commands, () =>
      this.handling.commands.pipeline().xack(stream, this.handling.group, id).exec(),
    );
    this.trimmer.order(stream);
  }
}

function describe(error: unknown): string {
  return error instanceof AppError ? `${error.code}: ${error.message}` : String(error);
}
