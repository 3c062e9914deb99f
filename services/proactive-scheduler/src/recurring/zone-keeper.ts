import { CLOCKS_CHANNEL, HOUR_MS, isLocked, isUnavailable, lastOf, reasonOf } from '@kith/contracts';
import { DueWork } from '@kith/database';
import { type Broadcasts, endKept, type MessagingLogger } from '@kith/messaging';
import type { ReasonIntake } from '../noticing/reason-intake.js';
import type { ConsentRecords } from '../store/consent-records.js';

/** An update has replaced every process by then. Until it has, one may see somebody new in the suite's former zone. */
const CHECK_AGAIN_MS = HOUR_MS;
/** People who are read at once: some 20 KB of ids. */
export const BATCH = 500;
/** Id before all others. */
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/**
 * Keeps people who named no time zone in the suite's, which may have changed since they were first seen. Once they or
 * the operator name a zone, moves the times that were read in a guessed one.
 */
export class ZoneKeeper {
  // A round reads the whole table, and the setting changes with a start alone: the last round is one that finds nobody.
  private readonly rounds = new DueWork(() => this.round(), Infinity);
  private isFirst = true;
  private isStopped = false;

  constructor(
    private readonly consents: Pick<ConsentRecords, 'peopleToMove' | 'moveToSuite' | 'peopleToPlace'>,
    private readonly intake: Pick<ReasonIntake, 'placeAgain'>,
    private readonly broadcasts: Pick<Broadcasts, 'publish'>,
    private readonly logger: Pick<MessagingLogger, 'warn'>,
  ) {}

  /** Begins with a round. */
  start(): void {
    this.rounds.start();
  }

  /** Takes note that somebody named a zone, or that forgotten reasons are back. */
  placeSoon(): void {
    this.rounds.due(new Date());
  }

  /** Resolves when the person whose turn it is has been moved. */
  stop(): Promise<void> {
    this.isStopped = true;
    return this.rounds.stop();
  }

  /** Works on people a batch at a time. One for whom it fails is passed over, and tried again with the next round. */
  private async round(): Promise<Date | null> {
    const moved = await this.forEach(
      (after) => this.consents.peopleToMove(after, BATCH),
      (personId) => this.move(personId),
    );
    const placed = await this.forEach(
      (after) => this.consents.peopleToPlace(after, BATCH),
      (personId) => this.intake.placeAgain(personId),
    );
    if (this.isStopped) return null;
    const isLast = moved + placed === 0 && !this.isFirst;
    this.isFirst = false;
    return isLast ? null : new Date(Date.now() + CHECK_AGAIN_MS);
  }

  private async move(personId: string): Promise<void> {
    await this.consents.moveToSuite(personId, new Date());
    await endKept(this.broadcasts, CLOCKS_CHANNEL, [personId]);
  }

  /**
   * Works on each person that a search finds. Returns how many it found.
   * @throws AppError `unavailable` while a store or a service is away, for everybody: the round comes again soon
   */
  private async forEach(
    find: (after: string) => Promise<string[]>,
    work: (personId: string) => Promise<void>,
  ): Promise<number> {
    let found = 0;
    for (let people = await find(BEFORE_ALL); people.length > 0; people = await find(lastOf(people))) {
      found += people.length;
      for (const personId of people) {
        if (this.isStopped) return found;
        await work(personId).catch((error: unknown) => this.passOver(personId, error));
      }
    }
    return found;
  }

  private passOver(personId: string, error: unknown): void {
    if (isUnavailable(error) && !isLocked(error)) throw error;
    this.logger.warn(
      { personId, reason: reasonOf(error) },
      'a person could not be moved to their time zone: tried again in an hour',
    );
  }
}
