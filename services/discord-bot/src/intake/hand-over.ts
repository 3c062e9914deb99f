import { setTimeout as wait } from 'node:timers/promises';
import { AppError, HOUR_MS, isErased, isRetryable } from '@kith/contracts';
import { withCorrelationId } from '@kith/messaging';
import type { Logger } from 'pino';
import { Recovery } from './recovery.js';

/** First wait, too short for anybody to notice; doubled with each try. */
const FIRST_WAIT_MS = 250;
// Once the gateway is back, nobody should wait much longer for it to be noticed.
const MAX_WAIT_MS = 4_000;

/** Pause before try `attempt` + 1 (from 0) of handing a message over, in milliseconds. */
export function handOverWaitMs(attempt: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** Math.min(attempt, 10), MAX_WAIT_MS);
}

/** First pause of a message that is set aside. It met a bug for two minutes: the next try is not pressing. */
const FIRST_ASIDE_WAIT_MS = 60_000;
// Each try may crash the gateway, but after a fix an operator should not wait much longer than this.
const MAX_ASIDE_WAIT_MS = HOUR_MS;

/** Pause before try `attempt` + 1 (from 0) of handing over a message that is set aside, in milliseconds. */
export function asideWaitMs(attempt: number): number {
  return Math.min(FIRST_ASIDE_WAIT_MS * 2 ** Math.min(attempt, 10), MAX_ASIDE_WAIT_MS);
}

/**
 * End of handing something over. `again`: receive it again. `buggy`: each try met a bug. A refusal for good counts
 * as done.
 */
export type HandOverEnd = 'done' | 'again' | 'buggy';

/** Tries that meet a bug of ours: two minutes of them hold up a place, and a day of them aside is time enough to fix it. */
const MAX_BUGS = 30;

/** Tries to hand something over until that is done, the process ends, or the tries are used up. */
export class HandOver {
  private readonly stopping = new AbortController();
  private readonly recovery = new Recovery();

  constructor(
    private readonly logger: Logger,
    private readonly pause: (ms: number, signal: AbortSignal) => Promise<unknown> = pauseFor,
  ) {}

  /** Gives each message one last try from now on. */
  stop(): void {
    this.stopping.abort();
  }

  /** Notes that the gateway took a message. After earlier bugs, messages set aside are tried now: a fix may be in. */
  noteSuccess(): void {
    this.recovery.noteSuccess();
  }

  /**
   * Never throws.
   * @param isWanted given for what is set aside, which is also tried at a recovery, and whose own bugs lead to none
   */
  persist(id: string, channelId: string, work: () => Promise<void>, isWanted?: () => boolean) {
    return withCorrelationId(`discord-${id}`, async (): Promise<HandOverEnd> => {
      const isAside = isWanted !== undefined;
      const waitMs = isAside ? asideWaitMs : handOverWaitMs;
      const fields = { messageId: id, channelId };
      let bugs = 0;
      let attempt = 0;
      let dueAt = 0;
      let isExtra = false;
      while (isWanted?.() ?? true) {
        // A recovery during the try counts as well: the try may have met the bug before it.
        const { next: recovered } = this.recovery;
        try {
          await work();
          return 'done';
        } catch (error) {
          if (isErased(error)) {
            this.logger.info(fields, 'a message from before its person was erased is left out');
            return 'done';
          }
          const { code, message: reason } =
            error instanceof AppError ? error : new AppError('internal', String(error));
          if (!isRetryable(code)) {
            this.logger.error({ ...fields, code, reason, attempt }, 'message refused');
            return 'done';
          }
          if (this.stopping.signal.aborted) {
            this.logger.warn(
              { ...fields, code, reason, attempt },
              'stopping; the message is read at the next start',
            );
            return 'again';
          }
          // An extra try does not count against the time for a fix.
          if (!isExtra) {
            if (code === 'internal') bugs += 1;
            if (code === 'internal' && !isAside) this.recovery.noteBug();
            if (bugs >= MAX_BUGS) {
              this.logger.error({ ...fields, reason, attempt }, 'a message fails at every try');
              return 'buggy';
            }
            if (attempt === 0) this.logger.warn({ ...fields, code, reason }, 'message not handed over yet');
            dueAt = performance.now() + waitMs(attempt);
            attempt += 1;
          }
          const { signal } = this.stopping;
          const until = isAside ? AbortSignal.any([signal, recovered]) : signal;
          await this.pause(Math.max(0, dueAt - performance.now()), until);
          isExtra = isAside && recovered.aborted;
        }
      }
      return 'done';
    });
  }
}

/** Waits, but ends early if the signal aborts. */
function pauseFor(ms: number, signal: AbortSignal): Promise<unknown> {
  return wait(ms, null, { signal }).catch(() => undefined);
}
