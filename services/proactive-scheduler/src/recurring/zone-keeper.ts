import { CLOCKS_CHANNEL, HOUR_MS, isLocked, isUnavailable, lastOf, reasonOf } from '@kith/contracts';
import { DueWork } from '@kith/database';
import { type Broadcasts, endKept, type MessagingLogger } from '@kith/messaging';
import type { ConsentRecords } from '../store/consent-records.js';

/** An update has replaced every process by then. Until it has, one may see somebody new in the suite's former zone. */
const LOOK_AGAIN_MS = HOUR_MS;
/** People who are read at once: some 20 KB of ids. */
export const BATCH = 500;
/** Id before all others. */
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** Keeps people who named no time zone in the suite's, which may have been another when they were first seen. */
export class ZoneKeeper {
  // A round reads the whole table, and the setting changes with a start alone: the last round is one that finds nobody.
  private readonly rounds = new DueWork(() => this.round(), Infinity);
  private isFirst = true;
  private isStopped = false;

  constructor(
    private readonly consents: Pick<ConsentRecords, 'peopleToMove' | 'moveToSuite'>,
    private readonly broadcasts: Pick<Broadcasts, 'publish'>,
    private readonly logger: Pick<MessagingLogger, 'warn'>,
  ) {}

  /** Begins with a round. */
  start(): void {
    this.rounds.start();
  }

  /** Resolves when the person whose turn it is has been moved. */
  stop(): Promise<void> {
    this.isStopped = true;
    return this.rounds.stop();
  }

  /** Moves people a batch at a time. One who can't be moved is passed over, and tried again with the next round. */
  private async round(): Promise<Date | null> {
    let found = 0;
    for (let people = await this.after(BEFORE_ALL); people.length > 0;) {
      found += people.length;
      for (const personId of people) {
        if (this.isStopped) return null;
        await this.move(personId);
      }
      people = await this.after(lastOf(people));
    }
    const isLast = found === 0 && !this.isFirst;
    this.isFirst = false;
    return isLast ? null : new Date(Date.now() + LOOK_AGAIN_MS);
  }

  private after(personId: string): Promise<string[]> {
    return this.consents.peopleToMove(personId, BATCH);
  }

  /** @throws AppError `unavailable` while a store is away, for everybody: the round comes again soon */
  private async move(personId: string): Promise<void> {
    try {
      await this.consents.moveToSuite(personId, new Date());
      await endKept(this.broadcasts, CLOCKS_CHANNEL, [personId]);
    } catch (error) {
      if (isUnavailable(error) && !isLocked(error)) throw error;
      this.logger.warn(
        { personId, reason: reasonOf(error) },
        'a time zone could not be moved: tried again in an hour',
      );
    }
  }
}
