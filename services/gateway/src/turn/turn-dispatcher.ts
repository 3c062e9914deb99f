import { gatewayContract, type PayloadOutput } from '@kith/contracts';
import { Postponed, type Messenger } from '@kith/messaging';
import type { Logger } from 'pino';
import type { Claim } from '../inbox/claim.js';
import type { Bulkhead } from './bulkhead.js';
import type { TurnTaker } from './turn-taker.js';
import type { Speaker } from '../conversations/conversations.js';

/** A speaker with a message to be answered. */
interface WaitingSpeaker extends Speaker {
  inboxId: string;
  /** Number of this person's messages that wait already. The more there are, the lower the turn's priority. */
  waiting: number;
}

/** Room for one turn of a speaker in this process. */
interface TurnSlot {
  /** Begins the turn, with the claim there is on it already. */
  start(inboxId: string, claim: Claim | null): void;
  /** Gives the slot back unless the turn was begun. */
  release(): void;
}

/** Time added to the pause, so that it is surely over when the job looks. */
const MARGIN_MS = 30;
/** Pause before a turn of a crowded person or channel is tried again: shorter than most turns take. */
const CROWDED_MS = 250;
/** Turns that this process begins by itself: as many as it has workers of `gateway.take-turn`. */
const MAX_HERE = 32;

/**
 * Makes sure that speakers are answered. A turn that is due at once is taken in this process, while it has a free slot:
 * the caller waits here. One that is due later, or finds no slot, becomes a job that any replica may take. Either may
 * get lost with its process or with Redis; the sweeper finds what waits.
 */
export class TurnDispatcher {
  /** Slots that are taken, by turns under way here and by those about to begin: each resolves when it is given back. */
  private readonly here = new Set<Promise<void>>();
  private isDraining = false;

  constructor(
    private readonly messenger: Messenger,
    private readonly turnTaker: Pick<TurnTaker, 'run'>,
    private readonly bulkhead: Bulkhead,
    private readonly logger: Logger,
  ) {}

  /** Has a speaker answered after the pause, here or elsewhere. Never throws: the sweeper finds what could not be begun. */
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

  /**
   * Runs the take-turn job of one message. If clocks differ and the debounce pause is not over, postpones the job by the
   * rest: the newest message has no other job.
   * @throws Postponed also while the person or the channel has as many turns under way as it may, and once this process ends
   */
  async work({ inboxId, ...speaker }: PayloadOutput<typeof gatewayContract.takeTurn>): Promise<void> {
    const leave = this.isDraining ? null : this.bulkhead.enter(speaker);
    if (leave === null) throw new Postponed(CROWDED_MS);
    try {
      const left = await this.turnTaker.run(speaker);
      if (left.kind === 'wait' && String(left.newest) === inboxId)
        throw new Postponed(left.restMs + MARGIN_MS);
    } finally {
      leave();
    }
  }

  /**
   * Begins no further turn here, and resolves when those under way and those about to begin have ended. What comes
   * meanwhile becomes jobs.
   */
  async drain(): Promise<void> {
    this.isDraining = true;
    await Promise.all(this.here);
  }

  /**
   * Takes a slot for a turn of this speaker in this process; null when there is none. Call `release` in any case: a turn
   * that was begun keeps its slot until it has ended.
   */
  reserve({ conversationId, personId }: Speaker): TurnSlot | null {
    if (this.isDraining || this.here.size >= MAX_HERE) return null;
    const speaker = { conversationId, personId };
    const leaveBulkhead = this.bulkhead.enter(speaker);
    if (leaveBulkhead === null) return null;
    let resolve = () => {};
    const left = new Promise<void>((done) => (resolve = done));
    this.here.add(left);
    const leave = () => {
      this.here.delete(left);
      leaveBulkhead();
      resolve();
    };
    let isBegun = false;
    return {
      start: (inboxId, claim) => {
        isBegun = true;
        void this.turnTaker
          .run(speaker, claim)
          .catch((error: unknown) =>
            this.logger.error(
              { err: error, conversationId, inboxId },
              'a turn failed; the sweeper will try it again',
            ),
          )
          .finally(leave);
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
