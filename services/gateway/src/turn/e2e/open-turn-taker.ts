import { randomUUID } from 'node:crypto';
import type { Door } from '@kith/contracts';
import { CallHooks, createModelRoles, ModelCards } from '@kith/llm';
import { UsageRecords } from '../../safety/usage-records.js';
import { Broadcasts, Messenger } from '@kith/messaging';
import type { DegradedStates } from '@kith/service-host';
import { eventually, ScriptedModel, silentLogger } from '@kith/testing';
import { Registry } from 'prom-client';
import { SpendMeter } from '../../safety/spend-meter.js';
import type { Speaker } from '../../conversations/conversations.js';
import { withTalk } from '../../e2e/talk.js';
import { testingParts } from '../../e2e/testing-parts.js';
import { Bulkhead } from '../bulkhead.js';
import { FollowUps } from '../../outcome/follow-ups.js';
import { Inbox } from '../../intake/inbox.js';
import { Interruptions } from '../../signals/interruptions.js';
import { RecentTurns } from '../../outcome/recent-turns.js';
import { ToolRegistry } from '../../tools/tool-registry.js';
import { ToolRunner } from '../../tools/tool-runner.js';
import type { TurnAuthority } from '../../tools/turn-authority.js';
import { Clocks } from '../../people/clocks.js';
import { ContextPrefetcher } from '../../answer/context-prefetcher.js';
import { EpochKeeper } from '../../epochs/epoch-keeper.js';
import { ForgetOrders } from '../../forgetting/forget-orders.js';
import { TurnTaker } from '../turn-taker.js';
import { TurnEvents } from '../../signals/turn-events.js';
import { TurnDispatcher } from '../turn-dispatcher.js';
import { TranscriptRedactor } from '../../redaction/transcript-redactor.js';

/** Nothing listens there: all of this holds without Redis. */
const NO_REDIS = 'redis://127.0.0.1:1';

export const talk = withTalk();
export let model: ScriptedModel;
let messenger: Messenger;
let broadcasts: Broadcasts;
export let inbox: Inbox;
let wake: TurnDispatcher;
export let states: DegradedStates;
export let spend: SpendMeter;
export let takeTurn: TurnTaker;
/** Turns that the dispatcher began. */
export const begun: Promise<unknown>[] = [];
export let usage: UsageRecords;
export const noTools = {
  runnerFor: async (turn: TurnAuthority) =>
    new ToolRunner([], turn, undefined as never, new ToolRegistry(() => [])),
  withdraw: async () => undefined,
  outcomes: async () => [],
  changesOf: () => 'nothing' as const,
};
/** The step that fails at present, and how. */
export const faults = { now: null as { step: string; error: Error } | null };
export const limits = { perDay: 0, perPersonAndDay: 0 };

class Standings {
  async look(): Promise<'serves'> {
    return 'serves';
  }
}

/** The part as it is, but for the step that is to fail. */
function faulty<Part extends object>(part: Part): Part {
  return new Proxy(part, {
    get(target, name) {
      const own: unknown = Reflect.get(target, name);
      if (typeof own !== 'function') return own;
      return (...given: unknown[]) => {
        if (faults.now?.step === `${target.constructor.name}.${String(name)}`) throw faults.now.error;
        return own.apply(target, given) as unknown;
      };
    },
  });
}

/** Starts what takes turns, over a model that is scripted. */
export async function openTurnTaker(): Promise<void> {
  model = await ScriptedModel.start();
  const { database } = talk;
  const { talks } = talk.turnStores;
  const logger = silentLogger;
  messenger = new Messenger({ redisUrl: NO_REDIS, service: 'gateway', logger });
  broadcasts = new Broadcasts({ redisUrl: NO_REDIS, service: 'gateway', logger, subscribeWithinMs: 10 });
  const interruptions = new Interruptions(broadcasts);
  const parts = testingParts(database, model, { messenger, permittedTools: faulty(noTools) });
  states = parts.states;
  spend = new SpendMeter(database, limits, states, parts.logger, new Registry());
  usage = new UsageRecords(
    database,
    new ModelCards({ 'host:listed': { price: { input: 1_000, output: 2_000 } } }),
  );
  usage.start(parts.logger);
  usage.tell((personId, tokens) => spend.add(personId, tokens));
  const standings = faulty(new Standings());
  const clocks = new Clocks(messenger, broadcasts);
  const prefetcher = new ContextPrefetcher({ messenger, clocks, states, promptTokens: () => 4_000 });
  takeTurn = new TurnTaker({
    ...parts,
    roles: createModelRoles(model.settings(20_000), undefined, new CallHooks([(call) => usage.note(call)])),
    events: faulty(new TurnEvents(broadcasts)),
    interruptions,
    followUps: new FollowUps(messenger, parts.logger),
    clocks,
    recent: new RecentTurns(),
    prefetcher,
    talks,
    epochs: new EpochKeeper(database, talks),
    spend: faulty(spend),
    debounceMs: 0,
    standingOf: () => standings.look(),
    useTools: false,
    usage,
  });
  const taker = {
    run: (...given: Parameters<TurnTaker['run']>) => {
      const run = takeTurn.run(...given);
      begun.push(run);
      return run;
    },
  };
  wake = new TurnDispatcher(messenger, taker, new Bulkhead(), parts.logger);
  const forgetting = new ForgetOrders({
    database,
    locks: talk.locks,
    transcript: new TranscriptRedactor(database),
    messenger,
    logger: parts.logger,
    tellOpenPages: new TurnEvents(broadcasts).talkForgotten,
  });
  inbox = new Inbox({ database, talks }, wake, prefetcher, interruptions, forgetting);
}

/** Ends what was started. */
export async function closeTurnTaker(): Promise<void> {
  await wake.drain();
  await messenger.close();
  broadcasts.close();
  await model.stop();
}

/** Has a message come in. */
export async function say(where: Speaker, text: string, door: Door = 'discord') {
  const externalId = `${text} ${randomUUID()}`;
  const target = door === 'discord' ? { userId: '1', channelId: '2' } : null;
  const message = { ...where, door, externalId, target, origin: 'message' as const, text };
  await inbox.accept({ ...message, sentAt: new Date() }, 0);
  return externalId;
}

/** Resolves once the model was asked so often. */
export const asked = (count: number) =>
  eventually(`${count} requests to the model`, () => model.requests.length === count);
/** The last message of a request. */
export const spokenIn = (request: number) => model.requests[request]!.messages.at(-1)!.text;

/** Outcomes in order, when there are as many as that. */
export async function outcomes({ conversationId }: Speaker, count: number) {
  return eventually(`${count} outcomes`, async () => {
    const rows = await talk.stores.query<{ outcome: string; outcome_reason: string | null; turn_id: string }>(
      `SELECT outcome, outcome_reason, turn_id FROM inbox
       WHERE conversation_id = $1 AND outcome IS NOT NULL ORDER BY id`,
      [conversationId],
    );
    return rows.length === count && rows;
  });
}

/** Replies of the companion there, in order. */
export async function replies({ conversationId }: Speaker): Promise<string[]> {
  const rows = await talk.stores.query<{ text: string }>(
    `SELECT text FROM transcript WHERE conversation_id = $1 AND role = 'companion' ORDER BY id`,
    [conversationId],
  );
  return rows.map(({ text }) => text);
}
