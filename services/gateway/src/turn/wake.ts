import { gatewayContract } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import type { Logger } from 'pino';
import type { Bulkhead } from './bulkhead.js';
import type { Speaker } from './claim-conversation.js';
import type { TakeTurn } from './take-turn.service.js';

/** Later than the pause itself, so that the pause is over for sure when the job looks. */
const MARGIN_MS = 30;
/** Turns that this process takes without being handed them: as many as the workers of `gateway.take-turn`. */
const MOST_HERE = 32;

export interface Waking extends Speaker {
  inboxId: string;
  /** How many messages of this person wait already: whoever has most waits behind everybody else. */
  waiting: number;
}

/**
 * Sees to it that somebody looks after a speaker. A turn that is due at once is taken in this process, while it has
 * room: the caller waits here. What is due later, or finds no room, is a job that any replica may take. Either may
 * get lost with its process or with Redis; the sweeper finds what waits.
 */
export class Wake {
  readonly #here = new Set<Promise<void>>();

  constructor(
    private readonly messenger: Messenger,
    private readonly takeTurn: TakeTurn,
    private readonly bulkhead: Bulkhead,
    private readonly logger: Logger,
  ) {}

  /** Never throws: the message is accepted in any case. */
  async worker(waking: Waking, debounceMs: number): Promise<void> {
    if (debounceMs === 0 && this.#takeHere(waking)) return;
    const { waiting, ...message } = waking;
    const delayMs = debounceMs > 0 ? debounceMs + MARGIN_MS : 0;
    if (this.messenger.canOrder) {
      try {
        await this.messenger.enqueue(gatewayContract.takeTurn, message, { delayMs, priority: waiting });
        return;
      } catch (error) {
        this.logger.warn({ err: error, ...message }, 'no worker woken over Redis');
      }
    }
    // Without Redis there are no jobs: what finds no room here either is left to the sweeper.
    setTimeout(() => this.#takeHere(waking), delayMs).unref();
  }

  /** Resolves when the turns under way in this process have ended. */
  async drain(): Promise<void> {
    await Promise.all(this.#here);
  }

  #takeHere({ conversationId, personId, inboxId }: Waking): boolean {
    const speaker = { conversationId, personId };
    const leave = this.#here.size < MOST_HERE ? this.bulkhead.enter(speaker) : null;
    if (leave === null) return false;
    const run = this.takeTurn
      .run(speaker)
      .catch((error: unknown) =>
        this.logger.error(
          { err: error, conversationId, inboxId },
          'turn failed, the sweeper comes back to it',
        ),
      )
      .finally(() => {
        leave();
        this.#here.delete(run);
      });
    this.#here.add(run);
    return true;
  }
}
