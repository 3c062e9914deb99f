import { Injectable } from '@nestjs/common';
import {
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
import type { Night } from './night-orders.js';
import type { Run } from './recurring.service.js';

/** Gives each companion its nights, by the clock of its zone: one for each of its days, also those that were missed. */
@Injectable()
export class NightsService {
  constructor(
    private readonly messenger: Pick<Messenger, 'ask' | 'enqueue'>,
    private readonly records: NightRecords,
    /** When the night over a day comes, as `03:30`. */
    private readonly nightAt: string,
  ) {}

  /**
   * Does what is due of a nightly job. It may be broken off: what is done is noted day by day.
   * @throws of `personality.companions` and of `work`
   */
  async run(
    job: RecurringJobName,
    { now, asked }: Run,
    work: (night: Night) => Promise<void>,
  ): Promise<void> {
    const { companions } = await this.messenger.ask(personalityContract.companions, {});
    for (const companion of companions) await this.#nightsOf(job, companion, { now, asked }, work);
  }

  /** Has the day that this time counts to summed up again. One that is not over has its night before it. */
  async consolidateAgain({
    personId,
    companionId,
    at,
  }: PayloadOutput<typeof jobsContract.consolidateAgain>): Promise<void> {
    const found = await this.records.dayOf(companionId, new Date(at));
    if (!found) return;
    const span = { from: found.from.toISOString(), to: found.to.toISOString() };
    const { day } = found;
    await this.messenger.enqueue(memoryContract.consolidate, { personId, companionId, day, ...span });
  }

  async #nightsOf(
    job: RecurringJobName,
    companion: CompanionView,
    { now, asked }: Run,
    work: (night: Night) => Promise<void>,
  ): Promise<void> {
    const { id: companionId, timeZone } = companion;
    const days = await this.records.enter(companionId, (last) => daysToEnter(last, { timeZone, now }));
    const lastDone = await this.records.lastDone(job, companionId);
    const nightAt = asked ? null : this.nightAt;
    for (const { day, from, to } of nightsDue({ days, lastDone, nightAt, timeZone, now })) {
      await work({ companion, day, from: from.toISOString(), to: to.toISOString() });
      await this.records.doneWith(job, companionId, day);
    }
  }
}
