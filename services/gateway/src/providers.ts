import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import type { Provider } from '@nestjs/common';
import { Database } from '@kith/database';
import { CallHooks, createModelRoles, type HookList, ModelChoices, openHosts } from '@kith/llm';
import { Broadcasts, Messenger } from '@kith/messaging';
import { DegradedStates, LOGGER, METRICS, provide, provideClass } from '@kith/service-host';
import { OperatorActions } from './audit/operator-actions.js';
import type { GatewayConfig } from './config.js';
import { Conversations } from './conversations/conversations.js';
import { OutboxAdmin } from './delivery/outbox-admin.js';
import { Outbox } from './delivery/outbox.js';
import { Entrance } from './entrance/entrance.js';
import { ProblemFilter } from './entrance/problem-filter.js';
import { ERASE_LIMIT, LIMITER, openLimiter, RateLimit } from './entrance/rate-limit.js';
import { ErasureRecords } from './erasure/erasure-records.js';
import { Erasures } from './erasure/erasures.js';
import { ForgetOrders } from './forgetting/forget-orders.js';
import { LeftReplies } from './forgetting/left-replies.js';
import { OrderLocks } from './forgetting/order-locks.js';
import { PrivateTalk } from './forgetting/private-talk.js';
import { ApiKeyGuard } from './http/api-key.guard.js';
import { AuditInterceptor } from './http/audit.interceptor.js';
import { LoneCallHooks } from './hooks/lone-call-hooks.js';
import { Inbox } from './inbox/inbox.js';
import { TalkReader } from './conversations/talk-reader.js';
import { probesByModel } from './epochs/ask-probes.js';
import { EpochKeeper } from './epochs/epoch-keeper.js';
import { ChatRunner } from './intake/chat-runner.js';
import { CompanionDirectory } from './intake/companion-directory.js';
import { MessageIntake } from './intake/message-intake.js';
import { ModelCatalog } from './models/model-catalog.js';
import { ModelChoiceRecords } from './models/model-choice-records.js';
import { FollowUps } from './outcome/follow-ups.js';
import { RecentTurns } from './outcome/recent-turns.js';
import { ApiKeys } from './people/api-keys.js';
import { Clocks } from './people/clocks.js';
import { Identities } from './people/identities.js';
import { KeyLists } from './people/key-lists.js';
import { OperatorKey } from './people/operator-key.js';
import { SignInCodes } from './people/sign-in-codes.js';
import { SpendMeter } from './safety/spend-meter.js';
import { UsageLedger } from './safety/usage-ledger.js';
import { Interruptions } from './signals/interruptions.js';
import { TurnEvents } from './signals/turn-events.js';
import { ContextsAhead } from './answer/contexts-ahead.js';
import { budgetOf } from './answer/prompt-budget.js';
import { RecallRoom } from './answer/recall-bounds.js';
import { ThoughtCipher } from './steps/thought-cipher.js';
import { OutsideCalls } from './tools/outside-calls.js';
import { ToolFolder } from './tools/outside/tool-folder.js';
import { ToolGuard } from './tools/tool-guard.js';
import { ToolCallRecords } from './tools/permission/tool-call-records.js';
import { ToolGrants } from './tools/permission/tool-grants.js';
import { ToolRules } from './tools/permission/tool-rules.js';
import { PermittedTools } from './tools/permitted-tools.js';
import { ToolRuleEditor } from './tools/tool-rule-editor.js';
import { ToolRegistry } from './tools/tool-registry.js';
import { GuardedFetch } from './web/guarded-fetch.js';
import { PictureReader } from './web/picture-reader.js';
import { WebTools } from './tools/web/web-tools.js';
import { Bulkhead } from './turn/bulkhead.js';
import { TurnDispatcher } from './turn/turn-dispatcher.js';
import { TurnTaker } from './turn/turn-taker.js';
import { OpenTurns } from './upkeep/open-turns.js';
import { PlaceOrders } from './upkeep/place-orders.js';
import { Retention } from './upkeep/retention.js';
import { Sweeper } from './upkeep/sweeper.js';
import { TranscriptRedactor } from './forgetting/transcript-redactor.js';

/** Erasures that one caller may order in a minute: more come from a broken script, or from a stolen key. */
const ERASURES_PER_MINUTE = 10;

