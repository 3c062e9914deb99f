import { Controller, Inject } from '@nestjs/common';
import {
  AppError,
  gatewayContract,
  personalityContract,
  type PayloadOutput,
  type RequestOutput,
  type ResponseInput,
} from '@kith/contracts';
import { Database } from '@kith/database';
import { Answers, Hears, Messenger, Works } from '@kith/messaging';
import { LOGGER } from '@kith/service-host';
import type { Logger } from 'pino';
import { Outbox } from './delivery/outbox.js';
import { Receive } from './doors/receive.service.js';
import { Identities } from './people/identities.js';
import { FollowUps } from './turn/follow-ups.js';
import { readTurn } from './turn/read-turn.js';
import { sweep } from './turn/sweep.js';
import { TakeTurn } from './turn/take-turn.service.js';
import { TurnEvents } from './turn/turn-events.js';

/** What the gateway answers, works and hears from the other services. */
@Controller()
export class GatewayController {
  constructor(
    private readonly database: Database,
    private readonly messenger: Messenger,
    private readonly receive: Receive,
    private readonly identities: Identities,
    private readonly takeTurn: TakeTurn,
    private readonly followUps: FollowUps,
    private readonly outbox: Outbox,
    private readonly events: TurnEvents,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Answers(gatewayContract.receive)
  onReceive(
    handover: RequestOutput<typeof gatewayContract.receive>,
  ): Promise<ResponseInput<typeof gatewayContract.receive>> {
    return this.receive.message(handover);
  }

  @Answers(gatewayContract.person)
  onPerson(
    account: RequestOutput<typeof gatewayContract.person>,
  ): Promise<ResponseInput<typeof gatewayContract.person>> {
    return this.identities.resolve(account);
  }

  @Answers(gatewayContract.readTurn)
  onReadTurn({
    turnId,
  }: RequestOutput<typeof gatewayContract.readTurn>): Promise<
    ResponseInput<typeof gatewayContract.readTurn>
  > {
    return readTurn(this.database, turnId);
  }

  @Answers(gatewayContract.claimDelivery)
  onClaimDelivery({
    outboxId,
  }: RequestOutput<typeof gatewayContract.claimDelivery>): Promise<
    ResponseInput<typeof gatewayContract.claimDelivery>
  > {
    return this.outbox.claim(outboxId);
  }

  @Answers(gatewayContract.settleDelivery)
  async onSettleDelivery(
    settlement: RequestOutput<typeof gatewayContract.settleDelivery>,
  ): Promise<Record<string, never>> {
    await this.outbox.settle(settlement, new Date());
    return {};
  }

  @Works(gatewayContract.takeTurn)
  async onTakeTurn({ conversationId }: PayloadOutput<typeof gatewayContract.takeTurn>): Promise<void> {
    try {
      await this.takeTurn.run(conversationId);
    } catch (error) {
      // The lease went to another worker, which has the turn: there is nothing to repair.
      if (error instanceof AppError && error.code === 'conflict') return;
      throw error;
    }
  }

  @Works(gatewayContract.reachOut)
  onReachOut(order: PayloadOutput<typeof gatewayContract.reachOut>): Promise<void> {
    return this.receive.reachOut(order);
  }

  @Works(gatewayContract.sweep)
  onSweep(): Promise<void> {
    const { database, messenger, followUps, logger } = this;
    return sweep({ database, messenger, followUps, logger }, new Date());
  }

  @Hears(personalityContract.moodChanged)
  onMoodChanged({
    companionId,
    personId,
    mood,
  }: PayloadOutput<typeof personalityContract.moodChanged>): void {
    this.events.publishToPerson(personId, { type: 'mood', companionId, mood });
  }
}
