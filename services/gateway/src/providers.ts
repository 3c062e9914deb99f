import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import type { Provider } from '@nestjs/common';
import { Database } from '@kith/database';
import {
  CallHooks,
  type CallPayload,
  createModelRoles,
  type HookList,
  ModelChoices,
  type ModelRoles,
  openHosts,
} from '@kith/llm';
import { Broadcasts, Messenger } from '@kith/messaging';
import { DegradedStates, LOGGER, METRICS, provide, provideClass, value } from '@kith/service-host';
import { OperatorActions } from './audit/operator-actions.js';
import type { Config } from './config.js';
import { Conversations } from './conversations/conversations.js';
import { Entrance } from './entrance/entrance.js';
import { ProblemFilter } from './entrance/problem-filter.js';
import { ERASE_LIMIT, LIMITER, openLimiter, RateLimit } from './entrance/rate-limit.js';
import { ErasureRecords } from './erasure/erasure-records.js';
import { Erasures } from './erasure/erasures.js';
import { ForgetOrders } from './forgetting/forget-orders.js';
import { LeftReplies } from './redaction/left-replies.js';
import { OrderLocks } from './forgetting/order-locks.js';
import { PrivateTalk } from './forgetting/private-talk.js';
import { ApiKeyGuard } from './http/api-key.guard.js';
import { AuditInterceptor } from './http/audit.interceptor.js';
import { Inbox } from './intake/inbox.js';
import { TalkReader } from './conversations/talk-reader.js';
import { ChatRunner } from './intake/chat-runner.js';
import { CompanionDirectory } from './intake/companion-directory.js';
import { MessageIntake } from './intake/message-intake.js';
import { ModelCatalog } from './models/model-catalog.js';
import { RecentTurns } from './outcome/recent-turns.js';
import { AccountMarks } from './people/account-marks.js';
import { ApiKeys } from './people/api-keys.js';
import { Clocks } from './people/clocks.js';
import { Identities } from './people/identities.js';
import { KeyLists } from './people/key-lists.js';
import { OperatorKey } from './people/operator-key.js';
import { SignInCodes } from './people/sign-in-codes.js';
import { SpendMeter } from './safety/spend-meter.js';
import { UsageRecords } from './safety/usage-records.js';
import { Interruptions } from './signals/interruptions.js';
import { TurnEvents } from './signals/turn-events.js';
import { ContextPrefetcher } from './answer/context-prefetcher.js';
import { OutsideCalls } from './tools/outside-calls.js';
import { ToolFolder } from './tools/outside/tool-folder.js';
import { ToolGuard } from './tools/tool-guard.js';
import { ToolCallRecords } from './tools/permission/tool-call-records.js';
import { ToolGrants } from './tools/permission/tool-grants.js';
import { PermittedTools } from './tools/permitted-tools.js';
import { ToolRegistry } from './tools/tool-registry.js';
import { ToolRules } from './tools/tool-rules.js';
import { webTools } from './tools/web/web-tools.js';
import { TurnDispatcher } from './turn/turn-dispatcher.js';
import { OpenTurns } from './upkeep/open-turns.js';
import { PlaceDeleter } from './upkeep/place-deleter.js';
import { PlaceOrders } from './upkeep/place-orders.js';
import { Retention } from './upkeep/retention.js';
import { Sweeper } from './upkeep/sweeper.js';
import { TranscriptRedactor } from './redaction/transcript-redactor.js';
import { turnProviders } from './turn-providers.js';

/** Erasures that one caller may order in a minute: more come from a broken script, or from a stolen key. */
const ERASURES_PER_MINUTE = 10;

/** Tells Nest how every part of the gateway is made, room by room. */
export function providersOf(config: Config, hooks: HookList): Provider[] {
  const database = new Database(config.database);
  const { roles, providers } = openModels(config, hooks, database);
  return [
    value(database),
    ...providers,
    ...peopleProviders(config),
    ...forgettingProviders(),
    ...toolProviders(config, hooks),
    ...turnProviders(config, hooks, roles),
    ...upkeepProviders(config),
    ...doorProviders(config),
  ];
}

