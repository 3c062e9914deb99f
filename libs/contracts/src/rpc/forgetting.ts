import { z } from 'zod';
import { IsoTime } from '../time/iso-time.js';
import { defineRequest, Nothing } from './define.js';
import { MAX_PLACES } from '../values/doors.js';
import { MemoryView } from '../views/memory-view.js';
import { MAX_TURNS_ASKED } from './turn-batch.js';
import { Audience, CompanionId, MemoryId, PersonId, TurnId, Uuid } from '../values/words.js';

/** Time within which forgetting can be undone. */
export const UNDO_MS = 10 * 60_000;

/** Messages of a place that are named in one request: the whole of one may be far more. */
export const MAX_PLACE_MESSAGES = 5_000;

/** Turns of a place, with the persons who spoke in them. */
export const SpokenTurns = z.array(z.object({ turnId: TurnId, personId: PersonId })).max(MAX_TURNS_ASKED);

/** Memories to forget, by name: nothing is left to be searched. */
export const ForgetNamed = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ids'), ids: z.array(MemoryId).min(1).max(500) }),
  /** Memories that came from these messages, by their doors' ids. */
  z.object({ kind: z.literal('sources'), sources: z.array(z.string().min(1)).min(1).max(500) }),
  /** Memories said from one time to before another. */
  z.object({ kind: z.literal('period'), from: IsoTime, to: IsoTime }),
  z.object({ kind: z.literal('all') }),
]);
export type ForgetNamed = z.infer<typeof ForgetNamed>;

/** Request of a person to forget. */
export const ForgetWhat = z.discriminatedUnion('kind', [
  ...ForgetNamed.options,
  /** Memories that are really about this; `companionId` is needed. */
  z.object({ kind: z.literal('query'), query: z.string().min(1).max(2_000) }),
]);

/** A line of the talk that memories came from. */
export const TalkLine = z.object({ role: z.enum(['person', 'companion']), text: z.string(), at: IsoTime });
export type TalkLine = z.infer<typeof TalkLine>;

/** Result of forgetting, or, as a preview, what it would be. */
export const ForgetResult = z.object({
  rows: z.number().int().describe('memories, and their points in the index'),
  points: z.number().int(),
  /** Proof by which it can be undone; null for a preview, and where there was nothing to forget. */
  receipt: Uuid.nullable(),
  undoUntil: IsoTime.nullable().describe('end of the time in which it can be undone'),
  memories: z.array(MemoryView).describe('first of the memories that would go, in a preview'),
  /** Number of lines of the talk that are withheld; of a preview, also the first of them. */
  lines: z.number().int(),
  talk: z.array(TalkLine),
});
export type ForgetResult = z.infer<typeof ForgetResult>;

/** Orders to forget that can still be undone. They name what was forgotten by ids and times, and show none of it. */
export const UndoableList = z.object({
  orders: z.array(
    z.object({
      receipt: Uuid,
      companionId: CompanionId.nullable().describe('null: of every companion'),
      what: ForgetNamed,
      keepTalk: z.boolean(),
      at: IsoTime,
      undoUntil: IsoTime,
    }),
  ),
});

export const UndoResult = z.object({ rows: z.number().int(), lines: z.number().int() });

/** Forgets what a service made of messages that are forgotten, deleted or edited. Safe to repeat. */
export function forgetMade(pattern: string) {
  return defineRequest(pattern, {
    request: z.object({
      orderId: Uuid,
      personId: PersonId,
      companionId: CompanionId.nullable(),
      /** The turns and the messages in which it was said, and what was remembered of it. */
      turnIds: z.array(TurnId).default([]),
      messageIds: z.array(z.string()).default([]),
      memoryIds: z.array(MemoryId).default([]),
      /** Other turns, of anybody, whose replies repeat it and go with it. */
      replyTurnIds: z.array(TurnId).default([]),
      /** Everything from before this time as well, whatever it came from. */
      before: IsoTime.nullable().default(null),
      /** End of the time in which it can be undone; null: it is gone at once. */
      undoUntil: IsoTime.nullable().default(null),
      /** The turns are read again with other words. */
      isReread: z.boolean().default(false),
      /** The turns are read again for reasons to write: those that were dropped are to stay so. */
      isNoticedAgain: z.boolean().default(false),
    }),
    response: z.object({
      rows: z.number().int(),
      /** Messages the companion meant to start because of it, by their attempts. */
      attemptIds: z.array(Uuid).default([]),
    }),
    timeoutMs: 10_000,
  });
}

/** Puts back what an order to forget took from a service, as long as that can be undone. */
export function undoForget(pattern: string) {
  return defineRequest(pattern, {
    request: z.object({
      orderId: Uuid,
      personId: PersonId,
      /** Turns with lines that are no longer withheld. */
      turnIds: z.array(TurnId).default([]),
      /** Turns, of anybody, whose replies had gone because they repeat it. */
      replyTurnIds: z.array(TurnId).default([]),
    }),
    response: z.object({
      rows: z.number().int(),
      /** Turns that were not remembered yet when they were forgotten, and are to be remembered. */
      unread: z.array(TurnId).default([]),
    }),
    timeoutMs: 15_000,
  });
}

/**
 * Notes that the app was removed from these places (`left`), or is back: what was said there is no longer told
 * elsewhere, or is told again.
 */
export function leavePlaces(pattern: string) {
  return defineRequest(pattern, {
    request: z.object({ audiences: z.array(Audience).max(MAX_PLACES), left: z.boolean() }),
    response: Nothing,
    timeoutMs: 10_000,
  });
}
