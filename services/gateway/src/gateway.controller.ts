import { Controller, Inject } from '@nestjs/common';
import {
  gatewayContract,
  personalityContract,
  type JobContract,
  type PayloadOutput,
  type RequestContract,
  type RequestOutput,
  type ResponseInput,
} from '@kith/contracts';
import { Database } from '@kith/database';
import { Answers, Hears, Works } from '@kith/messaging';
import { Outbox } from './delivery/outbox.js';
import { ERASE_LIMIT, RateLimit } from './entrance/rate-limit.js';
import { MessageIntake } from './intake/message-intake.js';
import { Erasures } from './erasure/erasures.js';
import { ModelCatalog } from './models/model-catalog.js';
import { ForgetOrders } from './forgetting/forget-orders.js';
import { PrivateTalk } from './forgetting/private-talk.js';
import { KeyLists } from './people/key-lists.js';
import { Identities } from './people/identities.js';
import { PlaceDropper } from './upkeep/place-dropper.js';
import { PlaceOrders } from './upkeep/place-orders.js';
import { Retention } from './upkeep/retention.js';
import { Inbox } from './inbox/inbox.js';
import { isCalledOff } from './forgetting/is-called-off.js';
import { findOutreach, isBusy } from './delivery/is-busy.js';
import { hasChangedLines, readTurns } from './conversations/read-turns.js';
import { readExchanges } from './conversations/read-exchanges.js';
import { PermittedTools } from './tools/permitted-tools.js';
import { SpendMeter } from './safety/spend-meter.js';
import { UsageRecords } from './safety/usage-records.js';
import { TurnDispatcher } from './turn/turn-dispatcher.js';
import { RecentTurns } from './outcome/recent-turns.js';
import { TurnEvents } from './signals/turn-events.js';

type Contract = typeof gatewayContract;
type RequestOf<Name extends keyof Contract> = Contract[Name] extends RequestContract
  ? RequestOutput<Contract[Name]>
  : never;
type Answer<Name extends keyof Contract> = Contract[Name] extends RequestContract
  ? ResponseInput<Contract[Name]>
  : never;
type Order<Name extends keyof Contract> = Contract[Name] extends JobContract
  ? PayloadOutput<Contract[Name]>
  : never;

/** Hands the requests, jobs and events of the other services to the parts that handle them. */
@Controller()
export class GatewayController {
  constructor(
    private readonly database: Database,
    private readonly intake: MessageIntake,
    private readonly identities: Identities,
    private readonly keys: KeyLists,
    private readonly turns: TurnDispatcher,
    private readonly inbox: Inbox,
    private readonly outbox: Outbox,
    private readonly events: TurnEvents,
    private readonly recent: RecentTurns,
    private readonly erasures: Erasures,
    private readonly forgetting: ForgetOrders,
    private readonly privateTalk: PrivateTalk,
    private readonly retention: Retention,
    private readonly places: PlaceOrders,
    private readonly dropper: PlaceDropper,
    private readonly models: ModelCatalog,
    private readonly permittedTools: PermittedTools,
    private readonly usage: UsageRecords,
    private readonly spend: SpendMeter,
    @Inject(ERASE_LIMIT) private readonly eraseLimit: RateLimit,
  ) {}

  @Answers(gatewayContract.receive)
  onReceive(handover: RequestOf<'receive'>): Promise<Answer<'receive'>> {
    return this.intake.message(handover);
  }

  @Answers(gatewayContract.models)
  async onModels({ gone }: RequestOf<'models'>): Promise<Answer<'models'>> {
    if (gone !== undefined) await this.models.replace(gone);
    return { choices: this.models.chosen, chat: this.models.speaking.chat };
  }

  @Answers(gatewayContract.revise)
  async onRevise(change: RequestOf<'revise'>): Promise<Answer<'revise'>> {
    return { applied: await this.inbox.revise({ ...change, at: new Date() }) };
  }

  @Answers(gatewayContract.stop)
  onStop(request: RequestOf<'stop'>): Promise<Answer<'stop'>> {
    return this.intake.stop(request);
  }

  @Answers(gatewayContract.person)
  onPerson(account: RequestOf<'person'>): Promise<Answer<'person'>> {
    return this.identities.resolve(account);
  }

  @Answers(gatewayContract.tools)
  async onTools({ personId, companionId, place }: RequestOf<'tools'>): Promise<Answer<'tools'>> {
    const [tools, questions] = await Promise.all([
      this.permittedTools.list({ personId, place: { companionId, ...place } }),
      this.permittedTools.questions(personId),
    ]);
    return { tools, questions };
  }

  @Answers(gatewayContract.answerTool)
  onAnswerTool({ personId, questionId, answer }: RequestOf<'answerTool'>): Promise<Answer<'answerTool'>> {
    return this.permittedTools.answer(personId, questionId, answer);
  }

  @Answers(gatewayContract.keyNotice)
  async onKeyNotice({ keyId }: RequestOf<'keyNotice'>): Promise<Answer<'keyNotice'>> {
    return { notice: await this.keys.notice(keyId) };
  }