/** Opens the models that the settings name. Their usage is counted from the first call on. */
function openModels(
  config: Config,
  hooks: HookList,
  database: Database,
): { roles: ModelRoles; providers: Provider[] } {
  const usage = new UsageRecords(database, { costOf: (...call) => roles.cards.costOf(...call) });
  const choices = new ModelChoices();
  let catalog: ModelCatalog | undefined;
  const onGone = async (label: string) => catalog?.replace(label);
  let meter: SpendMeter | undefined;
  // A turn asks before it begins, and goes on to its end.
  const isSpent = ({ role, account }: CallPayload) =>
    role === 'fast' &&
    (meter?.spentAmong(account.personId === undefined ? [] : [account.personId]) ?? []).length > 0;
  const counted = new CallHooks([(call) => usage.note(call)], hooks, isSpent);
  const roles = createModelRoles(config.models, { choices, onGone }, counted);
  const providers = [
    // models/
    value(usage),
    provide(
      ModelCatalog,
      { database: Database, messenger: Messenger, broadcasts: Broadcasts, logger: LOGGER },
      (parts) => (catalog = new ModelCatalog({ ...parts, hosts: openHosts(config.models), choices, roles })),
    ),
    provide(SpendMeter, [Database, DegradedStates, LOGGER, METRICS], (db, ...parts) => {
      const made = new SpendMeter(db, config.spend, ...parts);
      usage.tell((personId, tokens) => made.add(personId, tokens));
      return (meter = made);
    }),
  ];
  return { roles, providers };
}

function peopleProviders(config: Config): Provider[] {
  return [
    // people/
    provideClass(ApiKeys, [Database, Broadcasts]),
    provideClass(KeyLists, [Database]),
    provide(OperatorKey, [Database], (db) => new OperatorKey(db, config.api)),
    provide(SignInCodes, [ApiKeys], (keys) => new SignInCodes(config.redis, keys)),
    value(new AccountMarks(config.thoughtsKey)),
    provideClass(Identities, [Database, Broadcasts, AccountMarks]),
    provideClass(Clocks, [Messenger, Broadcasts]),
    // audit/
    provideClass(OperatorActions, [Database]),
  ];
}

function forgettingProviders(): Provider[] {
  return [
    // forgetting/
    provideClass(OrderLocks, [Database]),
    provideClass(TranscriptRedactor, [Database]),
    provideClass(LeftReplies, [Database]),
    provide(
      ForgetOrders,
      {
        database: Database,
        locks: OrderLocks,
        transcript: TranscriptRedactor,
        messenger: Messenger,
        events: TurnEvents,
        logger: LOGGER,
      },
      ({ events, ...parts }) => new ForgetOrders({ ...parts, tellOpenPages: events.talkForgotten }),
    ),
    provide(
      PrivateTalk,
      [Database, OrderLocks, Messenger, TurnEvents, LOGGER],
      (db, locks, messenger, { privacySwitched }, logger) =>
        new PrivateTalk(db, locks, messenger, privacySwitched, logger),
    ),
    // erasure/
    provideClass(ErasureRecords, [Database, AccountMarks]),
    provide(
      Erasures,
      {
        records: ErasureRecords,
        messenger: Messenger,
        broadcasts: Broadcasts,
        events: TurnEvents,
        interruptions: Interruptions,
        forgetting: ForgetOrders,
        operatorKey: OperatorKey,
        keys: ApiKeys,
        identities: Identities,
        clocks: Clocks,
        recent: RecentTurns,
        prefetcher: ContextPrefetcher,
        talks: TalkReader,
        logger: LOGGER,
      },
      ({ keys, identities, clocks, recent, prefetcher, talks, ...parts }) =>
        new Erasures({ ...parts, caches: [keys, identities, clocks, recent, prefetcher, talks] }),
    ),
  ];
}

