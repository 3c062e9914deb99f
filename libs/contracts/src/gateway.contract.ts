import { z } from 'zod';
import { IsoDay, IsoTime } from './bounded-time.js';
import { defineEvent, defineJob, defineRequest } from './define.js';
import { ErasureView, PersonHoldings } from './erasure.js';
import { ModelChoice } from './model-choice.js';
import { ForgetResult, ForgetWhat, UndoResult } from './forgetting.js';
import { Privacy } from './memory-view.js';
import { ChannelId } from './outreach.contract.js';
import { ToolAnswer, ToolOutcome, ToolQuestion, ToolView } from './tool-views.js';
import { TurnBatch } from './turn-batch.js';
import {
  Audience,
  CompanionId,
  ConversationId,
  Door,
  MemoryId,
  PersonId,
  TurnId,
  TurnOrigin,
} from './words.js';

/** End of a turn, always exactly one of these. */
export const TurnOutcome = z.enum(['answered', 'apologised', 'silent', 'dropped']);
export type TurnOutcome = z.infer<typeof TurnOutcome>;

/** An account at a door. `subject` is the door's own id for it, such as a Discord user id. */
export const IdentityRef = z.object({
  door: Door,
  subject: z.string().min(1).max(128),
  displayName: z.string().min(1).max(100),
});

/** A place at a door. */
export const PlaceRef = z.object({
  door: Door,
  /** The door's own id for it: a channel id, a DM channel id, an API thread. */
  externalId: z.string().min(1).max(128),
  /** Can anyone but the person and the companion read it? */
  kind: z.enum(['direct', 'channel']),
});

export const MAX_MESSAGE_CHARACTERS = 8_000;

/** Message that another refers to: its words, and their speaker; null for the companion's own. */
export const Quote = z.object({
  name: z.string().min(1).max(100).nullable(),
  text: z.string().min(1).max(1_000),
});
export type Quote = z.infer<typeof Quote>;

/** Roles that one member may have: Discord's own limit. */
const MAX_ROLES = 250;

/** Address of a reply when its door must be called, rather than calling. */
export const DiscordTarget = z.object({
  /** Channel to write in; absent for outreach, which opens the DM with `userId` first. */
  channelId: z.string().optional(),
  userId: z.string(),
  replyToMessageId: z.string().optional(),
  /** The reply can't refer to the message, for want of a permission: it names the person instead. */
  withoutReference: z.literal(true).optional(),
  /** Nothing can be written in the channel at all. */
  unwritable: z.literal(true).optional(),
  /** Begin with a mention of `userId`, which pings them. */
  mention: z.boolean().optional(),
  /** Server of the channel, and the person's roles there; absent where Discord did not tell them. */
  serverId: z.string().optional(),
  roles: z.array(z.string()).max(MAX_ROLES).optional(),
});
export type DiscordTarget = z.infer<typeof DiscordTarget>;

export const TurnMessage = z.object({
  role: z.enum(['person', 'companion']),
  personId: PersonId.nullable(),
  /** The door's own id; null for what the companion said. */
  externalId: z.string().nullable(),
  text: z.string(),
  at: IsoTime,
  /** Times its words were changed; absent: never. */
  revision: z.number().int().optional(),
});

/** A finished turn with what was said in it, as far as it may be told. */
export const ReadTurn = z.object({
  turnId: TurnId,
  conversationId: ConversationId,
  companionId: CompanionId,
  /** Person of the burst. In a channel each person's burst is a turn of its own. */
  personId: PersonId,
  displayName: z.string(),
  door: Door,
  audience: Audience,
  outcome: TurnOutcome,
  /** Reason it ended so, where that is not plain. */
  reason: z.string().nullish(),
  origin: TurnOrigin,
  /** By our clock, whatever the door says its messages' times are. */
  startedAt: IsoTime.optional(),
  endedAt: IsoTime,
  messages: z.array(TurnMessage),
});
export type ReadTurn = z.infer<typeof ReadTurn>;

export const Exchange = z.object({
  turnId: TurnId,
  /** Companion's line right before; null where there was none, or it was meant for somebody else. */
  before: z.object({ text: z.string(), at: IsoTime }).nullable(),
  reply: z.string().nullable(),
  /** Model the reply was written with. */
  recalled: z.array(MemoryId),
});
export type Exchange = z.infer<typeof Exchange>;

