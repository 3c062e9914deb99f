import { gatewayContract, personalityContract } from '@kith/contracts';
import { handleContract } from '@kith/service-host';
import { isCalledOff } from './forgetting/is-called-off.js';
import { findOutreach, isBusy } from './delivery/is-busy.js';
import { hasChangedLines, readTurns } from './conversations/read-turns.js';
import { readExchanges } from './conversations/read-exchanges.js';
import { PARTS } from './parts.js';

/** Hands the requests, jobs and events of the other services to the parts that handle them. */
export const GatewayController = handleContract(
  gatewayContract,
  { usageLeft: gatewayContract.usageLeft, moodChanged: personalityContract.moodChanged },
  PARTS,
  (parts) => ({
    receive: (handover) => parts.intake.message(handover),
    models: async ({ gone }) => {
      if (gone !== undefined) await parts.models.replace(gone);
      return { choices: parts.models.chosen, chat: parts.models.speaking.chat };
    },
    revise: (change) => parts.inbox.revise({ ...change, at: new Date() }),
    stop: (request) => parts.intake.stop(request),
    person: (account) => parts.identities.resolve(account),
    tools: async ({ personId, companionId, place }) => {
      const [tools, questions] = await Promise.all([
        parts.permittedTools.list({ personId, place: { companionId, ...place } }),
        parts.permittedTools.questions(personId),
      ]);
      return { tools, questions };
    },
    answerTool: ({ personId, questionId, answer }) =>
      parts.permittedTools.answer(personId, questionId, answer),
    keyNotice: async ({ keyId }) => ({ notice: await parts.keyLists.notice(keyId) }),
    holdings: ({ personId }) => parts.erasures.holdings(personId),
    eraseMe: async ({ personId }) => {
      await parts.eraseLimit.take(personId);
      return parts.erasures.order(personId, 'person');
    },
    erase: ({ personId }) => parts.erasures.carryOut(personId),
    readTurns: async ({ turnIds }) => {
      const kept = turnIds.flatMap((turnId) => parts.recent.get(turnId) ?? []);
      const isGood = kept.length === turnIds.length && !(await hasChangedLines(parts.database, kept));
      return { turns: isGood ? kept : await readTurns(parts.database, turnIds) };
    },
    exchanges: async ({ turnIds }) => ({ exchanges: await readExchanges(parts.database, turnIds) }),
    forget: (request) => parts.forgetting.forget(request),
    undoForget: ({ personId, receipt }) => parts.forgetting.undo(personId, receipt),
    privacy: ({ personId, private: isPrivate }) => parts.privateTalk.set(personId, isPrivate),
    isBusy: async ({ personId, attemptId }) => {
      const outreach =
        attemptId === undefined ? null : await findOutreach(parts.database, personId, attemptId);
      const answeredAt = outreach?.answeredAt?.toISOString() ?? null;
      return { busy: await isBusy(parts.database, personId), answeredAt };
    },
    claimDelivery: ({ outboxId, isAbsent }) => parts.outbox.claim(outboxId, new Date(), isAbsent),
    noteSent: (chunks) => parts.outbox.noteSent(chunks),
    noteDelivery: (ended) => parts.outbox.noteResult(ended, new Date()),
    takeTurn: (order) => parts.turns.work(order),
    reachOut: async (order) => {
      if (!(await isCalledOff(parts.database, order))) await parts.intake.reachOut(order);
    },
    heartbeat: (order) => parts.intake.heartbeat(order),
    retain: () => parts.retention.run(new Date()),
    leavePlaces: (order) => parts.places.leave(order),
    deletePlaces: (order) => parts.deleter.deleteOrdered(order),
    returnToPlaces: (order) => parts.places.returnTo(order),
    noteUsage: async ({ usage }) => {
      await parts.usage.hear(usage);
      const people = [...new Set(usage.flatMap(({ personId }) => personId ?? []))];
      return { spent: parts.spend.spentAmong(people) };
    },
    usageLeft: ({ usage, at }) => parts.usage.hear(usage, at),
    moodChanged: ({ companionId, personId, mood }) =>
      parts.events.publishToPerson(personId, { type: 'mood', companionId, mood }),
  }),
);
