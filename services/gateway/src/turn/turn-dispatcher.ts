import { gatewayContract } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import type { Logger } from 'pino';
import type { TurnSlot, TurnStarter, WaitingSpeaker } from '../inbox/inbox.js';
import type { Bulkhead } from './bulkhead.js';
import type { TurnTaker } from './turn-taker.js';
import type { Speaker } from '../conversations/conversations.js';

/** Time added to the pause, so that it is surely over when the job looks. */
const MARGIN_MS = 30;
/** Turns that this process begins by itself: as many as it has workers of `gateway.take-turn`. */
const MAX_HERE = 32;

/**
 * Sees to it that speakers are answered. A turn that is due at once is taken in this process, while it has a free slot:
 * the caller waits here. One that is due later, or finds no slot, becomes a job that any replica may take. Either may
 * get lost with its process or with Redis; the sweeper finds what waits.
 */
export class TurnDispatcher implements TurnStarter {
  private readonly here = new Set<Promise<void>>();
  /** Slots that are taken: by turns under way here, and by those about to begin. */
  private taken = 0;

  constructor(
    private readonly messenger: Messenger,
    private readonly turnTaker: TurnTaker,
    private readonly bulkhead: Bulkhead,
    private readonly logger: Logger,
  ) {}

  async dispatch(speaker: WaitingSpeaker, debounceMs: number): Promise<void> {
    if (debounceMs === 0 && this.startHere(speaker)) return;
    const { waiting, ...message } = speaker;
    const delayMs = debounceMs > 0 ? debounceMs + MARGIN_MS : 0;
    if (this.messenger.canOrder) {
      try {
        await this.messenger.enqueue(gatewayContract.takeTurn, message, { delayMs, priority: waiting });
        return;
      } catch (error) {
        this.logger.warn({ err: error, ...message }, 'a turn could not be queued in Redis');
      }
    }
    // Without Redis there are no jobs: what finds no slot here either is left to the sweeper.
    setTimeout(() => this.startHere(speaker), delayMs).unref();
  }

  /** Resolves when the turns under way in this process have ended. */
  async drain(): Promise<void> {
    await Promise.all(this.here);
  }

  /**
   * Takes a slot. Call `release` in any case: a turn that was begun keeps its slot until it has ended.
   */
  reserve({ conversationId, personId }: Speaker): TurnSlot | null {
    const speaker = { conversationId, personId };
    const leaveBulkhead = this.taken < MAX_HERE ? this.bulkhead.enter(speaker) : null;
    if (leaveBulkhead === null) return null;
    this.taken += 1;
    const leave = () => {
      this.taken -= 1;
      leaveBulkhead();
    };
    let isBegun = false;
    return {
      start: (inboxId, claim) => {
        isBegun = true;
        const run = this.turnTaker
          .run(speaker, claim)
          .catch((error: unknown) =>
            this.logger.error(
              { err: error, conversationId, inboxId },
              'a turn failed; the sweeper will try it again',
            ),
          )
          .finally(() => {
            leave();
            this.here.delete(run);
          });
        this.here.add(run);
      },
      release: () => {
        if (!isBegun) leave();
      },
    };
  }

  private startHere({ inboxId, ...speaker }: Speaker & { inboxId: string }): boolean {
    const slot = this.reserve(speaker);
    slot?.start(inboxId, null);
    return slot !== null;
  }
}
