import { AppError, isRetryable, present } from '@kith/contracts';
import { describeReason } from '../wire-errors.js';
import { bury, letterOf } from './bury.js';
import { numberOf, type ClaimedEntry } from './claimed-entry.js';
import { decodeMessage } from './entry.js';
import type { EventTrimmer } from './event-trimmer.js';
import { runHandler, acknowledge, type Handling } from './handling.js';
import type { HandledEntry } from './server-options.js';

/** Hears events from their streams: one that fails comes again, and becomes a dead letter in the end. */
export class EventHearer {
  constructor(
    private readonly handling: Handling,
    private readonly trimmer: EventTrimmer,
    private readonly maxDeliveries: number,
  ) {}

  /** Runs an event's handler and acknowledges it, unless it is to come again. */
  async hear(entry: ClaimedEntry, pattern: string): Promise<'acknowledged' | 'failed'> {
    const startedAt = performance.now();
    const message = decodeMessage(entry.fields);
    if (message.onlyGroup !== undefined && message.onlyGroup !== this.handling.group) {
      await this.acknowledgeEvent(entry);
      return 'acknowledged';
    }
    const observe = (outcome: HandledEntry['outcome']) =>
      this.handling.observe({ kind: 'event', pattern, outcome, tookMs: performance.now() - startedAt });
    try {
      await runHandler(present(this.handling.handlerOf(pattern)), message);
    } catch (error) {
      observe('error');
      const { correlationId } = message;
      const number = numberOf(entry);
      const isHopeless = error instanceof AppError && !isRetryable(error.code);
      if (isHopeless || number >= this.maxDeliveries) {
        await this.bury(entry, pattern, describeReason(error), error);
        return 'acknowledged';
      }
      // Left unacknowledged: it comes again when the claim time is over.
      this.handling.log.warn({ pattern, correlationId, delivery: number, err: error }, 'an event failed');
      return 'failed';
    }
    await this.acknowledgeEvent(entry);
    observe('ok');
    return 'acknowledged';
  }

  /** Makes a dead letter of an event. */
  async bury(entry: ClaimedEntry, pattern: string, reason: string, error?: unknown): Promise<void> {
    const { stream, id } = entry;
    const { commands, group, keyPrefix, log } = this.handling;
    const letter = letterOf(group, entry, pattern, reason);
    const { correlationId, deliveries } = letter;
    log.error({ pattern, correlationId, deliveries, err: error }, 'an event became a dead letter');
    await acknowledge(commands, () =>
      bury(commands.multi(), keyPrefix, letter).xack(stream, group, id).exec(),
    );
    this.trimmer.order(stream);
  }

  /** Other services may still need the entry: trimming removes it. */
  private async acknowledgeEvent({ stream, id }: ClaimedEntry): Promise<void> {
    const { commands, group } = this.handling;
    await acknowledge(commands, () => commands.pipeline().xack(stream, group, id).exec());
    this.trimmer.order(stream);
  }
}
