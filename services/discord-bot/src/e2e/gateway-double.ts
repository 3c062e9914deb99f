import { randomUUID } from 'node:crypto';
import { AppError, gatewayContract } from '@kith/contracts';
import { handleContract } from '@kith/service-host';
import { STATE, type SuiteState } from './suite-state.js';

const { receive, revise, stop, person, readTurns, keyNotice, tools, answerTool } = gatewayContract;
const { leavePlaces, returnToPlaces, deletePlaces, claimDelivery, noteSent, noteDelivery } = gatewayContract;

/** The gateway's side of the contracts, over the real transport. */
export const GatewayDouble = handleContract(
  {
    receive,
    revise,
    stop,
    person,
    readTurns,
    keyNotice,
    tools,
    answerTool,
    leavePlaces,
    returnToPlaces,
    deletePlaces,
    claimDelivery,
    noteSent,
    noteDelivery,
  },
  {},
  STATE,
  (state) => ({
    receive: (request) => {
      if (state.gatewayDown) {
        state.turnedAway.push(request.messageId);
        throw new AppError('unavailable', 'Postgres is away');
      }
      meetBug(state, request.messageId);
      const duplicate = state.received.some(({ messageId }) => messageId === request.messageId);
      state.received.push(request);
      return {
        conversationId: state.idIn(state.conversations, request.place.externalId),
        personId: state.idIn(state.people, request.from.subject),
        duplicate,
      };
    },
    revise: (change) => {
      meetBug(state, change.messageId);
      state.revised.push(change);
    },
    stop: () => ({ stopped: 1 }),
    person: ({ subject }) => ({ personId: state.idIn(state.people, subject) }),
    readTurns: ({ turnIds }) => {
      const at = new Date().toISOString();
      const silent = turnIds.filter((turnId) => state.silentTurns.has(turnId));
      return {
        turns: silent.map((turnId) => ({
          turnId,
          conversationId: randomUUID(),
          companionId: 'mira',
          personId: randomUUID(),
          displayName: 'Ann',
          door: 'discord',
          audience: 'direct',
          outcome: 'silent',
          reason: null,
          origin: 'message',
          attemptId: null,
          startedAt: at,
          endedAt: at,
          messages: [],
        })),
      };
    },
    keyNotice: ({ keyId }) => ({ notice: state.keyNotices.get(keyId) ?? null }),
    tools: ({ place }) => {
      state.toolPlaces.push(place);
      const tool = {
        name: 'send_note',
        kind: 'mcp' as const,
        description: 'Sends a note.',
        reads: [],
        changes: 'outside' as const,
        allowedBy: 'operator' as const,
        isGranted: false,
        parameters: [],
        permission: place.server === null ? ('allowed' as const) : ('denied' as const),
      };
      return { tools: [tool], questions: state.questions };
    },
    answerTool: (answer) => {
      state.toolAnswers.push(answer);
      return { status: 'done', result: 'sent ```@everyone' };
    },
    leavePlaces: (places) => void state.left.push(places),
    returnToPlaces: (places) => void state.joined.push(places),
    deletePlaces: (places) => void state.deleted.push(places),
    claimDelivery: ({ outboxId, isAbsent }) => {
      if (isAbsent) state.absent.push(outboxId);
      const row = state.outbox.get(outboxId);
      if (!row || (isAbsent && row.isUnwanted)) return { kind: 'settled' };
      if (row.waits) {
        row.waits -= 1;
        return { kind: 'not-yet', retryAfterMs: 20 };
      }
      if (!isAbsent) row.attempt += 1;
      row.firstTriedAt ??= new Date().toISOString();
      return {
        kind: 'claimed',
        outboxId,
        personId: state.idIn(state.people, row.target.userId),
        ...row,
        firstTriedAt: row.firstTriedAt,
        othersSent: state.noted.flatMap(({ result }) =>
          result.kind === 'delivered' ? result.platformIds : [],
        ),
        isInDoubt: row.isUnwanted !== undefined && row.attempt > 1 && !isAbsent,
      };
    },
    noteSent: ({ outboxId, sent }) => {
      const row = state.outbox.get(outboxId);
      if (row) row.sent = sent;
      state.notedSent.set(outboxId, [...(state.notedSent.get(outboxId) ?? []), sent]);
    },
    noteDelivery: (noted) => {
      state.noted.push(noted);
      const { result, outboxId } = noted;
      const row = state.outbox.get(outboxId);
      if (row && result.kind === 'retry') {
        row.sent = result.sent;
        return { retryAfterMs: 50 };
      }
      if (row?.isForgotten === true && result.kind === 'delivered') {
        row.sent = result.platformIds;
        return { retryAfterMs: 0 };
      }
      return { retryAfterMs: null, isGone: !state.outbox.delete(outboxId) };
    },
  }),
);

function meetBug(state: SuiteState, messageId: string): void {
  if (!state.buggy.has(messageId)) return;
  state.turnedAway.push(messageId);
  throw new TypeError('a bug');
}
