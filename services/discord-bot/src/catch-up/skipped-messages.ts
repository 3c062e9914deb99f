import { DAY_MS } from '@kith/contracts';
import type { DegradedStates } from '@kith/service-host';
import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';

/** Reason why messages of a place were not read. */
export type SkipReason = 'too old' | 'too many' | 'no permission' | 'out of reach' | 'put off';

/** Advice for the operator, by reason. */
const REMEDIES: Readonly<Record<SkipReason, string>> = {
  'too old': 'older than DISCORD_CATCH_UP_MINUTES',
  'too many': 'more than DISCORD_CATCH_UP_MESSAGES',
  'no permission': 'the bot needs View Channel and Read Message History; then it reads on by itself',
  'out of reach': 'Discord did not answer; it is tried again',
  'put off': 'Discord refused much in the last ten minutes; it is read when that is over',
};
const PART = 'missed-messages';
/** Time for which skipped messages are reported: an operator who looks once a day sees them. */
const SHOWN_MS = DAY_MS;

/** Reports messages on Discord that were never read: in the log, as a metric, in the suite's health. */
export class SkippedMessages {
  private readonly places = new Map<string, SkipReason>();
  private readonly counter: Counter<'reason'>;

  constructor(
    metrics: Registry,
    private readonly states: Pick<DegradedStates, 'enter' | 'leave'>,
    private readonly logger: Logger,
  ) {
    this.counter = new Counter({
      name: 'kith_discord_passed_over_total',
      help: 'places on Discord of which not all that was missed was read',
      labelNames: ['reason'],
      registers: [metrics],
    });
  }

  note(channelId: string, reason: SkipReason): void {
    if (this.places.get(channelId) === reason) return;
    this.places.set(channelId, reason);
    this.counter.inc({ reason });
    this.logger.warn({ channelId, reason: `${reason}: ${REMEDIES[reason]}` }, 'some messages were skipped');
    if (reason === 'too old' || reason === 'too many')
      setTimeout(() => this.clearReason(channelId, reason), SHOWN_MS).unref();
    this.show();
  }

  /** Forgets a place that was read, or is gone. */
  clear(channelId: string): void {
    if (this.places.delete(channelId)) this.show();
  }

  private clearReason(channelId: string, reason: SkipReason): void {
    if (this.places.get(channelId) === reason) this.clear(channelId);
  }

  private show(): void {
    if (this.places.size === 0) return this.states.leave(PART);
    const counts = Map.groupBy(this.places.values(), (reason) => reason);
    const parts = [...counts].map(([reason, { length }]) => `${length} ${reason} (${REMEDIES[reason]})`);
    const effect = `not all that was said on Discord while the bot was away was read, in ${this.places.size} places: ${parts.join(', ')}`;
    this.states.enter({ part: PART, effect });
  }
}
