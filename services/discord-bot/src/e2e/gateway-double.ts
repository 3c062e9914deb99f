import { randomUUID } from 'node:crypto';
import { Controller } from '@nestjs/common';
import { AppError, gatewayContract, type RequestOutput, type ResponseInput } from '@kith/contracts';
import { Handles } from '@kith/messaging';
import { type ReceiveRequest, type Places, SuiteState, type NotedResult } from './suite-state.js';

/** The gateway's side of the contracts, over the real transport. */
@Controller()
export class GatewayDouble {
  constructor(private readonly state: SuiteState) {}

  @Handles(gatewayContract.receive)
  onReceive(request: ReceiveRequest): ResponseInput<typeof gatewayContract.receive> {
    if (this.state.gatewayDown) {
      this.state.turnedAway.push(request.messageId);
      throw new AppError('unavailable', 'Postgres is away');
    }
    this.meetBug(request.messageId);
    const duplicate = this.state.received.some(({ messageId }) => messageId === request.messageId);
    this.state.received.push(request);
    return {
      conversationId: this.state.idIn(this.state.conversations, request.place.externalId),
      personId: this.state.idIn(this.state.people, request.from.subject),
      duplicate,
    };
  }

  @Handles(gatewayContract.leavePlaces)
  async onLeavePlaces(places: Places) {
    this.state.left.push(places);
  }

  @Handles(gatewayContract.returnToPlaces)
  async onReturnToPlaces(places: Places) {
    this.state.joined.push(places);
  }

  @Handles(gatewayContract.deletePlaces)
  async onDeletePlaces(places: Places) {
    this.state.deleted.push(places);
  }

  @Handles(gatewayContract.revise)
  onRevise(change: RequestOutput<typeof gatewayContract.revise>) {
    this.meetBug(change.messageId);
    this.state.revised.push(change);
  }

  private meetBug(messageId: string): void {
    if (!this.state.buggy.has(messageId)) return;
    this.state.turnedAway.push(messageId);
    throw new TypeError('a bug');
  }

  @Handles(gatewayContract.keyNotice)
  onKeyNotice({ keyId }: RequestOutput<typeof gatewayContract.keyNotice>) {
    return { notice: this.state.keyNotices.get(keyId) ?? null };
  }

  @Handles(gatewayContract.readTurns)
  onReadTurns({
    turnIds,
  }: RequestOutput<typeof gatewayContract.readTurns>): ResponseInput<typeof gatewayContract.readTurns> {
    const at = new Date().toISOString();
    const silent = turnIds.filter((turnId) => this.state.silentTurns.has(turnId));
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
  }

  @Handles(gatewayContract.stop)
  onStop() {
    return { stopped: 1 };
  }

  @Handles(gatewayContract.person)
  onPerson({ subject }: RequestOutput<typeof gatewayContract.person>) {
    return { personId: this.state.idIn(this.state.people, subject) };
  }

  @Handles(gatewayContract.tools)
  onTools({
    place,
  }: RequestOutput<typeof gatewayContract.tools>): ResponseInput<typeof gatewayContract.tools> {
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
    return { tools: [tool], questions: this.state.questions };
  }

  @Handles(gatewayContract.answerTool)
  onAnswerTool(
    answer: RequestOutput<typeof gatewayContract.answerTool>,
  ): ResponseInput<typeof gatewayContract.answerTool> {
    this.state.toolAnswers.push(answer);
    return { status: 'done', result: 'sent ```@everyone' };
  }

  @Handles(gatewayContract.claimDelivery)
  onClaim({ outboxId, isAbsent }: RequestOutput<typeof gatewayContract.claimDelivery>) {
    if (isAbsent) this.state.absent.push(outboxId);
    const row = this.state.outbox.get(outboxId);
    if (!row || (isAbsent && row.isUnwanted)) return { kind: 'settled' as const };
    if (!isAbsent) row.attempt += 1;
    row.firstTriedAt ??= new Date().toISOString();
    const { firstTriedAt } = row;
    const personId = this.state.idIn(this.state.people, row.target.userId);
    return {
      kind: 'claimed' as const,
      outboxId,
      personId,
      ...row,
      firstTriedAt,
      othersSent: [],
      isInDoubt: row.isUnwanted !== undefined && row.attempt > 1 && !isAbsent,
    };
  }

  @Handles(gatewayContract.noteSent)
  onNoteSent({ outboxId, sent }: RequestOutput<typeof gatewayContract.noteSent>) {
    const row = this.state.outbox.get(outboxId);
    if (row) row.sent = sent;
    this.state.notedSent.set(outboxId, [...(this.state.notedSent.get(outboxId) ?? []), sent]);
  }

  @Handles(gatewayContract.noteDelivery)
  onNoteDelivery(noted: NotedResult): ResponseInput<typeof gatewayContract.noteDelivery> {
    this.state.noted.push(noted);
    const { result, outboxId } = noted;
    const row = this.state.outbox.get(outboxId);
    if (row && result.kind === 'retry') {
      row.sent = result.sent;
      return { retryAfterMs: 50 };
    }
    if (row?.isForgotten === true && result.kind === 'delivered') {
      row.sent = result.platformIds;
      return { retryAfterMs: 0 };
    }
    const isGone = !this.state.outbox.delete(outboxId);
    return { retryAfterMs: null, isGone };
  }
}
