import { z } from 'zod';
import { IsoDay, IsoTime } from '../time/iso-time.js';
import { defineEvent, defineJob, defineRequest, Nothing } from './define.js';
import { ModelChoice } from '../values/model-choice.js';
import { ChannelId } from './outreach.contract.js';
import { MAX_PICTURES, SentPicture } from '../values/sent-picture.js';
import { MAX_USAGE_REPORTED, ModelUsage } from '../views/usage-view.js';
import { ToolAnswer, ToolOutcome, ToolQuestion, ToolView } from '../views/tool-views.js';
import { TurnBatch } from './turn-batch.js';
import { CompanionId, ConversationId, Door, PersonId, TurnId, TurnOrigin, Uuid } from '../values/words.js';
import { IdentityRef, PlaceRef, MAX_ROLES } from '../values/doors.js';
import { TurnOutcome, ReadTurn, Exchange, HeartbeatTrigger } from '../values/read-turn.js';
import { MAX_MESSAGE_CHARACTERS, Quote } from '../text/message-text.js';
import { gatewayDelivery } from './gateway-delivery.contract.js';
import { gatewayPeople } from './gateway-people.contract.js';

export const gatewayContract = {
  ...gatewayDelivery,
  ...gatewayPeople,
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
      /** Message that it quotes, from the same place: whoever hears the answer could read it. */
      quote: Quote.extend({
        /** Account of whoever wrote it, and when; absent for the companion's own, and where the door does not tell. */
        author: z.object({ subject: z.string().min(1).max(128), saidAt: IsoTime }).optional(),
      }).optional(),
      /** Shown to the turn's model where it can see; kept only until the turn has its outcome. */
      pictures: z.array(SentPicture).max(MAX_PICTURES).optional(),
      sentAt: IsoTime,
      /** Server of the place, with the name and the roles that its speaker has there, where the door tells them. */
      within: z
        .object({
          server: z.string().min(1).max(64),
          /** Channel of a thread; absent for a channel, and where that is not known. */
          threadOf: z.string().min(1).max(64).optional(),
          /** Absent where they go by their own name. It is used in this place alone. */
          nickname: z.string().max(100).optional(),
          roles: z.array(z.string().min(1).max(64)).max(MAX_ROLES).optional(),
        })
        .optional(),
      /** Way to answer there: by a reply that refers to it, by a message alone, or not at all. */
      answerable: z.enum(['by-reply', 'by-message', 'not']).default('by-reply'),
    }),
    response: z.object({ conversationId: ConversationId, personId: PersonId, duplicate: z.boolean() }),
    timeoutMs: 5_000,
  }),
  /**
   * A message was edited, or deleted (`text` null), where it was said. Before its answer the turn is taken with the new
   * words; after it the new words take the old ones' place in the transcript and in all that was made of them.
   */
  revise: defineRequest('gateway.revise', {
    request: z.object({
      door: Door,
      messageId: z.string().min(1).max(128),
      text: z.string().min(1).max(MAX_MESSAGE_CHARACTERS).nullable(),
      /** Pictures that it has now; none where they are left out. */
      pictures: z.array(SentPicture).max(MAX_PICTURES).optional(),
    }),
    response: Nothing,
  }),
  /** The person wants no answer (any more) to what they said here: ends the turn under way and what waits. */
  stop: defineRequest('gateway.stop', {
    request: z.object({ from: IdentityRef, place: PlaceRef, companionId: CompanionId.optional() }),
    response: z.object({ stopped: z.number().int() }),
  }),
  /** Tools that a person may use with a companion in a place, and the questions that wait for them. */
  tools: defineRequest('gateway.tools', {
    request: z.object({
      personId: PersonId,
      companionId: CompanionId,
      place: z.object({
        server: z.string().max(64).nullable(),
        channel: z.string().max(64).nullable(),
        threadOf: z.string().max(64).nullable().default(null),
        roles: z.array(z.string().max(64)).max(MAX_ROLES),
      }),
    }),
    response: z.object({ tools: z.array(ToolView), questions: z.array(ToolQuestion) }),
  }),
  /** A person answers a question about a call of a tool. This answers once the call is over. */
  answerTool: defineRequest('gateway.answer-tool', {
    request: z.object({ personId: PersonId, questionId: Uuid, answer: ToolAnswer }),
    response: ToolOutcome,
    // More than a call may take.
    timeoutMs: 25_000,
  }),
  /** Finished turns, for jobs, which carry ids and no text. Those that are gone, as of an erased person, are left out. */
  readTurns: defineRequest('gateway.read-turns', {
    request: TurnBatch,
    /** The turns that exist, in the order asked for. */
    response: z.object({ turns: z.array(ReadTurn) }),
  }),
  /** The companion's part of these turns, for a service that reads them later. Unknown ones are left out. */
  exchanges: defineRequest('gateway.exchanges', {
    request: TurnBatch,
    response: z.object({ exchanges: z.array(Exchange) }),
  }),
  /** Tells whether something that this person said, or that is to be said to them, is still under way. */
  isBusy: defineRequest('gateway.is-busy', {
    request: z.object({
      personId: PersonId,
      /** Outreach whose end may not have been heard of. */
      attemptId: Uuid.optional(),
    }),
    response: z.object({
      busy: z.boolean(),
      /** End of that outreach's turn, if a reply was written in it. */
      answeredAt: IsoTime.nullable(),
    }),
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
   * The companion speaks first: runs a turn without a message, whose reply goes to the person's DM, or into the Discord
   * channel named. The scheduler has decided that the companion may write, and that readers there may hear the reason;
   * the gateway asks it for that reason. The same attempt again does nothing.
   */
  reachOut: defineJob('gateway.reach-out', {
    payload: z.object({
      attemptId: Uuid,
      personId: PersonId,
      companionId: CompanionId,
      channelId: ChannelId.optional(),
    }),
    idOf: ({ attemptId }) => attemptId,
  }),
  /**
   * The companion thinks over a day with somebody: a turn without a message, with tools, of which nothing is sent. The
   * same day again, for the same cause, does nothing.
   */
  heartbeat: defineJob('gateway.heartbeat', {
    payload: z.object({
      personId: PersonId,
      companionId: CompanionId,
      day: IsoDay,
      why: HeartbeatTrigger.default('day'),
      /** Conversation alone with them that it is about; the person's own with the companion, where there is none. */
      conversationId: Uuid.optional(),
      /** Task that comes due: it was thought of already where a heartbeat has ended since it was noted, within a day of it. */
      task: z.object({ notedAt: IsoTime, dueAt: IsoTime }).optional(),
    }),
    // Each talk that becomes too long is tidied by itself. The other causes are of the person, wherever they came up.
    idOf: ({ personId, companionId, day, why, conversationId = '', task }) =>
      [
        companionId,
        personId,
        day,
        why,
        ...(why === 'pressure' ? [conversationId] : []),
        ...(task ? [Date.parse(task.notedAt)] : []),
      ].join('-'),
    concurrency: 1,
  }),
  /** The default models, and those in use; `gone` names one that its host refused, so that another is chosen first. */
  models: defineRequest('gateway.models', {
    request: z.object({ gone: z.string().optional() }),
    response: z.object({ choices: z.array(ModelChoice), chat: z.array(z.string()) }),
    timeoutMs: 6_000,
  }),
  /** Notes the usage of a service's models; returns whose tokens of the day are spent, `null` for everybody's. */
  noteUsage: defineRequest('gateway.note-usage', {
    request: z.object({ usage: z.array(ModelUsage).min(1).max(MAX_USAGE_REPORTED) }),
    response: z.object({ spent: z.array(PersonId.nullable()).default([]) }),
    timeoutMs: 5_000,
  }),
  /** Usage that a service still had when it stopped after the gateway, which counts it at its next start. */
  usageLeft: defineEvent(
    'gateway.usage-left',
    z.object({ usage: z.array(ModelUsage).min(1).max(MAX_USAGE_REPORTED), at: IsoTime }),
  ),
  /** A turn at Discord's door ended. For what may be lost, such as a typing indicator: what must follow a turn is a job. */
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
};
