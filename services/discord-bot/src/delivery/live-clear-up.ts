import { gatewayContract, HOUR_MS, reasonOf } from '@kith/contracts';
import { DueWork } from '@kith/database';
import type { Messenger } from '@kith/messaging';
import type { Logger } from 'pino';
import { EDIT_WITHIN_MS } from './live-messages.js';
import type { LiveNotes } from './live-notes.js';
import type { LivePace } from './live-pace.js';
import type { LiveReplies } from './live-replies.js';

/** Pause before a failed clear-up is tried again. */
const CLEAR_UP_AGAIN_MS = 10_000;
/** Age of an open note after which a process must have died: the delivery or the end of the turn closes it sooner. */
const STALE_MS = 180_000;
/** Age after which messages of a turn without a known end are taken back. */
const GIVEN_UP_MS = HOUR_MS;
/** Time a closed note is kept, longer than a reply is tried: it says which message is the reply's first chunk. */
const KEEP_CLOSED_MS = 2 * HOUR_MS;
/** Time a closed note keeps its words: an edit may be under way. What people forget is gone within a minute. */
const KEEP_WORDS_MS = EDIT_WITHIN_MS + 5_000;

/** Ends what processes that died left of replies that they showed while these were written. */
export class LiveClearUp {
  private readonly clearing: DueWork;

  constructor(
    private readonly messenger: Messenger,
    private readonly notes: LiveNotes,
    private readonly live: Pick<LiveReplies, 'takeBack'>,
    { clearUpEveryMs }: Pick<LivePace, 'clearUpEveryMs'>,
    private readonly logger: Logger,
  ) {
    this.clearing = new DueWork(() => this.clearUp(), clearUpEveryMs);
  }

  start(): void {
    this.clearing.start();
  }

  async stop(): Promise<void> {
    await this.clearing.stop();
  }

  /** Drops closed notes, and takes back messages of dead processes whose turn came to no reply. */
  private async clearUp(): Promise<Date | null> {
    const keep = { staleMs: STALE_MS, wordsMs: KEEP_WORDS_MS, closedMs: KEEP_CLOSED_MS };
    const due = await this.notes.nextDue(keep);
    const now = Date.now();
    if (due === null || due.getTime() > now) return due;
    try {
      await this.notes.dropWords(new Date(now - KEEP_WORDS_MS));
      await this.notes.dropClosed(new Date(now - KEEP_CLOSED_MS));
      for (const { turnId, startedAt } of await this.notes.openedBefore(new Date(now - STALE_MS))) {
        const reply = await this.replyOf(turnId);
        // A reply that exists has a delivery, which closes it.
        if (reply === 'none' || now - startedAt.getTime() > GIVEN_UP_MS) await this.live.takeBack(turnId);
      }
    } catch (error) {
      this.logger.warn({ reason: reasonOf(error) }, 'could not clean up live messages; will try again');
    }
    return new Date(now + CLEAR_UP_AGAIN_MS);
  }

  private async replyOf(turnId: string): Promise<'some' | 'none' | 'unknown'> {
    const { turns } = await this.messenger.ask(gatewayContract.readTurns, { turnIds: [turnId] });
    const [turn] = turns;
    // The turn has not ended yet, or is gone with its person.
    if (!turn) return 'unknown';
    return turn.messages.some(({ role }) => role === 'companion') ? 'some' : 'none';
  }
}
