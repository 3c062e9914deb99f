import {
  AttemptView,
  CLOCKS_CHANNEL,
  gatewayContract,
  IntentionView,
  jobsContract,
  outreachContract,
  timesAsText,
} from '@kith/contracts';
import { pageOf, type OutreachAttemptModel } from '@kith/database';
import { endKept } from '@kith/messaging';
import { handleContract } from '@kith/service-host';
import { TASK_SOURCE } from './decision/plan-intention.js';
import { whyNowhere } from './decision/choose-place.js';
import { decideOutreach } from './decision/decide-outreach.js';
import { outlookOf } from './decision/outlook-of.js';
import { PARTS } from './parts.js';
import { cutAbout } from './reasons/cut-about.js';
import { NOTHING_TO_SAY } from './store/attempt-records.js';

export const ProactiveSchedulerController = handleContract(
  { ...outreachContract, ...jobsContract },
  { unreachable: gatewayContract.unreachable },
  PARTS,
  ({ attempts, reminders, consents, intentions, intake, recurring, people, ...parts }) => ({
    settings: async ({ personId }) => {
      const overview = await parts.records.overview(personId, new Date());
      const { situation, recent } = overview;
      return {
        settings: situation.settings,
        intentions: overview.intentions.map((row) => IntentionView.parse(timesAsText(row))),
        recent: recent.map(viewAttempt),
        outlook: outlookOf(decideOutreach(situation), whyNowhere(situation)),
      };
    },
    timeZone: async ({ personId }) => ({ timeZone: await parts.records.timeZoneOf(personId) }),
    attempts: async ({ personId, limit, cursor }) => {
      const rows = await attempts.list(personId, limit + 1, cursor);
      const { page, nextCursor } = pageOf(rows, limit, ({ id }) => id);
      return { attempts: page.map(viewAttempt), nextCursor };
    },
    reasonOf: async ({ personId, attemptId, isBusy }) => {
      const told = { ...(await reminders.leftOf(personId, attemptId, null)), isBusy };
      return { reason: await attempts.reasonOf(personId, attemptId, new Date(), told) };
    },
    mayArrive: async ({ personId, attemptId, isBusy, writtenAt, isForgotten, spokenIn }) => {
      // They may have asked for silence, and no job has read it yet.
      const unheard = await parts.ledger.missing(spokenIn);
      if (unheard.length > 0) await intake.takeNote(unheard);
      const left = isForgotten ? NOTHING_TO_SAY : await reminders.leftOf(personId, attemptId, writtenAt);
      const told = { ...left, isBusy };
      return { allowed: await attempts.mayArrive(personId, attemptId, new Date(), told) };
    },
    restrict: ({ personId, change }) => consents.restrict(personId, change, new Date()),
    change: async ({ personId, change }) => {
      const settings = await consents.change(personId, change, new Date());
      if (change.timeZone !== undefined) {
        await endKept(parts.broadcasts, CLOCKS_CHANNEL, [personId]);
        parts.zones.placeSoon();
      }
      return settings;
    },
    setChannelMode: (order) => consents.setChannelMode(order),
    channelModes: async () => ({ channels: await consents.channelModes() }),
    intend: async (thought) => {
      const { personId, companionId, about, at, turnIds, messageIds, taskId } = thought;
      const sources = [
        'thought',
        ...(taskId === undefined ? [] : [`${TASK_SOURCE}${taskId}`]),
        ...turnIds.map((turnId) => `turn:${turnId}`),
        ...messageIds.map((messageId) => `message:${messageId}`),
      ];
      // A task has an hour; whatever else is thought of has a day.
      const which = { about: cutAbout(about), dueAt: new Date(at), exact: taskId !== undefined, sources };
      const whyNot = () => reminders.whyNotKept(thought);
      const why = await intentions.intend({ personId, companionId }, which, new Date(), whyNot);
      return { kept: why === null, why };
    },
    leavePlaces: ({ audiences, left }) => parts.left.note(audiences, left),
    forgetPlace: (request) => intentions.forgetPlace(request),
    forget: async (request) => {
      // Before: forgetting counts turns as handled, and would lose that their person spoke.
      if (request.isReread) await intake.takeNote(request.turnIds);
      const forgotten = await parts.forgetting.forget(request);
      await intake.noticeReplies(request.replyTurnIds);
      return forgotten;
    },
    undoForget: async (request) => {
      const rows = await parts.forgetting.undo(request);
      parts.zones.placeSoon();
      await intake.noticeReplies(request.replyTurnIds);
      return { rows };
    },
    erase: async ({ personId, preview }) => {
      if (!preview) await people.erase(personId);
      return { holdings: await people.count(personId) };
    },
    unfinished: async ({ turnIds }) => {
      const unfinished = await parts.ledger.missing(turnIds);
      return { unfinished, dead: await parts.messenger.deadTurns(outreachContract.notice, unfinished) };
    },
    unreachable: (refusal) => attempts.markUnreachable({ ...refusal, at: new Date(refusal.at) }),
    endUndelivered: (order) => attempts.endUndelivered({ ...order, at: new Date(order.at) }),
    notice: ({ turnIds }) => intake.notice(turnIds),
    noticeAgain: ({ turnId }) => intake.noticeAgain(turnId),
    list: async () => ({ jobs: await recurring.list() }),
    steer: (order) => recurring.steer(order),
    consolidateAgain: (order) => parts.nights.consolidateAgain(order),
    recur: (order) => recurring.run(order, new Date()),
  }),
);

function viewAttempt(row: OutreachAttemptModel): AttemptView {
  // By these it is forgotten or called off; to its person their ids say nothing.
  const sources = row.sources.filter((source) => !/^(?:message|task):/.test(source));
  return AttemptView.parse({ ...timesAsText(row), sources });
}
