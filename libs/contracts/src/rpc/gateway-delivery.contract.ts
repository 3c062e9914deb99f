import { z } from 'zod';
import { IsoTime } from '../time/iso-time.js';
import { defineEvent, defineRequest, Nothing } from './define.js';
import { ChannelId } from './outreach.contract.js';
import { ToolQuestion } from '../views/tool-views.js';
import { PersonId, TurnId, Uuid } from '../values/words.js';
import { DiscordTarget } from '../values/doors.js';

/** Replies on their way to a door. */
export const gatewayDelivery = {
  /**
   * A reply's text and where it goes. `settled`: it has been delivered or given up meanwhile; `not-yet`: an earlier
   * reply to the same person there is still on its way, and their replies keep their order.
   */
  claimDelivery: defineRequest('gateway.claim-delivery', {
    request: z.object({
      outboxId: Uuid,
      /** True where the door has looked for a delivery in doubt, and found nothing of it. */
      isAbsent: z.boolean().default(false),
    }),
    response: z.discriminatedUnion('kind', [
      z.object({
        kind: z.literal('claimed'),
        outboxId: Uuid,
        turnId: TurnId,
        personId: PersonId,
        target: DiscordTarget,
        text: z.string(),
        /** Questions about tools that the reply asks, for its buttons. */
        questions: z.array(ToolQuestion.pick({ id: true, tool: true })).optional(),
        attempt: z.number().int(),
        /** Since then a chunk may have arrived without our knowing. */
        firstTriedAt: IsoTime,
        /** Discord's ids of the chunks that are known to have arrived, in order. */
        sent: z.array(z.string()),
        /** Ids of other replies of the conversation since then: none of them is this one. */
        othersSent: z.array(z.string()),
        /**
         * Outreach that was tried before: it may have arrived, and if not, it may be unwanted by now. The door looks for it,
         * and claims it again where it is not there.
         */
        isInDoubt: z.boolean().default(false),
        /** True where its words were forgotten: chunks that arrived are to be deleted, and nothing sent. */
        isForgotten: z.boolean().default(false),
      }),
      z.object({ kind: z.literal('settled') }),
      z.object({ kind: z.literal('not-yet'), retryAfterMs: z.number().int() }),
    ]),
  }),
  /** Notes that chunks of a reply have arrived, so that whoever sends the rest begins after them. */
  noteSent: defineRequest('gateway.note-sent', {
    request: z.object({ outboxId: Uuid, sent: z.array(z.string()).min(1) }),
    response: Nothing,
  }),
  /** Notes how a try to deliver ended. Answers when the next one is due; null when it was the last. */
  noteDelivery: defineRequest('gateway.settle-delivery', {
    request: z.object({
      outboxId: Uuid,
      result: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('delivered'), platformIds: z.array(z.string()) }),
        /** Reply whose words were forgotten, and whose chunks were all deleted. */
        z.object({ kind: z.literal('forgotten') }),
        /** `sent`: the chunks that did arrive, if any. */
        z.object({
          kind: z.literal('failed'),
          reason: z.string(),
          /** Receiver that can't be written to any more: this person, or the place. */
          unreachable: z.enum(['person', 'place']).nullable(),
          /** The cause is over later, though not soon: what is worth saying then is said anew. */
          passes: z.literal(true).optional(),
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
    response: z.object({
      retryAfterMs: z.number().int().nullable(),
      /**
       * True where it was forgotten and has ended, its person was erased, or its place deleted, while it was sent: what
       * arrived of it is to be deleted.
       */
      isGone: z.boolean().default(false),
    }),
  }),
  /** A person can't be written to any more, as with closed DMs, or not in the channel where they allowed outreach. */
  unreachable: defineEvent(
    'gateway.unreachable',
    z.object({
      personId: PersonId,
      reason: z.string(),
      at: IsoTime,
      /** The outreach that did not arrive; null when it was a reply. */
      attemptId: Uuid.nullable(),
      /** The channel; null for the person themselves. */
      channelId: ChannelId.nullable(),
    }),
  ),
};
