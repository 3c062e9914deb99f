import { Controller, Inject } from '@nestjs/common';
import {
  gatewayContract,
  personalityContract,
  type PayloadOutput,
  type ReadTurn,
  type RequestOutput,
  type ResponseInput,
} from '@kith/contracts';
import { Database } from '@kith/database';
import { Answers, Hears, Postponed, Works } from '@kith/messaging';
import { Outbox } from './delivery/outbox.js';
import { ERASE_LIMIT, RateLimit } from './doors/rate-limit.js';
import { Receive } from './doors/receive.service.js';
import { Erasures } from './erasure/erasures.service.js';
import { ModelDesk } from './models/model-desk.js';
import { ModelNames } from './doors/model-names.js';
import { Forgetting } from './forgetting/forgetting.service.js';
import { PrivateTalk } from './forgetting/private-talk.js';
import { isCalledOff } from './forgetting/talk-records.js';
import { ApiKeys } from './people/api-keys.js';
import { Identities } from './people/identities.js';
import { Retention } from './retention/retention.service.js';
import { Bulkhead } from './turn/bulkhead.js';
import { Inbox } from './turn/inbox.service.js';
import { isBusy } from './turn/is-busy.js';
import { isRetold, readExchanges, readTurns } from './turn/read-turns.js';
import { Sweeper } from './turn/sweep.js';
import { TakeTurn } from './turn/take-turn.service.js';
import { RecentTurns } from './turn/recent-turns.js';
import { TurnEvents } from './turn/turn-events.js';

/** A person or a channel with as many turns under way as it may have is looked at again after this. */
const CROWDED_MS = 250;

/** What the gateway answers, works and hears from the other services. */
@Controller()
export class GatewayController {
  constructor(
    private readonly database: Database,
    private readonly receive: Receive,
    private readonly identities: Identities,
    private readonly keys: ApiKeys,
    private readonly takeTurn: TakeTurn,
    private readonly inbox: Inbox,
    private readonly bulkhead: Bulkhead,
    private readonly outbox: Outbox,
    private readonly events: TurnEvents,
    private readonly recent: RecentTurns,
    private readonly sweeper: Sweeper,
    private readonly erasures: Erasures,
    private readonly forgetting: Forgetting,
    private readonly privateTalk: PrivateTalk,
    private readonly retention: Retention,
    private readonly desk: ModelDesk,
    private readonly modelNames: ModelNames,
    @Inject(ERASE_LIMIT) private readonly eraseLimit: RateLimit,
  ) {}

  @Answers(gatewayContract.receive)
  onReceive(
    handover: RequestOutput<typeof gatewayContract.receive>,
  ): Promise<ResponseInput<typeof gatewayContract.receive>> {
    return this.receive.message(handover);
  }

  @Answers(gatewayContract.models)
  async onModels({
    gone,
  }: RequestOutput<typeof gatewayContract.models>): Promise<ResponseInput<typeof gatewayContract.models>> {
    if (gone !== undefined) await this.desk.replace(gone);
    return { choices: this.desk.chosen, chat: this.modelNames.read().chat };
  }

  @Answers(gatewayContract.revise)
  async onRevise(
    change: RequestOutput<typeof gatewayContract.revise>,
  ): Promise<ResponseInput<typeof gatewayContract.revise>> {
    return { applied: await this.inbox.revise({ ...change, at: new Date() }) };
  }

  @Answers(gatewayContract.stop)
  onStop(
    request: RequestOutput<typeof gatewayContract.stop>,
  ): Promise<ResponseInput<typeof gatewayContract.stop>> {
    return this.receive.stop(request);
  }

  @Answers(gatewayContract.person)
  onPerson(
    account: RequestOutput<typeof gatewayContract.person>,
  ): Promise<ResponseInput<typeof gatewayContract.person>> {
    return this.identities.resolve(account);
  }

  @Answers(gatewayContract.keyNotice)
  async onKeyNotice({
    keyId,
  }: RequestOutput<typeof gatewayContract.keyNotice>): Promise<
    ResponseInput<typeof gatewayContract.keyNotice>
  > {
    return { notice: await this.keys.notice(keyId) };
  }

  @Answers(gatewayContract.holdings)
  onHoldings({
    personId,
  }: RequestOutput<typeof gatewayContract.holdings>): Promise<
    ResponseInput<typeof gatewayContract.holdings>
  > {
    return this.erasures.look(personId);
  }

  @Answers(gatewayContract.eraseMe)
  async onEraseMe({
    personId,
  }: RequestOutput<typeof gatewayContract.eraseMe>): Promise<ResponseInput<typeof gatewayContract.eraseMe>> {
    await this.eraseLimit.take(personId);
    return this.erasures.order(personId, 'person');
  }

