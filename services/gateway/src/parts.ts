import { Database } from '@kith/database';
import type { HookList } from '@kith/llm';
import type { Host, Token } from '@kith/service-host';
import { ContextPrefetcher } from './answer/context-prefetcher.js';
import { budgetOf } from './answer/prompt-budget.js';
import { recallBoundsOf } from './answer/recall-bounds.js';
import { OperatorActions } from './audit/operator-actions.js';
import type { Config } from './config.js';
import { Conversations } from './conversations/conversations.js';
import { TalkReader } from './conversations/talk-reader.js';
import { OutboxAdmin } from './delivery/outbox-admin.js';
import { Outbox } from './delivery/outbox.js';
import { Entrance } from './entrance/entrance.js';
import { openLimiter, RateLimit } from './entrance/rate-limit.js';
import { probesByModel } from './epochs/ask-probes.js';
import { EpochKeeper } from './epochs/epoch-keeper.js';
import { ErasureRecords } from './erasure/erasure-records.js';
import { Erasures } from './erasure/erasures.js';
import { ForgetOrders } from './forgetting/forget-orders.js';
import { OrderLocks } from './forgetting/order-locks.js';
import { PrivateTalk } from './forgetting/private-talk.js';
import { ChatRunner } from './intake/chat-runner.js';
import { CompanionDirectory } from './intake/companion-directory.js';
import { Inbox } from './intake/inbox.js';
import { MessageIntake } from './intake/message-intake.js';
import { FollowUps } from './outcome/follow-ups.js';
import { RecentTurns } from './outcome/recent-turns.js';
import { AccountMarks } from './people/account-marks.js';
import { ApiKeys } from './people/api-keys.js';
import { Clocks } from './people/clocks.js';
import { Identities } from './people/identities.js';
import { KeyLists } from './people/key-lists.js';
import { OperatorKey } from './people/operator-key.js';
import { SignInCodes } from './people/sign-in-codes.js';
import { LeftReplies } from './redaction/left-replies.js';
import { TranscriptRedactor } from './redaction/transcript-redactor.js';
import { Interruptions } from './signals/interruptions.js';
import { TurnEvents } from './signals/turn-events.js';
import { ThoughtCipher } from './steps/thought-cipher.js';
import { OutsideCalls } from './tools/outside-calls.js';
import { ToolFolder } from './tools/outside/tool-folder.js';
import { ToolCallRecords } from './tools/permission/tool-call-records.js';
import { ToolGrants } from './tools/permission/tool-grants.js';
import { PermittedTools } from './tools/permitted-tools.js';
import { ToolGuard } from './tools/tool-guard.js';
import { ToolRegistry } from './tools/tool-registry.js';
import { ToolRules } from './tools/tool-rules.js';
import { webTools } from './tools/web/web-tools.js';
import { Bulkhead } from './turn/bulkhead.js';
import { TurnDispatcher } from './turn/turn-dispatcher.js';
import { TurnTaker } from './turn/turn-taker.js';
import { OpenTurns } from './upkeep/open-turns.js';
import { PlaceDeleter } from './upkeep/place-deleter.js';
import { PlaceOrders } from './upkeep/place-orders.js';
import { Retention } from './upkeep/retention.js';
import { Sweeper } from './upkeep/sweeper.js';
import { GuardedFetch } from './web/guarded-fetch.js';
import { PictureReader } from './web/picture-reader.js';
import { openModels } from './open-models.js';

/** All parts of the gateway, by name. */
export type Parts = ReturnType<typeof makeParts>;

/** Key under which controllers find them. */
export const PARTS: Token<Parts> = Symbol('PARTS');

/** Erasures that one caller may order in a minute: more come from a broken script, or from a stolen key. */
const ERASURES_PER_MINUTE = 10;

