import { Controller } from '@nestjs/common';
import {
  AttemptView,
  gatewayContract,
  IntentionView,
  jobsContract,
  outreachContract,
  type PayloadOutput,
  type RequestOutput,
} from '@kith/contracts';
import { LeftPlaces, PersonRows, TurnLedger, type OutreachAttemptModel } from '@kith/database';
import { Answers, Hears, Messenger, Works } from '@kith/messaging';
import { AttemptRecords } from './outreach/attempt-records.js';
import { ConsentRecords } from './outreach/consent-records.js';
import { ForgetReasons } from './outreach/forget-reasons.js';
import { IntentionRecords } from './outreach/intention-records.js';
import { cutAbout } from './outreach/cut-about.js';
import { OutreachRecords } from './outreach/outreach-records.js';
import { OutreachService } from './outreach/outreach.service.js';
import { NightsService } from './recurring/nights.service.js';
import { RecurringService } from './recurring/recurring.service.js';

@Controller()
export class ProactiveSchedulerController {
  constructor(
    private readonly records: OutreachRecords,
    private readonly intentions: IntentionRecords,
    private readonly attempts: AttemptRecords,
    private readonly forgetting: ForgetReasons,
    private readonly consents: ConsentRecords,
    private readonly outreach: OutreachService,
    private readonly recurring: RecurringService,
    private readonly nights: NightsService,
    private readonly left: LeftPlaces,
    private readonly people: PersonRows,
    private readonly ledger: TurnLedger,
    private readonly messenger: Messenger,
  ) {}

  @Answers(outreachContract.settings)
  async onSettings({ personId }: RequestOutput<typeof outreachContract.settings>) {
    const { settings, intentions, recent, outlook } = await this.records.overview(personId, new Date());
    return {
      settings,
      intentions: intentions.map((row) => IntentionView.parse({ ...row, dueAt: row.dueAt.toISOString() })),
      recent: recent.map(viewAttempt),
      outlook,
    };
  }

  @Answers(outreachContract.attempts)
  async onAttempts({ personId, limit, cursor }: RequestOutput<typeof outreachContract.attempts>) {
    const rows = await this.attempts.list(personId, limit + 1, cursor);
    const page = rows.slice(0, limit);
    return {
      attempts: page.map(viewAttempt),
      nextCursor: rows.length > limit ? page.at(-1)!.id : null,
    };
  }

  @Answers(outreachContract.reasonOf)
  async onReasonOf({ personId, attemptId }: RequestOutput<typeof outreachContract.reasonOf>) {
    return { reason: await this.attempts.reasonOf(personId, attemptId) };
  }

  @Answers(outreachContract.restrict)
  onRestrict({ personId, change }: RequestOutput<typeof outreachContract.restrict>) {
    return this.consents.restrict(personId, change);
  }

  @Answers(outreachContract.change)
  onChange({ personId, change }: RequestOutput<typeof outreachContract.change>) {
    return this.consents.change(personId, change, new Date());
  }

  @Answers(outreachContract.setChannelMode)
  onSetChannelMode(order: RequestOutput<typeof outreachContract.setChannelMode>) {
    return this.consents.setChannelMode(order);
  }

  @Answers(outreachContract.channelModes)
  async onChannelModes() {
    return { channels: await this.consents.channelModes() };
  }

  @Answers(outreachContract.intend)
  async onIntend({
    personId,
    companionId,
    about,
    at,
    turnIds,
  }: RequestOutput<typeof outreachContract.intend>) {
    const sources = turnIds.map((turnId) => `turn:${turnId}`);
    const which = { about: cutAbout(about), dueAt: new Date(at), sources: ['thought', ...sources] };
    const why = await this.intentions.intend({ personId, companionId }, which, new Date());
    return { kept: why === null, why };
  }

  @Answers(outreachContract.leavePlaces)
  async onLeavePlaces({ audiences, left }: RequestOutput<typeof outreachContract.leavePlaces>) {
    await this.left.note(audiences, left);
    return {};
  }

  @Answers(outreachContract.forgetPlace)
  async onForgetPlace({ audience }: RequestOutput<typeof outreachContract.forgetPlace>) {
    return { rows: await this.intentions.forgetPlace(audience) };
  }

  @Answers(outreachContract.forget)
  onForget(request: RequestOutput<typeof outreachContract.forget>) {
    return this.forgetting.forget(request);
  }

  @Answers(outreachContract.undoForget)
  async onUndoForget(request: RequestOutput<typeof outreachContract.undoForget>) {
    return { rows: await this.forgetting.undo(request) };
  }

  @Answers(outreachContract.erase)
  async onErase({ personId, preview }: RequestOutput<typeof outreachContract.erase>) {
    if (!preview) await this.people.erase(personId);
    return { holdings: await this.people.count(personId) };
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
  async onUnreachable(refusal: PayloadOutput<typeof gatewayContract.unreachable>) {
    await this.attempts.markUnreachable({ ...refusal, at: new Date(refusal.at) });
  }

  @Works(outreachContract.notice)
  onNotice({ turnIds }: PayloadOutput<typeof outreachContract.notice>): Promise<void> {
    return this.outreach.notice(turnIds);
  }

  @Answers(outreachContract.noticeAgain)
  async onNoticeAgain({ turnId }: RequestOutput<typeof outreachContract.noticeAgain>) {
    await this.outreach.noticeAgain(turnId);
    return {};
  }

  @Answers(jobsContract.list)
  async onJobs() {
    return { jobs: await this.recurring.list() };
  }

  @Answers(jobsContract.steer)
  onSteer(order: RequestOutput<typeof jobsContract.steer>) {
    return this.recurring.steer(order);
  }

  @Works(jobsContract.consolidateAgain)
  onConsolidateAgain(order: PayloadOutput<typeof jobsContract.consolidateAgain>): Promise<void> {
    return this.nights.consolidateAgain(order);
  }

  @Works(jobsContract.recur)
  onRecur(order: PayloadOutput<typeof jobsContract.recur>): Promise<void> {
    return this.recurring.run(order, new Date());
  }
}

function viewAttempt(row: OutreachAttemptModel): AttemptView {
  return AttemptView.parse({ ...row, decidedAt: row.decidedAt.toISOString() });
}
