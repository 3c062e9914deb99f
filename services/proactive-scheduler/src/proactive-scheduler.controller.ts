import { Controller } from '@nestjs/common';
import {
  AttemptView,
  CLOCKS_CHANNEL,
  gatewayContract,
  IntentionView,
  jobsContract,
  outreachContract,
  type PayloadOutput,
  type RequestOutput,
} from '@kith/contracts';
import { LeftPlaces, pageOf, PersonRows, TurnLedger, type OutreachAttemptModel } from '@kith/database';
import { Answers, Broadcasts, endKept, Hears, Messenger, Works } from '@kith/messaging';
import { TASK_SOURCE } from './decision/plan-intention.js';
import { AttemptRecords, NOTHING_TO_SAY } from './store/attempt-records.js';
import { ConsentRecords } from './store/consent-records.js';
import { ForgottenReasons } from './store/forgotten-reasons.js';
import { IntentionRecords } from './store/intention-records.js';
import { whyNowhere } from './decision/choose-place.js';
import { decideOutreach } from './decision/decide-outreach.js';
import { outlookOf } from './decision/outlook-of.js';
import { cutAbout } from './reasons/cut-about.js';
import { OutreachRecords } from './store/outreach-records.js';
import { ReasonIntake } from './noticing/reason-intake.js';
import { NightRunner } from './recurring/night-runner.js';
import { TaskReminders } from './sending/task-reminders.js';
import { JobRunner } from './recurring/job-runner.js';

@Controller()
export class ProactiveSchedulerController {
  constructor(
    private readonly records: OutreachRecords,
    private readonly intentions: IntentionRecords,
    private readonly attempts: AttemptRecords,
    private readonly reminders: TaskReminders,
    private readonly forgetting: ForgottenReasons,
    private readonly consents: ConsentRecords,
    private readonly intake: ReasonIntake,
    private readonly recurring: JobRunner,
    private readonly nights: NightRunner,
    private readonly left: LeftPlaces,
    private readonly people: PersonRows,
    private readonly ledger: TurnLedger,
    private readonly messenger: Messenger,
    private readonly broadcasts: Broadcasts,
  ) {}

  @Answers(outreachContract.settings)
  async onSettings({ personId }: RequestOutput<typeof outreachContract.settings>) {
    const { situation, intentions, recent } = await this.records.overview(personId, new Date());
    return {
      settings: situation.settings,
      intentions: intentions.map((row) => IntentionView.parse({ ...row, dueAt: row.dueAt.toISOString() })),
      recent: recent.map(viewAttempt),
      outlook: outlookOf(decideOutreach(situation), whyNowhere(situation)),
    };
  }

  @Answers(outreachContract.timeZone)
  async onTimeZone({ personId }: RequestOutput<typeof outreachContract.timeZone>) {
    return { timeZone: await this.records.timeZoneOf(personId) };
  }

  @Answers(outreachContract.attempts)
  async onAttempts({ personId, limit, cursor }: RequestOutput<typeof outreachContract.attempts>) {
    const rows = await this.attempts.list(personId, limit + 1, cursor);
    const { page, nextCursor } = pageOf(rows, limit, ({ id }) => id);
    return { attempts: page.map(viewAttempt), nextCursor };
  }

  @Answers(outreachContract.reasonOf)
  async onReasonOf({ personId, attemptId, isBusy }: RequestOutput<typeof outreachContract.reasonOf>) {
    const left = await this.reminders.leftOf(personId, attemptId, null);
    const told = { ...left, isBusy };
    return { reason: await this.attempts.reasonOf(personId, attemptId, new Date(), told) };
  }

  @Answers(outreachContract.mayArrive)
  async onMayArrive(request: RequestOutput<typeof outreachContract.mayArrive>) {
    const { personId, attemptId, isBusy, writtenAt, isForgotten } = request;
    const left = isForgotten ? NOTHING_TO_SAY : await this.reminders.leftOf(personId, attemptId, writtenAt);
    const told = { ...left, isBusy };
    return { allowed: await this.attempts.mayArrive(personId, attemptId, new Date(), told) };
  }

