import { gatewayContract } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import type { Logger } from 'pino';
import type { Bulkhead } from './bulkhead.js';
import type { Claim, Speaker } from './claim-conversation.js';
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

/** Room for one turn of a speaker in this process. */
export interface Room {
  /** Begins the turn, with the claim there is on it already. */
  answer(inboxId: string, claim: Claim | null): void;
  /** Gives the room back unless the turn was begun. */
  leave(): void;
}

/**
 * Sees to it that somebody looks after a speaker. A turn that is due at once is taken in this process, while it has
 * room: the caller waits here. What is due later, or finds no room, is a job that any replica may take. Either may
 * get lost with its process or with Redis; the sweeper finds what waits.
 */
export class Wake {
  readonly #here = new Set<Promise<void>>();
  /** Turns under way here, and those for which there is room already. */
  #rooms = 0;

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

  /**
   * Takes room for a turn of this speaker in this process; null when there is none. Whoever entered leaves, whether the
   * turn was begun or not: one that was keeps its room until it has ended.
   */
  enter({ conversationId, personId }: Speaker): Room | null {
    const speaker = { conversationId, personId };
    const leaveBulkhead = this.#rooms < MOST_HERE ? this.bulkhead.enter(speaker) : null;
    if (leaveBulkhead === null) return null;
    this.#rooms += 1;
    const leave = () => {
      this.#rooms -= 1;
      leaveBulkhead();
    };
    let isBegun = false;
    return {
      answer: (inboxId, claim) => {
        isBegun = true;
        const run = this.takeTurn
          .run(speaker, claim)
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
      },
      leave: () => {
        if (!isBegun) leave();
      },
    };
  }

  #takeHere({ inboxId, ...speaker }: Speaker & { inboxId: string }): boolean {
    const room = this.enter(speaker);
    room?.answer(inboxId, null);
    return room !== null;
  }
}