/** Makes every part of the gateway of those before it, from what stores to what acts. */
export function makeParts(config: Config, hooks: HookList, host: Host) {
  const { messenger, broadcasts, states, logger } = host;
  const { keyPrefix } = config.redis;
  const { requestsPerMinute, proxy, linkHosts } = config.api;
  const { debounceMs, replyTimeoutMs } = config.turn;
  const database = new Database(config.database);
  const { usage, spend, roles, models } = openModels(config, hooks, database, host);

  // Who speaks, and through which door.
  const keys = new ApiKeys(database, broadcasts);
  const keyLists = new KeyLists(database);
  const operatorKey = new OperatorKey(database, config.api);
  const signInCodes = new SignInCodes(config.redis, keys);
  const marks = new AccountMarks(config.thoughtsKey);
  const identities = new Identities(database, broadcasts, marks);
  const clocks = new Clocks(messenger, broadcasts);
  const actions = new OperatorActions(database);
  const companions = new CompanionDirectory(messenger, config.companion.default);
  const limiter = openLimiter(config.redis.url);
  const limit = new RateLimit(limiter, keyPrefix, requestsPerMinute);
  const eraseLimit = new RateLimit(limiter, `${keyPrefix}erase-`, ERASURES_PER_MINUTE);
  const entrance = new Entrance(keys, requestsPerMinute, proxy, logger);

  // What is kept of talk, what is heard while it goes on, and what is forgotten of it.
  const conversations = new Conversations(database);
  const talks = new TalkReader();
  const cipher = new ThoughtCipher(config.thoughtsKey);
  const events = new TurnEvents(broadcasts);
  const interruptions = new Interruptions(broadcasts);
  const outbox = new Outbox(database, messenger);
  const outboxAdmin = new OutboxAdmin(database, messenger);
  const replies = new LeftReplies(database);
  const transcript = new TranscriptRedactor(database);
  const locks = new OrderLocks(database);
  const { talkForgotten: tellOpenPages, privacySwitched } = events;
  const forgetting = new ForgetOrders({ database, locks, transcript, messenger, logger, tellOpenPages });
  const privateTalk = new PrivateTalk(database, locks, messenger, privacySwitched, logger);

  // Tools that a turn may use.
  const web = webTools(config.web);
  const toolFolder = new ToolFolder(config.tools.directory, logger);
  const registry = new ToolRegistry(() => [...toolFolder.origins, web]);
  const rules = new ToolRules(database, registry);
  const grants = new ToolGrants(database);
  const records = new ToolCallRecords(database);
  const outside = new OutsideCalls(records, grants, new ToolGuard(), logger);
  const isPaused = async (companionId: string) => (await companions.standingOf(companionId)) === 'paused';
  const permittedTools = new PermittedTools({
    registry,
    rules,
    grants,
    records,
    outside,
    logger,
    hooks,
    isPaused,
  });

  // From an accepted message to its reply.
  const { origins, pictureHosts } = config.web;
  const pictures = new PictureReader(new GuardedFetch({ origins }), pictureHosts, logger);
  const epochs = new EpochKeeper(database, talks, roles.fast && probesByModel(roles.fast, logger));
  const followUps = new FollowUps(messenger, logger);
  const recent = new RecentTurns();
  const promptTokens = () => budgetOf(roles, config.turn).limit;
  const prefetcher = new ContextPrefetcher({ messenger, clocks, states, promptTokens });
  // For callers that show recall outside a turn: the room that a turn taken now would have.
  const recallRoom = () => recallBoundsOf(promptTokens());
  const taker = new TurnTaker({
    ...config.turn,
    database,
    messenger,
    clocks,
    events,
    interruptions,
    followUps,
    recent,
    prefetcher,
    spend,
    states,
    permittedTools,
    pictures,
    epochs,
    talks,
    cipher,
    usage,
    logger,
    linkHosts,
    roles,
    hooks,
    standingOf: (companionId) => companions.standingOf(companionId),
  });
  const turns = new TurnDispatcher(messenger, taker, new Bulkhead(), logger);
  const inbox = new Inbox({ database, talks }, turns, prefetcher, interruptions, forgetting);
  const accepting = { database, inbox, conversations, companions };
  const chat = new ChatRunner({ ...accepting, events, keys, replyTimeoutMs });
  const intake = new MessageIntake({ ...accepting, messenger, identities, marks, debounceMs });

  // What goes: people, places, what is old; and what died on the way.
  const erasures = new Erasures({
    records: new ErasureRecords(database, marks),
    messenger,
    broadcasts,
    events,
    interruptions,
    forgetting,
    operatorKey,
    caches: [keys, identities, clocks, recent, prefetcher, talks],
    logger,
  });
  const places = new PlaceOrders(database, messenger, replies, logger);
  const deleter = new PlaceDeleter({ database, messenger, places, replies, interruptions });
  const retention = new Retention({
    database,
    messenger,
    erasures,
    places: deleter,
    days: config.keepDays,
    logger,
  });
  const openTurns = new OpenTurns(database, messenger, logger);
  const sweeper = new Sweeper({
    database,
    messenger,
    turns,
    openTurns,
    erasures,
    forgetting,
    privateTalk,
    places,
    logger,
  });

  return {
    ...host,
    database,
    usage,
    spend,
    models,
    keys,
    keyLists,
    operatorKey,
    signInCodes,
    identities,
    clocks,
    actions,
    companions,
    limiter,
    limit,
    eraseLimit,
    entrance,
    cipher,
    events,
    interruptions,
    outbox,
    outboxAdmin,
    forgetting,
    privateTalk,
    toolFolder,
    registry,
    rules,
    permittedTools,
    followUps,
    recent,
    recallRoom,
    turns,
    inbox,
    chat,
    intake,
    erasures,
    places,
    deleter,
    retention,
    sweeper,
  };
}