/** Places at a door that the app came to or went from together. */
const PlacesWithin = z.object({
  door: Door,
  /** Group they belong to, such as a Discord server. */
  within: z.string().min(1).max(128),
  places: z.array(z.string().min(1).max(128)).max(10_000),
  at: IsoTime,
});

/** Cause of a heartbeat: a day that ended, a long silence, or a task that comes due. */
export const HeartbeatTrigger = z.enum(['day', 'silence', 'task']);
export type HeartbeatTrigger = z.infer<typeof HeartbeatTrigger>;

export const gatewayContract = {
  /**
   * Hands over a message. When it answers, the message is committed and will end in an outcome;
   * the same `messageId` at the same door again does nothing (`duplicate`).
   */
  receive: defineRequest('gateway.receive', {
    request: z.object({
      from: IdentityRef,
      place: PlaceRef,
      companionId: CompanionId.optional(),
      messageId: z.string().min(1).max(128),
      text: z.string().min(1).max(MAX_MESSAGE_CHARACTERS),
      /** From the same place, so whoever hears the answer could read it. */
      quote: Quote.optional(),
      sentAt: IsoTime,
      /** Server of the place, and the roles that its speaker has there, where the door tells them. */
      within: z
        .object({
          server: z.string().min(1).max(64),
          roles: z.array(z.string().min(1).max(64)).max(MAX_ROLES).optional(),
        })
        .optional(),
      /** Way to answer there: by a reply that refers to it, by a message alone, or not at all. */
      answerable: z.enum(['by-reply', 'by-message', 'not']).default('by-reply'),
    }),
    response: z.object({
      conversationId: ConversationId,
      personId: PersonId,
      duplicate: z.boolean(),
    }),
    timeoutMs: 5_000,
  }),
  /**
   * A message was edited, or deleted (`text` null), where it was said. Before its answer the turn is taken with the new
   * words; after it the new words take the old ones' place in the transcript and in all that was made of them.
   * `applied` is false for a message that is unknown here.
   */
  revise: defineRequest('gateway.revise', {
    request: z.object({
      door: Door,
      messageId: z.string().min(1).max(128),
      text: z.string().min(1).max(MAX_MESSAGE_CHARACTERS).nullable(),
    }),
    response: z.object({ applied: z.boolean() }),
    timeoutMs: 3_000,
  }),
  /** The person wants no answer (any more) to what they said here: ends the turn under way and what waits. */
  stop: defineRequest('gateway.stop', {
    request: z.object({ from: IdentityRef, place: PlaceRef, companionId: CompanionId.optional() }),
    response: z.object({ stopped: z.number().int() }),
    timeoutMs: 3_000,
  }),
  /** Tools that a person may use with a companion in a place, and the questions that wait for them. */
  tools: defineRequest('gateway.tools', {
    request: z.object({
      personId: PersonId,
      companionId: CompanionId,
      place: z.object({
        server: z.string().max(64).nullable(),
        channel: z.string().max(64).nullable(),
        roles: z.array(z.string().max(64)).max(MAX_ROLES),
      }),
    }),
    response: z.object({ tools: z.array(ToolView), questions: z.array(ToolQuestion) }),
    timeoutMs: 3_000,
  }),
  /** A person answers a question about a call of a tool. The answer waits for the call. */
  answerTool: defineRequest('gateway.answer-tool', {
    request: z.object({ personId: PersonId, questionId: z.uuid(), answer: ToolAnswer }),
    response: ToolOutcome,
    // More than a call may take.
    timeoutMs: 25_000,
  }),
  /** Finds the person of an account, and makes one at first sight. */
  person: defineRequest('gateway.person', {
    request: IdentityRef,
    response: z.object({ personId: PersonId, displayName: z.string() }),
    timeoutMs: 3_000,
  }),
  /** Notice to a person of a key that an operator made to act as them; null where there is nobody to tell. */
  keyNotice: defineRequest('gateway.key-notice', {
    request: z.object({ keyId: z.uuid() }),
    response: z.object({
      notice: z
        .object({
          discordUserId: z.string(),
          name: z.string(),
          reason: z.string(),
          scopes: z.array(z.string()),
          madeAt: IsoTime,
        })
        .nullable(),
    }),
    timeoutMs: 3_000,
  }),
  /** Counts the holdings of a person anywhere in the suite. */
  holdings: defineRequest('gateway.holdings', {
    request: z.object({ personId: PersonId }),
    response: PersonHoldings,
    timeoutMs: 10_000,
  }),
  /**
   * A person asks at a door to be erased. From then on nothing is written for them; the rest follows, and the answer
   * waits for it a while.
   */
  eraseMe: defineRequest('gateway.erase-me', {
    request: z.object({ personId: PersonId }),
    response: ErasureView,
    timeoutMs: 15_000,
  }),
  /** Has every service erase what it holds of a person, and keeps the receipt. Goes on where it was broken off. */
  erase: defineJob('gateway.erase', {
    payload: z.object({ personId: PersonId }),
    idOf: ({ personId }) => personId,
    attempts: 10,
    concurrency: 2,
  }),
  /**
   * Forgets what a person names, everywhere: memories, what was made of them, and the talk they came from. It is out of
   * use when this answers, can be undone for ten minutes, and is gone after that.
   * `unavailable` while a service does not answer: the order is noted and goes on by itself.
   */
  forget: defineRequest('gateway.forget', {
    request: z.object({
      personId: PersonId,
      companionId: CompanionId.optional(),
      what: ForgetWhat,
      /** Only memories go: the talk they came from stays in prompts. */
      keepTalk: z.boolean().default(false),
      /** Only says what would go. */
      preview: z.boolean().default(false),
    }),
    response: ForgetResult,
    timeoutMs: 30_000,
  }),
  /** Takes an order to forget back. `not_found` once its ten minutes are over. */
  undoForget: defineRequest('gateway.undo-forget', {
    request: z.object({ personId: PersonId, receipt: z.uuid() }),
    response: UndoResult,
    timeoutMs: 30_000,
  }),
  /** Is what this person says remembered? With `private`, from now on it is not, or is again. */
  privacy: defineRequest('gateway.privacy', {
    request: z.object({ personId: PersonId, private: z.boolean().optional() }),
    response: Privacy,
    timeoutMs: 6_000,
  }),
  /** Finished turns, for jobs, which carry ids and no text. Those that are gone, as of an erased person, are left out. */
  readTurns: defineRequest('gateway.read-turns', {
    request: TurnBatch,
    /** Those that there are, in the order asked for. */
    response: z.object({ turns: z.array(ReadTurn) }),
    timeoutMs: 3_000,
  }),
  /** The companion's part of these turns, for who reads what the person said at leisure. Unknown ones are left out. */
  exchanges: defineRequest('gateway.exchanges', {
    request: TurnBatch,
    response: z.object({ exchanges: z.array(Exchange) }),
    timeoutMs: 3_000,
  }),
  /** Is anything that this person said, or that was to be said to them, not answered yet? */
  isBusy: defineRequest('gateway.is-busy', {
    request: z.object({ personId: PersonId }),
    response: z.object({ busy: z.boolean() }),
    timeoutMs: 3_000,
  }),
  /** "This person said something there": the truth is in the inbox, this only wakes a worker. */
  takeTurn: defineJob('gateway.take-turn', {
    payload: z.object({ conversationId: ConversationId, inboxId: z.string(), personId: PersonId }),
    idOf: ({ conversationId, inboxId }) => `${conversationId}-${inboxId}`,
    // With the claim of the inbox rows.
    countsItself: true,
    attempts: 3,
    // A turn mostly waits for its model. Of fifty people who speak at once in a channel half are answered at a time.
    concurrency: 32,
  }),
  /**
   * The companion speaks first: runs a turn without a message, whose reply goes to the person's DM, or into the
   * Discord channel named. The scheduler has decided that it may, and that those who read there may hear the reason,
   * which it is asked for; the same attempt again does nothing.
   */
  reachOut: defineJob('gateway.reach-out', {
    payload: z.object({
      attemptId: z.uuid(),
      personId: PersonId,
      companionId: CompanionId,
      channelId: ChannelId.optional(),
    }),
    idOf: ({ attemptId }) => attemptId,
  }),
  /**
   * The companion thinks over a day with somebody: a turn without a message, with tools, of which nothing is sent. The
   * same day again does nothing.
   */
  heartbeat: defineJob('gateway.heartbeat', {
    payload: z.object({
      personId: PersonId,
      companionId: CompanionId,
      day: IsoDay,
      why: HeartbeatTrigger.default('day'),
    }),
    idOf: ({ personId, companionId, day, why }) => `${companionId}-${personId}-${day}-${why}`,
    concurrency: 1,
  }),
  /** Lets go of what has had its time by the operator's settings, and goes on with erasures that were broken off. */
  retain: defineJob('gateway.retain', {
    payload: z.object({}),
    idOf: () => 'retain',
    attempts: 3,
    concurrency: 1,
  }),
  /** The app was sent away from these places: after a grace period what was said there goes. */
  leavePlaces: defineJob('gateway.leave-places', {
    payload: PlacesWithin,
    idOf: ({ door, within, at }) => `${door}-${within}-${Date.parse(at)}`,
  }),
  /** The app is back in these places: what was said there stays. */
  returnToPlaces: defineJob('gateway.return-to-places', {
    payload: PlacesWithin,
    idOf: ({ door, within, at }) => `${door}-${within}-${Date.parse(at)}`,
  }),
  /**
   * A reply's text and where it goes. `settled`: it has been delivered or given up meanwhile; `not-yet`: an earlier
   * reply to the same person there is still on its way, and their replies keep their order.
   */
  claimDelivery: defineRequest('gateway.claim-delivery', {
    request: z.object({ outboxId: z.uuid() }),
    response: z.discriminatedUnion('kind', [
      z.object({
        kind: z.literal('claimed'),
        outboxId: z.uuid(),
        turnId: TurnId,
        personId: PersonId,
        target: DiscordTarget,
        text: z.string(),
        /** Questions about tools that it puts, for its buttons. */
        questions: z.array(ToolQuestion.pick({ id: true, tool: true })).optional(),
        attempt: z.number().int(),
        /** From then on a chunk may have arrived without our knowing. */
        firstTriedAt: IsoTime,
        /** Discord's ids of the chunks that are known to have arrived, in order. */
        sent: z.array(z.string()),
        /** Ids of other replies of the conversation since then: none of them is this one. */
        othersSent: z.array(z.string()),
      }),
      z.object({ kind: z.literal('settled') }),
      z.object({ kind: z.literal('not-yet'), retryAfterMs: z.number().int() }),
    ]),
    timeoutMs: 3_000,
  }),
  /** Chunks of a reply have arrived, and more are to come: whoever goes on goes on behind them. */
  noteSent: defineRequest('gateway.note-sent', {
    request: z.object({ outboxId: z.uuid(), sent: z.array(z.string()).min(1) }),
    response: z.object({}),
    timeoutMs: 3_000,
  }),
  /** Notes how a try to deliver ended. Answers when the next one is due; null when it was the last. */
  settleDelivery: defineRequest('gateway.settle-delivery', {
    request: z.object({
      outboxId: z.uuid(),
      result: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('delivered'), platformIds: z.array(z.string()) }),
        /** `sent`: the chunks that did arrive, if any. */
        z.object({
          kind: z.literal('failed'),
          reason: z.string(),
          /** Receiver that can't be written to any more: this person, or the place. */
          unreachable: z.enum(['person', 'place']).nullable(),
          sent: z.array(z.string()).default([]),
          /** Texts of those chunks. */
          said: z.string().default(''),
        }),
        z.object({
          kind: z.literal('retry'),
          reason: z.string(),
          /** Wait the door itself asks for. */
          waitMs: z.number().int().default(0),
          sent: z.array(z.string()).default([]),
          said: z.string().default(''),
        }),
      ]),
    }),
    response: z.object({ retryAfterMs: z.number().int().nullable() }),
    timeoutMs: 3_000,
  }),
  /** The default models, and what speaks now; `gone` names one that its host refused, so that another is chosen first. */
  models: defineRequest('gateway.models', {
    request: z.object({ gone: z.string().optional() }),
    response: z.object({ choices: z.array(ModelChoice), chat: z.array(z.string()) }),
    timeoutMs: 6_000,
  }),
  /** A turn ended. For what may be lost, such as a typing indicator: what must follow a turn is a job. */
  turnEnded: defineEvent(
    'gateway.turn-ended',
    z.object({
      turnId: TurnId,
      conversationId: ConversationId,
      companionId: CompanionId,
      personId: PersonId,
      door: Door,
      origin: TurnOrigin,
      outcome: TurnOutcome,
      endedAt: IsoTime,
    }),
    { mayBeLost: true },
  ),
  /** A person can't be written to any more, as with closed DMs, or not in the channel where they allowed outreach. */
  unreachable: defineEvent(
    'gateway.unreachable',
    z.object({
      personId: PersonId,
      reason: z.string(),
      at: IsoTime,
      /** The outreach that did not arrive; null when it was a reply. */
      attemptId: z.uuid().nullable(),
      /** The channel; null for the person themselves. */
      channelId: ChannelId.nullable(),
    }),
  ),
};