function toolProviders(config: Config, hooks: HookList): Provider[] {
  const web = webTools(config.web);
  return [
    // tools/
    provide(ToolFolder, [LOGGER], (logger) => new ToolFolder(config.tools.directory, logger)),
    provide(ToolRegistry, [ToolFolder], (folder) => new ToolRegistry(() => [...folder.origins, web])),
    provideClass(ToolRules, [Database, ToolRegistry]),
    provideClass(ToolGrants, [Database]),
    provideClass(ToolCallRecords, [Database]),
    value(new ToolGuard()),
    provideClass(OutsideCalls, [ToolCallRecords, ToolGrants, ToolGuard, LOGGER]),
    provide(
      PermittedTools,
      {
        registry: ToolRegistry,
        rules: ToolRules,
        grants: ToolGrants,
        records: ToolCallRecords,
        outside: OutsideCalls,
        logger: LOGGER,
      },
      (parts) => new PermittedTools({ ...parts, hooks }),
    ),
  ];
}

function upkeepProviders(config: Config): Provider[] {
  return [
    // upkeep/
    provideClass(PlaceOrders, [Database, Messenger, LeftReplies, LOGGER]),
    provideClass(OpenTurns, [Database, Messenger, LOGGER]),
    provideClass(PlaceDeleter, {
      database: Database,
      messenger: Messenger,
      places: PlaceOrders,
      replies: LeftReplies,
      interruptions: Interruptions,
    }),
    provide(
      Retention,
      { database: Database, messenger: Messenger, erasures: Erasures, places: PlaceDeleter, logger: LOGGER },
      (parts) => new Retention({ ...parts, days: config.keepDays }),
    ),
    provideClass(Sweeper, {
      database: Database,
      messenger: Messenger,
      turns: TurnDispatcher,
      openTurns: OpenTurns,
      erasures: Erasures,
      forgetting: ForgetOrders,
      privateTalk: PrivateTalk,
      places: PlaceOrders,
      logger: LOGGER,
    }),
  ];
}

function doorProviders(config: Config): Provider[] {
  const { requestsPerMinute, proxy } = config.api;
  const { debounceMs, replyTimeoutMs } = config.turn;
  const { keyPrefix: prefix } = config.redis;
  return [
    // entrance/
    value(openLimiter(config.redis.url), LIMITER),
    provide(RateLimit, [LIMITER], (redis) => new RateLimit(redis, prefix, requestsPerMinute)),
    provide(ERASE_LIMIT, [LIMITER], (redis) => new RateLimit(redis, `${prefix}erase-`, ERASURES_PER_MINUTE)),
    provide(
      Entrance,
      [ApiKeys, LOGGER],
      (keys, logger) => new Entrance(keys, requestsPerMinute, proxy, logger),
    ),
    // intake/
    provide(
      CompanionDirectory,
      [Messenger],
      (messenger) => new CompanionDirectory(messenger, config.companion.default),
    ),
    provide(
      ChatRunner,
      {
        database: Database,
        inbox: Inbox,
        conversations: Conversations,
        companions: CompanionDirectory,
        events: TurnEvents,
        keys: ApiKeys,
      },
      (parts) => new ChatRunner({ ...parts, replyTimeoutMs }),
    ),
    provide(
      MessageIntake,
      {
        database: Database,
        messenger: Messenger,
        inbox: Inbox,
        identities: Identities,
        conversations: Conversations,
        companions: CompanionDirectory,
        marks: AccountMarks,
      },
      (parts) => new MessageIntake({ ...parts, debounceMs }),
    ),
    // http/
    provideClass(ApiKeyGuard, [Entrance, RateLimit], APP_GUARD),
    provideClass(AuditInterceptor, [OperatorActions, LOGGER], APP_INTERCEPTOR),
    provideClass(ProblemFilter, [LOGGER], APP_FILTER),
  ];
}