/** Tells Nest how every part of the gateway is made, room by room from the bottom up. */
export function providersOf(config: GatewayConfig, hooks: HookList): Provider[] {
  const database = new Database(config.database);
  const usage = new UsageLedger(database);
  const counted = new CallHooks([(call) => usage.note(call)], hooks);
  const talks = new TalkReader();
  const choices = new ModelChoices();
  let catalog: ModelCatalog | undefined;
  const onGone = async (label: string) => catalog?.replace(label);
  const roles = createModelRoles(config.models, { choices, onGone }, counted);
  const { requestsPerMinute, proxy, linkHosts } = config.api;
  const { debounceMs, replyTimeoutMs, ...limits } = config.turn;
  const cipher = new ThoughtCipher(config.thoughtsKey);
  const defaultCompanion = config.companion.default;
  const { keyPrefix } = config.redis;
  const limiter = openLimiter(config.redis.url);
  const rules = new ToolRules(database);
  const grants = new ToolGrants(database);
  const records = new ToolCallRecords(database);
  const lockedStores = { database, locks: new OrderLocks(database) };
  const webTools = new WebTools(config.web);
  const value = (part: object): Provider => ({ provide: part.constructor, useValue: part });

  return [
    value(database),
    // people/
    provide(ApiKeys, [Broadcasts], (broadcasts) => new ApiKeys(database, broadcasts)),
    value(new KeyLists(database)),
    value(new OperatorKey(database, config.api)),
    provide(SignInCodes, [ApiKeys], (keys) => new SignInCodes(limiter, keyPrefix, keys)),
    provide(Identities, [Broadcasts], (broadcasts) => new Identities(database, broadcasts)),
    provideClass(Clocks, [Messenger, Broadcasts]),
    // models/
    value(usage),
    provide(ModelCatalog, { messenger: Messenger, broadcasts: Broadcasts, logger: LOGGER }, (parts) => {
      catalog = new ModelCatalog({
        ...{ ...parts, hosts: openHosts(config.models), choices, roles },
        records: new ModelChoiceRecords(database),
      });
      return catalog;
    }),
    provide(SpendMeter, [DegradedStates, LOGGER, METRICS], (...parts) => {
      const meter = new SpendMeter(database, config.spend, ...parts);
      usage.tell((personId, tokens) => meter.add(personId, tokens));
      return meter;
    }),
    // forgetting/
    provide(
      ForgetOrders,
      [Messenger, LOGGER, TurnEvents],
      (messenger, logger, { talkChanged }) =>
        new ForgetOrders(lockedStores, new TranscriptRedactor(database), messenger, logger, talkChanged),
    ),
    provide(
      PrivateTalk,
      [Messenger, TurnEvents, LOGGER],
      (messenger, { talkChanged }, logger) => new PrivateTalk(lockedStores, messenger, talkChanged, logger),
    ),
    // audit/
    value(new OperatorActions(database)),
    // delivery/
    provide(Outbox, [Messenger], (messenger) => new Outbox(database, messenger)),
    provide(OutboxAdmin, [Messenger], (messenger) => new OutboxAdmin(database, messenger)),
    // entrance/
    { provide: LIMITER, useValue: limiter },
    value(new RateLimit(limiter, keyPrefix, requestsPerMinute)),
    { provide: ERASE_LIMIT, useValue: new RateLimit(limiter, `${keyPrefix}erase-`, ERASURES_PER_MINUTE) },
    provide(Entrance, [ApiKeys], (keys) => new Entrance(keys, requestsPerMinute, proxy)),
    // conversations/
    value(new Conversations(database)),
    // steps/
    value(cipher),
    // signals/
    provide(TurnEvents, [Broadcasts], (broadcasts) => new TurnEvents(broadcasts)),
    provide(Interruptions, [Broadcasts], (broadcasts) => new Interruptions(broadcasts)),
    // erasure/
    provide(
      Erasures,
      [
        ...([Messenger, Broadcasts, TurnEvents, Interruptions, LOGGER] as const),
        ...([ForgetOrders, OperatorKey, ApiKeys, Identities, Clocks, RecentTurns, ContextsAhead] as const),
      ],
      (messenger, broadcasts, events, interruptions, logger, forgetting, operatorKey, ...kept) =>
        new Erasures({
          records: new ErasureRecords(database),
          ...{ messenger, broadcasts, events, interruptions, logger, forgetting, operatorKey },
          caches: [...kept, talks],
        }),
    ),
    // tools/
    provide(ToolFolder, [LOGGER], (logger) => new ToolFolder(config.tools.directory, logger)),
    provide(ToolRegistry, [ToolFolder], (folder) => new ToolRegistry(() => [...folder.origins, webTools])),
    provide(ToolRuleEditor, [ToolRegistry], (registry) => new ToolRuleEditor(registry, rules)),
    provide(PermittedTools, [ToolRegistry, LOGGER], (registry, logger) => {
      const outside = new OutsideCalls(records, grants, new ToolGuard(), logger);
      const alone = new LoneCallHooks(hooks, logger);
      return new PermittedTools({ registry, rules, grants, records, outside, hooks: alone });
    }),
    // web/, inbox/, outcome/, answer/, turn/
    provide(
      PictureReader,
      [LOGGER],
      (logger) =>
        new PictureReader(new GuardedFetch({ origins: config.web.origins }), config.web.pictureHosts, logger),
    ),
    provide(
      Inbox,
      [TurnDispatcher, ContextsAhead, Interruptions, ForgetOrders],
      (...parts) => new Inbox({ database, talks }, ...parts),
    ),
    provideClass(FollowUps, [Messenger, LOGGER]),
    value(new RecentTurns()),
    provide(
      ContextsAhead,
      { messenger: Messenger, clocks: Clocks, states: DegradedStates, recent: RecentTurns },
      (parts) => new ContextsAhead({ ...parts, promptTokens: () => budgetOf(roles, limits).limit }),
    ),
    value(new Bulkhead()),
    value(new RecallRoom(roles, limits)),
    provide(
      TurnTaker,
      {
        ...{ messenger: Messenger, clocks: Clocks, events: TurnEvents, interruptions: Interruptions },
        ...{
          companions: CompanionDirectory,
          followUps: FollowUps,
          recent: RecentTurns,
          ahead: ContextsAhead,
        },
        ...{
          spend: SpendMeter,
          states: DegradedStates,
          permittedTools: PermittedTools,
          pictures: PictureReader,
        },
        logger: LOGGER,
      },
      ({ companions, ...parts }) =>
        new TurnTaker({
          epochs: new EpochKeeper(database, talks, roles.fast && probesByModel(roles.fast, parts.logger)),
          ...{ ...parts, database, talks, roles, cipher, debounceMs, ...limits, linkHosts },
          ...{ hooks, usage },
          isPaused: (companionId) => companions.isPaused(companionId),
        }),
    ),
    provideClass(TurnDispatcher, [Messenger, TurnTaker, Bulkhead, LOGGER]),
    // upkeep/
    provide(
      PlaceOrders,
      [Messenger, LOGGER],
      (messenger, logger) => new PlaceOrders(database, messenger, new LeftReplies(database), logger),
    ),
    provide(
      Retention,
      { messenger: Messenger, erasures: Erasures, places: PlaceOrders, logger: LOGGER },
      (parts) =>
        new Retention({ ...parts, database, replies: new LeftReplies(database), days: config.keepDays }),
    ),
    provide(
      Sweeper,
      {
        ...{ messenger: Messenger, turns: TurnDispatcher, erasures: Erasures },
        ...{ forgetting: ForgetOrders, privateTalk: PrivateTalk, places: PlaceOrders, logger: LOGGER },
      },
      (parts) =>
        new Sweeper({
          ...{ ...parts, database },
          openTurns: new OpenTurns(database, parts.messenger, parts.logger),
        }),
    ),
    // intake/
    provide(
      CompanionDirectory,
      [Messenger],
      (messenger) => new CompanionDirectory(messenger, defaultCompanion),
    ),
    provide(
      ChatRunner,
      { inbox: Inbox, conversations: Conversations, companions: CompanionDirectory, events: TurnEvents },
      (parts) => new ChatRunner({ ...parts, database, replyTimeoutMs }),
    ),
    provide(
      MessageIntake,
      { messenger: Messenger, inbox: Inbox, identities: Identities, conversations: Conversations },
      (parts) => new MessageIntake({ ...parts, database, defaultCompanion, debounceMs }),
    ),
    // http/
    provideClass(ApiKeyGuard, [Entrance, RateLimit], APP_GUARD),
    provideClass(AuditInterceptor, [OperatorActions, LOGGER], APP_INTERCEPTOR),
    provideClass(ProblemFilter, [LOGGER], APP_FILTER),
  ];
}
