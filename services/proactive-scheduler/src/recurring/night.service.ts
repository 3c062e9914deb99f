import { Injectable } from '@nestjs/common';
import { memoryContract, personalityContract } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import { pastDay } from './past-day.js';

/** The nightly run: hands the past day to memory and personality. */
@Injectable()
export class NightService {
  constructor(
    private readonly messenger: Pick<Messenger, 'ask' | 'enqueue'>,
    private readonly timeZone: string,
  ) {}

  /**
   * Orders the day's consolidation and reflection, yesterday's unless one is named. Safe to repeat, the jobs
   * have the day in their ids; one service out of reach does not hold up the other.
   * @throws what was out of reach, once everything else is ordered
   */
  async run(now: Date, day = pastDay(now, this.timeZone)): Promise<void> {
    const orders = await Promise.allSettled([this.consolidate(day), this.reflect(day)]);
    const failed = orders.find((order) => order.status === 'rejected');
    if (failed) throw failed.reason;
  }

  private async consolidate(day: string): Promise<void> {
    const { pairs } = await this.messenger.ask(memoryContract.active, { day });
    for (const { personId, companionId } of pairs) {
      await this.messenger.enqueue(memoryContract.consolidate, { personId, companionId, day });
    }
  }

  private async reflect(day: string): Promise<void> {
    const { companions } = await this.messenger.ask(personalityContract.companions, {});
    for (const { id: companionId } of companions) {
      await this.messenger.enqueue(personalityContract.reflect, { companionId, day });
    }
  }
}