  @Answers(outreachContract.restrict)
  onRestrict({ personId, change }: RequestOutput<typeof outreachContract.restrict>) {
    return this.consents.restrict(personId, change, new Date());
  }

  @Answers(outreachContract.change)
  async onChange({ personId, change }: RequestOutput<typeof outreachContract.change>) {
    const settings = await this.consents.change(personId, change, new Date());
    if (change.timeZone !== undefined) await endKept(this.broadcasts, CLOCKS_CHANNEL, [personId]);
    return settings;
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
  async onIntend(order: RequestOutput<typeof outreachContract.intend>) {
    const { about, at, turnIds, messageIds, taskId, ...pair } = order;
    const sources = [
      'thought',
      ...(taskId === undefined ? [] : [`${TASK_SOURCE}${taskId}`]),
      ...turnIds.map((turnId) => `turn:${turnId}`),
      ...messageIds.map((messageId) => `message:${messageId}`),
    ];
    // A task has an hour; whatever else is thought of has a day.
    const which = { about: cutAbout(about), dueAt: new Date(at), exact: taskId !== undefined, sources };
    const why = await this.intentions.intend(pair, which, new Date());
    return { kept: why === null, why };
  }

  @Answers(outreachContract.leavePlaces)
  async onLeavePlaces({ audiences, left }: RequestOutput<typeof outreachContract.leavePlaces>) {
    await this.left.note(audiences, left);
    return {};
  }

  @Answers(outreachContract.forgetPlace)
  async onForgetPlace(request: RequestOutput<typeof outreachContract.forgetPlace>) {
    return { rows: await this.intentions.forgetPlace(request) };
  }

  @Answers(outreachContract.forget)
  async onForget(request: RequestOutput<typeof outreachContract.forget>) {
    // Before: forgetting counts turns as handled, and would lose that their person spoke.
    if (request.isReread) await this.intake.takeNote(request.turnIds);
    const forgotten = await this.forgetting.forget(request);
    await this.intake.noticeReplies(request.replyTurnIds);
    return forgotten;
  }

  @Answers(outreachContract.undoForget)
  async onUndoForget(request: RequestOutput<typeof outreachContract.undoForget>) {
    const rows = await this.forgetting.undo(request);
    await this.intake.noticeReplies(request.replyTurnIds);
    return { rows };
  }

  @Answers(outreachContract.erase)
  async onErase({ personId, preview }: RequestOutput<typeof outreachContract.erase>) {
    if (!preview) await this.people.erase(personId);
    return { holdings: await this.people.count(personId) };
  }

  @Answers(outreachContract.unfinished)
  async onUnfinished({ turnIds }: RequestOutput<typeof outreachContract.unfinished>) {
    const unfinished = await this.ledger.missing(turnIds);
    return { unfinished, dead: await this.messenger.deadTurns(outreachContract.notice, unfinished) };
  }

  @Hears(gatewayContract.unreachable)
  async onUnreachable(refusal: PayloadOutput<typeof gatewayContract.unreachable>) {
    await this.attempts.markUnreachable({ ...refusal, at: new Date(refusal.at) });
  }

  @Works(outreachContract.endUndelivered)
  onEndUndelivered(order: PayloadOutput<typeof outreachContract.endUndelivered>): Promise<void> {
    return this.attempts.endUndelivered({ ...order, at: new Date(order.at) });
  }

  @Works(outreachContract.notice)
  onNotice({ turnIds }: PayloadOutput<typeof outreachContract.notice>): Promise<void> {
    return this.intake.notice(turnIds);
  }

  @Answers(outreachContract.noticeAgain)
  async onNoticeAgain({ turnId }: RequestOutput<typeof outreachContract.noticeAgain>) {
    await this.intake.noticeAgain(turnId);
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
  // By these it is forgotten or called off; to its person their ids say nothing.
  const sources = row.sources.filter((source) => !/^(?:message|task):/.test(source));
  return AttemptView.parse({ ...row, sources, decidedAt: row.decidedAt.toISOString() });
}
