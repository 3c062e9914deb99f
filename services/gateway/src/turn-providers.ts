import type { Provider } from '@nestjs/common';
import { Database } from '@kith/database';
import type { HookList, ModelRoles } from '@kith/llm';
import { Broadcasts, Messenger } from '@kith/messaging';
import { DegradedStates, LOGGER, provide, provideClass, value } from '@kith/service-host';
import type { Config } from './config.js';
import { Conversations } from './conversations/conversations.js';
import { OutboxAdmin } from './delivery/outbox-admin.js';
import { Outbox } from './delivery/outbox.js';
import { ForgetOrders } from './forgetting/forget-orders.js';
import { Inbox } from './intake/inbox.js';
import { TalkReader } from './conversations/talk-reader.js';
import { probesByModel } from './epochs/ask-probes.js';
import { EpochKeeper } from './epochs/epoch-keeper.js';
import { CompanionDirectory } from './intake/companion-directory.js';
import { FollowUps } from './outcome/follow-ups.js';
import { RecentTurns } from './outcome/recent-turns.js';
import { Clocks } from './people/clocks.js';
import { SpendMeter } from './safety/spend-meter.js';
import { UsageRecords } from './safety/usage-records.js';
import { Interruptions } from './signals/interruptions.js';
import { TurnEvents } from './signals/turn-events.js';
import { ContextPrefetcher } from './answer/context-prefetcher.js';
import { budgetOf } from './answer/prompt-budget.js';
import { RecallRoom } from './answer/recall-bounds.js';
import { ThoughtCipher } from './steps/thought-cipher.js';
import { PermittedTools } from './tools/permitted-tools.js';
import { GuardedFetch } from './web/guarded-fetch.js';
import { PictureReader } from './web/picture-reader.js';
import { Bulkhead } from './turn/bulkhead.js';
import { TurnDispatcher } from './turn/turn-dispatcher.js';
import { TurnTaker } from './turn/turn-taker.js';

/** Tells Nest how turns are made: all from an accepted message to its reply. */
export function turnProviders(config: Config, hooks: HookList, roles: ModelRoles): Provider[] {
  return [
    // conversations/
    provideClass(Conversations, [Database]),
    value(new TalkReader()),
    // steps/
    value(new ThoughtCipher(config.thoughtsKey)),
    // signals/
    provideClass(TurnEvents, [Broadcasts]),
    provideClass(Interruptions, [Broadcasts]),
    // delivery/
    provideClass(Outbox, [Database, Messenger]),
    provideClass(OutboxAdmin, [Database, Messenger]),
    // web/, inbox/, epochs/, outcome/, answer/, turn/
    provide(
      PictureReader,
      [LOGGER],
      (logger) =>
        new PictureReader(new GuardedFetch({ origins: config.web.origins }), config.web.pictureHosts, logger),
    ),
    provide(
      Inbox,
      [Database, TalkReader, TurnDispatcher, ContextPrefetcher, Interruptions, ForgetOrders],
      (db, talks, ...parts) => new Inbox({ database: db, talks }, ...parts),
    ),
    provide(
      EpochKeeper,
      [Database, TalkReader, LOGGER],
      (db, talks, logger) => new EpochKeeper(db, talks, roles.fast && probesByModel(roles.fast, logger)),
    ),
    provideClass(FollowUps, [Messenger, LOGGER]),
    value(new RecentTurns()),
    provide(
      ContextPrefetcher,
      { messenger: Messenger, clocks: Clocks, states: DegradedStates },
      (parts) => new ContextPrefetcher({ ...parts, promptTokens: () => budgetOf(roles, config.turn).limit }),
    ),
    value(new Bulkhead()),
    value(new RecallRoom(roles, config.turn)),
    provide(
      TurnTaker,
      {
        database: Database,
        messenger: Messenger,
        clocks: Clocks,
        events: TurnEvents,
        interruptions: Interruptions,
        companions: CompanionDirectory,
        followUps: FollowUps,
        recent: RecentTurns,
        prefetcher: ContextPrefetcher,
        spend: SpendMeter,
        states: DegradedStates,
        permittedTools: PermittedTools,
        pictures: PictureReader,
        epochs: EpochKeeper,
        talks: TalkReader,
        cipher: ThoughtCipher,
        usage: UsageRecords,
        logger: LOGGER,
      },
      ({ companions, ...parts }) =>
        new TurnTaker({
          ...parts,
          ...config.turn,
          linkHosts: config.api.linkHosts,
          roles,
          hooks,
          standingOf: (companionId) => companions.standingOf(companionId),
        }),
    ),
    provideClass(TurnDispatcher, [Messenger, TurnTaker, Bulkhead, LOGGER]),
  ];
}
