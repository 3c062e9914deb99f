import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { outreachContract } from '@kith/contracts';
import type { Messenger, MessagingLogger } from '@kith/messaging';

/** When each recurring job comes up. */
export interface Schedules {
  timeZone: string;
  outreach: { scanEveryMs: number };
  night: { cron: string };
}

const TRY_AGAIN_MS = 5_000;

/** Puts the recurring jobs into Redis at start; there each exists once, however many replicas do this. */
@Injectable()
export class SchedulesService implements OnApplicationBootstrap, OnApplicationShutdown {
  #again: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(
    private readonly schedules: Schedules,
    private readonly messenger: Pick<Messenger, 'schedule'>,
    private readonly logger: MessagingLogger,
  ) {}

  /** Does not wait: a Redis that is not there yet must not keep the health page from saying so. */
  onApplicationBootstrap(): void {
    void this.plan();
  }

  onApplicationShutdown(): void {
    this.#stopped = true;
    clearTimeout(this.#again);
  }

  private async plan(): Promise<void> {
    const { timeZone, outreach, night } = this.schedules;
    try {
      await this.messenger.schedule(outreachContract.scan, {}, { everyMs: outreach.scanEveryMs });
      await this.messenger.schedule(outreachContract.night, {}, { cron: night.cron, timeZone });
      this.logger.info({}, 'recurring jobs are scheduled');
    } catch (error) {
      this.logger.warn({ err: error }, 'recurring jobs are not scheduled yet');
      if (!this.#stopped) this.#again = setTimeout(() => void this.plan(), TRY_AGAIN_MS);
    }
  }
}
