import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { outreachContract } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';

/** When each recurring job comes up. */
export interface Schedules {
  timeZone: string;
  outreach: { scanEveryMs: number };
  night: { cron: string };
}

/** Sees to it that the recurring jobs recur; in Redis each exists once, however many replicas do this. */
@Injectable()
export class SchedulesService implements OnApplicationBootstrap {
  constructor(
    private readonly schedules: Schedules,
    private readonly messenger: Pick<Messenger, 'schedule'>,
  ) {}

  onApplicationBootstrap(): void {
    const { timeZone, outreach, night } = this.schedules;
    this.messenger.schedule(outreachContract.scan, {}, { everyMs: outreach.scanEveryMs });
    this.messenger.schedule(outreachContract.night, {}, { cron: night.cron, timeZone });
  }
}
