import { CLOCKS_CHANNEL, HOUR_MS } from '@kith/contracts';
import { DueWork } from '@kith/database';
import { type Broadcasts, endKept, oneByOne } from '@kith/messaging';
import type { ConsentRecords } from '../store/consent-records.js';

/** A process that still had the suite's former zone may have seen somebody new since the last round. */
const LOOK_EVERY_MS = HOUR_MS;

/** Keeps people who named no time zone in the suite's, which may have been another when they were first seen. */
export class ZoneKeeper {
  private readonly rounds = new DueWork(() => this.round(), LOOK_EVERY_MS);

  constructor(
    private readonly consents: Pick<ConsentRecords, 'peopleToMove' | 'moveToSuite'>,
    private readonly broadcasts: Pick<Broadcasts, 'publish'>,
  ) {}

  /** Begins with a round: the setting changes with a start. */
  start(): void {
    this.rounds.start();
  }

  stop(): Promise<void> {
    return this.rounds.stop();
  }

  private async round(): Promise<null> {
    const people = await this.consents.peopleToMove();
    await oneByOne(people, async (personId) => {
      await this.consents.moveToSuite(personId, new Date());
      await endKept(this.broadcasts, CLOCKS_CHANNEL, [personId]);
    });
    return null;
  }
}
