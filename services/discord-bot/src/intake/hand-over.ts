import { setTimeout as wait } from 'node:timers/promises';
import { AppError, isRetryable } from '@kith/contracts';
import { withCorrelationId } from '@kith/messaging';
import type { Logger } from 'pino';
import { asideWaitMs, handOverWaitMs } from './hand-over-wait.js';

/**
 * End of handing something over. `again`: it has to be heard again. `buggy`: each try met a bug. A refusal for good counts
 * as done.
 */
export type Ended = 'done' | 'again' | 'buggy';

/** Bounds on the tries of something that meets a bug of ours. Any other trouble that may pass is waited out. */
export interface Patience {
  maxBugs: number;
  waitMs: (attempt: number) => number;
  isWanted: () => boolean;
}

/** Two minutes: a bug may pass, but must not hold up its place for ever. */
export const IN_TURN: Patience = { maxBugs: 30, waitMs: handOverWaitMs, isWanted: () => true };
/** A day: time enough to mend a bug. After that it is heard again, or read up, by another session or process. */
export const ASIDE: Omit<Patience, 'isWanted'> = { maxBugs: 30, waitMs: asideWaitMs };

/** Tries to hand something over until that is done, the process ends, or patience does. */
export class HandOver {
  private readonly stopping = new AbortController();

  constructor(
    private readonly logger: Logger,
    private readonly pause: (ms: number, signal: AbortSignal) => Promise<unknown> = pauseFor,
  ) {}

  /** From now on each thing has one last try. */
  stop(): void {
    this.stopping.abort();
  }

  /** Never throws. */
  persist(
    id: string,
    channelId: string,
    { maxBugs, waitMs, isWanted }: Patience,
    work: () => Promise<void>,
  ): Promise<Ended> {
    return withCorrelationId(`discord-${id}`, async () => {
      const fields = { messageId: id, channelId };
      let bugs = 0;
      for (let attempt = 0; isWanted(); attempt += 1) {
        try {
          await work();
          return 'done';
        } catch (error) {
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
          if (code === 'internal') bugs += 1;
          if (bugs >= maxBugs) {
            this.logger.error({ ...fields, reason, attempt }, 'a message meets a bug at each try');
            return 'buggy';
          }
          if (attempt === 0) this.logger.warn({ ...fields, code, reason }, 'message not handed over yet');
          await this.pause(waitMs(attempt), this.stopping.signal);
        }
      }
      return 'done';
    });
  }
}

/** Waits, or less when it is to end. */
function pauseFor(ms: number, signal: AbortSignal): Promise<unknown> {
  return wait(ms, null, { signal }).catch(() => undefined);
}