  @Answers(gatewayContract.holdings)
  onHoldings({ personId }: RequestOf<'holdings'>): Promise<Answer<'holdings'>> {
    return this.erasures.holdings(personId);
  }

  @Answers(gatewayContract.eraseMe)
  async onEraseMe({ personId }: RequestOf<'eraseMe'>): Promise<Answer<'eraseMe'>> {
    await this.eraseLimit.take(personId);
    return this.erasures.order(personId, 'person');
  }

  @Works(gatewayContract.erase)
  onErase({ personId }: Order<'erase'>): Promise<void> {
    return this.erasures.carryOut(personId);
  }

  @Answers(gatewayContract.readTurns)
  async onReadTurns({ turnIds }: RequestOf<'readTurns'>): Promise<Answer<'readTurns'>> {
    const recent = turnIds.flatMap((turnId) => this.recent.get(turnId) ?? []);
    const isGood = recent.length === turnIds.length && !(await hasChangedLines(this.database, recent));
    return { turns: isGood ? recent : await readTurns(this.database, turnIds) };
  }

  @Answers(gatewayContract.exchanges)
  async onExchanges({ turnIds }: RequestOf<'exchanges'>): Promise<Answer<'exchanges'>> {
    return { exchanges: await readExchanges(this.database, turnIds) };
  }

  @Answers(gatewayContract.forget)
  onForget(request: RequestOf<'forget'>): Promise<Answer<'forget'>> {
    return this.forgetting.forget(request);
  }

  @Answers(gatewayContract.undoForget)
  onUndoForget({ personId, receipt }: RequestOf<'undoForget'>): Promise<Answer<'undoForget'>> {
    return this.forgetting.undo(personId, receipt);
  }

  @Answers(gatewayContract.privacy)
  onPrivacy({ personId, private: isPrivate }: RequestOf<'privacy'>): Promise<Answer<'privacy'>> {
    return this.privateTalk.set(personId, isPrivate);
  }

  @Answers(gatewayContract.isBusy)
  async onIsBusy({ personId, attemptId }: RequestOf<'isBusy'>): Promise<Answer<'isBusy'>> {
    const outreach = attemptId === undefined ? null : await findOutreach(this.database, personId, attemptId);
    const answeredAt = outreach?.answeredAt?.toISOString() ?? null;
    return { busy: await isBusy(this.database, personId), answeredAt };
  }

  @Answers(gatewayContract.claimDelivery)
  onClaimDelivery({ outboxId, isAbsent }: RequestOf<'claimDelivery'>): Promise<Answer<'claimDelivery'>> {
    return this.outbox.claim(outboxId, new Date(), isAbsent);
  }

  @Answers(gatewayContract.noteSent)
  async onNoteSent(chunks: RequestOf<'noteSent'>): Promise<Record<string, never>> {
    await this.outbox.noteSent(chunks);
    return {};
  }

  @Answers(gatewayContract.noteDelivery)
  onNoteDelivery(ended: RequestOf<'noteDelivery'>): Promise<Answer<'noteDelivery'>> {
    return this.outbox.noteResult(ended, new Date());
  }

  @Works(gatewayContract.takeTurn)
  onTakeTurn(order: Order<'takeTurn'>): Promise<void> {
    return this.turns.work(order);
  }

  @Works(gatewayContract.reachOut)
  async onReachOut(order: Order<'reachOut'>): Promise<void> {
    if (await isCalledOff(this.database, order)) return;
    await this.intake.reachOut(order);
  }

  @Works(gatewayContract.heartbeat)
  onHeartbeat(order: Order<'heartbeat'>): Promise<void> {
    return this.intake.heartbeat(order);
  }

  @Works(gatewayContract.retain)
  onRetain(): Promise<void> {
    return this.retention.run(new Date());
  }

  @Works(gatewayContract.leavePlaces)
  onLeavePlaces(order: Order<'leavePlaces'>): Promise<void> {
    return this.places.leave(order);
  }

  @Works(gatewayContract.deletePlaces)
  onDeletePlaces(order: Order<'deletePlaces'>): Promise<void> {
    return this.dropper.dropDeleted(order);
  }

  @Works(gatewayContract.returnToPlaces)
  onReturnToPlaces(order: Order<'returnToPlaces'>): Promise<void> {
    return this.places.returnTo(order);
  }

  @Answers(gatewayContract.noteUsage)
  async onNoteUsage({ usage }: RequestOf<'noteUsage'>): Promise<Answer<'noteUsage'>> {
    await this.usage.hear(usage);
    const people = [...new Set(usage.flatMap(({ personId }) => personId ?? []))];
    return { spent: this.spend.spentAmong(people) };
  }

  @Hears(gatewayContract.usageLeft)
  onUsageLeft({ usage, at }: PayloadOutput<typeof gatewayContract.usageLeft>): Promise<void> {
    return this.usage.hear(usage, at);
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
