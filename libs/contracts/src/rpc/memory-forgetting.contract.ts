import { z } from 'zod';
import { IsoTime } from '../time/iso-time.js';
import { defineRequest, Nothing } from './define.js';
import { erasePerson } from './erasure.js';
import { ForgetNamed, leavePlaces, MAX_PLACE_MESSAGES, undoForget } from './forgetting.js';
import { MemoryView, Privacy } from '../views/memory-view.js';
import { NOTED_FROM } from '../values/noted-from.js';
import { MAX_TIMES_ASKED } from '../values/read-turn.js';
import { MAX_TURNS_ASKED, MAX_TURNS_IN_JOB } from './turn-batch.js';
import { Audience, CompanionId, MemoryId, PersonId, TurnId, Uuid } from '../values/words.js';

/** Requests to forget, to erase, and to keep nothing of private talk. */
export const memoryForgetting = {
  /** Finds the memories of a person that are really about this, so that they can be forgotten. */
  findToForget: defineRequest('memory.find-to-forget', {
    request: z.object({ personId: PersonId, companionId: CompanionId, query: z.string().min(1).max(2_000) }),
    response: z.object({ ids: z.array(MemoryId) }),
    timeoutMs: 5_000,
  }),
  /**
   * Removes memories from every store, with what was made of them; the gateway orders it, which has the talk forgotten
   * too. Unknown ids are counted as 0, not refused. The same order again answers the same.
   */
  forget: defineRequest('memory.forget', {
    request: z.object({
      orderId: Uuid,
      personId: PersonId,
      /** Null: of every companion. */
      companionId: CompanionId.nullable().default(null),
      what: ForgetNamed,
      /** Only what is named goes: the lines that tell a named fact stay. */
      keepTalk: z.boolean().default(false),
      /** For everything: time of the order, and turns that began since. The person's lines of these stay. */
      saidAfter: z
        .object({ at: IsoTime, turnIds: z.array(TurnId).max(MAX_TURNS_ASKED) })
        .nullable()
        .default(null),
      /** Covered messages that memory may not have read: a tool may have noted something of them already. */
      unread: z.array(z.string()).default([]),
      /** End of the time in which it can be undone; null: it is gone at once. */
      undoUntil: IsoTime.nullable().default(null),
      /** Only says what would go. */
      preview: z.boolean().default(false),
    }),
    response: z.object({
      rows: z.number().int(),
      points: z.number().int(),
      /** First of what would go, in a preview. */
      memories: z.array(MemoryView),
      /** The messages that it came from, by their doors' ids, and what is removed. */
      sources: z.array(z.string()),
      memoryIds: z.array(MemoryId),
      /** Other messages in which removed lines were said as well: they are to be remembered again. */
      others: z.array(z.string()),
    }),
    timeoutMs: 15_000,
  }),
  /**
   * Finds what is known of these people that goes back to messages of somebody else: what a companion notes in a channel
   * may repeat another’s words. Names the messages of each.
   */
  findNoted: defineRequest('memory.find-noted', {
    request: z.object({ personIds: z.array(PersonId), messageIds: z.array(z.string()) }),
    response: z.object({ noted: z.array(z.object({ personId: PersonId, messageIds: z.array(z.string()) })) }),
    timeoutMs: 5_000,
  }),
  /**
   * Removes what was made of messages whose words were changed (`revision`) or deleted (null) at their door. What is
   * removed with them though other messages say it as well is named by those: they are to be remembered again.
   */
  revise: defineRequest('memory.revise', {
    request: z.object({
      orderId: Uuid,
      personId: PersonId,
      companionId: CompanionId,
      source: z.string(),
      /** Version of the words from which on it may be kept. */
      revision: z.number().int().nullable(),
      turnId: TurnId,
    }),
    response: z.object({ memoryIds: z.array(MemoryId), others: z.array(z.string()) }),
    timeoutMs: 10_000,
  }),
  /** Remembers turns again that lost something which is not to be forgotten. */
  reread: defineRequest('memory.reread', {
    request: z.object({ personId: PersonId, turnIds: z.array(TurnId) }),
    response: Nothing,
    timeoutMs: 5_000,
  }),
  undoForget: undoForget('memory.undo-forget'),
  leavePlaces: leavePlaces('memory.leave-places'),
  /**
   * Forgets what anybody said before one audience, and what was noted of it elsewhere: in a channel that the companion is
   * not in any more.
   */
  forgetPlace: defineRequest('memory.forget-place', {
    request: z.object({
      audience: Audience,
      /** Messages of the place, by who said them: what comes late of these is refused. */
      said: z
        .array(z.object({ personId: PersonId, messageIds: z.array(z.string()).max(MAX_PLACE_MESSAGES) }))
        .max(MAX_PLACE_MESSAGES)
        .default([]),
      /** Only finds the messages. */
      preview: z.boolean().default(false),
    }),
    /** Messages that it came from, by their doors' ids. */
    response: z.object({ sources: z.array(z.string()) }),
    timeoutMs: 60_000,
  }),
  /** Tells whether what this person says is remembered; with `private`, changes it from now on. */
  privacy: defineRequest('memory.privacy', {
    request: z.object({ personId: PersonId, private: z.boolean().optional() }),
    response: Privacy,
  }),
  /**
   * Tells why a companion may not note something now; null where it may. Asked where the note is kept elsewhere, which is
   * to name those of its sources that were never forgotten.
   */
  whyNotNoted: defineRequest('memory.why-not-noted', {
    request: z.object({ personId: PersonId, companionId: CompanionId, ...NOTED_FROM }),
    response: z.object({ why: z.string().nullable(), sources: z.array(z.string()) }),
  }),
  /** Names which of these turns were private talk. A service asks before it keeps any of their words. */
  wasPrivate: defineRequest('memory.was-private', {
    request: z.object({
      turns: z
        .array(z.object({ personId: PersonId, at: z.array(IsoTime).min(1).max(MAX_TIMES_ASKED) }))
        .min(1)
        .max(MAX_TURNS_IN_JOB),
    }),
    /** For each of them in their order: true when one of its times was private. */
    response: z.object({ wasPrivate: z.array(z.boolean()) }),
  }),
  /** Memories with their points, core memory, documents, and what was ordered about them: erased, or counted. */
  erase: erasePerson('memory.erase'),
};