  @Works(gatewayContract.erase)
  onErase({ personId }: PayloadOutput<typeof gatewayContract.erase>): Promise<void> {
    return this.erasures.carryOut(personId);
  }

  @Answers(gatewayContract.readTurns)
  async onReadTurns({
    turnIds,
  }: RequestOutput<typeof gatewayContract.readTurns>): Promise<
    ResponseInput<typeof gatewayContract.readTurns>
  > {
    const recent = turnIds.map((turnId) => this.recent.get(turnId));
    const isWhole = (turns: typeof recent): turns is ReadTurn[] => !turns.includes(undefined);
    const isGood = isWhole(recent) && !(await isRetold(this.database, turnIds));
    return { turns: isGood ? recent : await readTurns(this.database, turnIds) };
  }

  @Answers(gatewayContract.exchanges)
  async onExchanges({
    turnIds,
  }: RequestOutput<typeof gatewayContract.exchanges>): Promise<
    ResponseInput<typeof gatewayContract.exchanges>
  > {
    return { exchanges: await readExchanges(this.database, turnIds) };
  }

  @Answers(gatewayContract.forget)
  onForget(
    request: RequestOutput<typeof gatewayContract.forget>,
  ): Promise<ResponseInput<typeof gatewayContract.forget>> {
    return this.forgetting.forget(request);
  }

  @Answers(gatewayContract.undoForget)
  onUndoForget({
    personId,
    receipt,
  }: RequestOutput<typeof gatewayContract.undoForget>): Promise<
    ResponseInput<typeof gatewayContract.undoForget>
  > {
    return this.forgetting.undo(personId, receipt);
  }

  @Answers(gatewayContract.privacy)
  onPrivacy({
    personId,
    private: isPrivate,
  }: RequestOutput<typeof gatewayContract.privacy>): Promise<ResponseInput<typeof gatewayContract.privacy>> {
    return this.privateTalk.set(personId, isPrivate);
  }

  @Answers(gatewayContract.isBusy)
  async onIsBusy({
    personId,
  }: RequestOutput<typeof gatewayContract.isBusy>): Promise<ResponseInput<typeof gatewayContract.isBusy>> {
    return { busy: await isBusy(this.database, personId) };
  }

  @Answers(gatewayContract.claimDelivery)
  onClaimDelivery({
    outboxId,
  }: RequestOutput<typeof gatewayContract.claimDelivery>): Promise<
    ResponseInput<typeof gatewayContract.claimDelivery>
  > {
    return this.outbox.claim(outboxId, new Date());
  }

  @Answers(gatewayContract.noteSent)
  async onNoteSent(chunks: RequestOutput<typeof gatewayContract.noteSent>): Promise<Record<string, never>> {
    await this.outbox.noteSent(chunks);
    return {};
  }

  @Answers(gatewayContract.settleDelivery)
  onSettleDelivery(
    settlement: RequestOutput<typeof gatewayContract.settleDelivery>,
  ): Promise<ResponseInput<typeof gatewayContract.settleDelivery>> {
    return this.outbox.settle(settlement, new Date());
  }

  @Works(gatewayContract.takeTurn)
  async onTakeTurn(speaker: PayloadOutput<typeof gatewayContract.takeTurn>): Promise<void> {
    const leave = this.bulkhead.enter(speaker);
    if (leave === null) throw new Postponed(CROWDED_MS);
    try {
      await this.takeTurn.run(speaker);
    } finally {
      leave();
    }
  }

  @Works(gatewayContract.reachOut)
  async onReachOut(order: PayloadOutput<typeof gatewayContract.reachOut>): Promise<void> {
    if (await isCalledOff(this.database, order.personId, order.attemptId)) return;
    await this.receive.reachOut(order);
  }

  @Works(gatewayContract.heartbeat)
  onHeartbeat(order: PayloadOutput<typeof gatewayContract.heartbeat>): Promise<void> {
    return this.receive.heartbeat(order);
  }

  @Works(gatewayContract.sweep)
  async onSweep(): Promise<void> {
    const now = new Date();
    await this.sweeper.sweep(now);
    await this.sweeper.settle(now);
  }

  @Works(gatewayContract.retain)
  onRetain(): Promise<void> {
    return this.retention.run(new Date());
  }

  @Works(gatewayContract.leavePlaces)
  onLeavePlaces({ door, places, at }: PayloadOutput<typeof gatewayContract.leavePlaces>): Promise<void> {
    return this.retention.leave(door, places, new Date(at));
  }

  @Works(gatewayContract.returnToPlaces)
  onReturnToPlaces({
    door,
    places,
    at,
  }: PayloadOutput<typeof gatewayContract.returnToPlaces>): Promise<void> {
    return this.retention.returnTo(door, places, new Date(at));
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
