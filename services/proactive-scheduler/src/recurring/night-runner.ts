import {
  type CompanionDay,
  type CompanionView,
  type jobsContract,
  memoryContract,
  type PayloadOutput,
  personalityContract,
  type RecurringJobName,
} from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import type { NightRecords } from './night-records.js';
import { daysToEnter, nightsDue } from './nights-due.js';
import type { Run } from './job-runner.js';

/** Gives each companion a night for each of its days, by the clock of its zone; missed ones are caught up on. */
export class NightRunner {
  constructor(
    private readonly messenger: Pick<Messenger, 'ask' | 'enqueue'>,
    private readonly records: NightRecords,
    /** The hour of the night over a day, as `03:30`. */
    private readonly nightAt: string,
  ) {}

  /**
   * Runs a nightly job for each day that is due. It may be broken off: each finished day is noted.
   * @throws of `personality.companions` and of `work`
   */
  async run(
    job: RecurringJobName,
    { now, asked }: Run,
    work: (on: CompanionDay, companion: CompanionView) => Promise<void>,
  ) {
    const { companions } = await this.messenger.ask(personalityContract.companions, {});
    const nightAt = asked ? null : this.nightAt;
    for (const companion of companions) {
      const { id: companionId, timeZone } = companion;
      const days = await this.records.enter(companionId, now, (last) => daysToEnter(last, { timeZone, now }));
      const lastDone = await this.records.lastDone(job, companionId);
      for (const { day, from, to } of nightsDue({ days, lastDone, nightAt, timeZone, now })) {
        await work({ companionId, day, from: from.toISOString(), to: to.toISOString() }, companion);
        await this.records.doneWith(job, companionId, day);
      }
    }
  }

  /** Orders a new summary of the day that this time counts to. A day that is not over has its night before it. */
  async consolidateAgain(order: PayloadOutput<typeof jobsContract.consolidateAgain>): Promise<void> {
    const { personId, companionId, at } = order;
    const found = await this.records.dayOf(companionId, new Date(at));
    if (!found) return;
    const [from, to] = [found.from.toISOString(), found.to.toISOString()];
    const day = { personId, companionId, day: found.day, from, to };
    await this.messenger.enqueue(memoryContract.consolidate, day);
  }
}
