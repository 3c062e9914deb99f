import { Controller } from '@nestjs/common';
import {
  AttemptView,
  gatewayContract,
  IntentionView,
  outreachContract,
  type PayloadOutput,
  type RequestOutput,
} from '@kith/contracts';
import { TurnLedger } from '@kith/database';
import { Answers, Hears, Messenger, Works } from '@kith/messaging';
import { OutreachRecords } from './outreach/outreach-records.js';
import { OutreachService } from './outreach/outreach.service.js';
import { NightService } from './recurring/night.service.js';

@Controller()
export class ProactiveSchedulerController {
  constructor(
    private readonly records: OutreachRecords,
    private readonly outreach: OutreachService,
    private readonly night: NightService,
    private readonly ledger: TurnLedger,
    private readonly messenger: Messenger,
  ) {}

  @Answers(outreachContract.settings)
  async onSettings({ personId }: RequestOutput<typeof outreachContract.settings>) {
    const { settings, intentions, recent } = await this.records.overview(personId);
    return {
      settings,
      intentions: intentions.map((row) => IntentionView.parse({ ...row, dueAt: row.dueAt.toISOString() })),
      recent: recent.map((row) => AttemptView.parse({ ...row, decidedAt: row.decidedAt.toISOString() })),
    };
  }

  @Answers(outreachContract.change)
  onChange({ personId, change }: RequestOutput<typeof outreachContract.change>) {
    return this.records.change(personId, change, new Date());
  }

  @Answers(outreachContract.unfinished)
  async onUnfinished({ turnIds }: RequestOutput<typeof outreachContract.unfinished>) {
    const unfinished = await this.ledger.missing(turnIds);
    const dead = await this.messenger.failedAmong(
      outreachContract.notice,
      unfinished.map((turnId) => ({ turnIds: [turnId] })),
    );
    return { unfinished, dead: dead.flatMap(({ turnIds }) => turnIds) };
  }

  @Hears(gatewayContract.unreachable)
  async onUnreachable({ personId, reason, at }: PayloadOutput<typeof gatewayContract.unreachable>) {
    await this.records.markUnreachable(personId, reason, new Date(at));
  }

  @Works(outreachContract.notice)
  onNotice({ turnIds }: PayloadOutput<typeof outreachContract.notice>): Promise<void> {
    return this.outreach.notice(turnIds);
  }

  @Works(outreachContract.scan)
  onScan(): Promise<void> {
    return this.outreach.scan(new Date());
  }

  @Works(outreachContract.night)
  async onNight({ day }: PayloadOutput<typeof outreachContract.night>): Promise<void> {
    await this.ledger.prune();
    await this.night.run(new Date(), day);
  }
}
