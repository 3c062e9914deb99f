import { z } from 'zod';
import { IsoTime } from '../time/iso-time.js';
import { defineJob, defineRequest, Nothing } from './define.js';
import { TimeZone } from '../time/time-zone.js';
import { erasePerson } from './erasure.js';
import { forgetMade, leavePlaces, MAX_PLACE_MESSAGES, SpokenTurns, undoForget } from './forgetting.js';
import { NOTED_FROM, NotedFrom } from '../values/noted-from.js';
import { handleTurns, MAX_TURNS_IN_JOB, unfinishedTurns } from './turn-batch.js';
import { Audience, CompanionId, PersonId, TurnId, Uuid } from '../values/words.js';

/** `HH:MM`, 24 hours. */
export const ClockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time such as 22:30');

/** The door's own id for a channel. */
export const ChannelId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'the id of a channel');

/** The broadcast channel on which the scheduler sends the ids of people whose time zone has changed. */
export const CLOCKS_CHANNEL = 'outreach.clocks';

/** Most messages in a day that anybody may allow: one for each hour and a half that they are awake. */
export const MAX_DAILY_CAP = 10;
/** Most in seven days in a row: about seven a day, so that ten a day stay an exception. */
export const MAX_WEEKLY_CAP = 50;

/** Consent of a person to messages the companion starts. Off until they say otherwise. */
export const OutreachSettings = z.object({
  /** Anywhere at all. */
  optedIn: z.boolean(),
  /** In their direct messages; where they have none, in their main thread. */
  direct: z.boolean(),
  /** The Discord channel where they said "write to me here", and why it can't be written in, if so. */
  channel: z.object({ id: ChannelId, problem: z.string().nullable() }).nullable(),
  timeZone: TimeZone,
  quietFrom: ClockTime,
  quietUntil: ClockTime,
  /** Messages the companion may start in one day of the person's. */
  dailyCap: z.number().int().min(0).max(MAX_DAILY_CAP),
  /** Most in any seven days in a row. */
  weeklyCap: z.number().int().min(0).max(MAX_WEEKLY_CAP),
  /** Words for what the companion does not bring up by itself. */
  topicsOff: z.array(z.string().trim().min(2, 'at least two letters').max(60)).max(20),
});
export type OutreachSettings = z.infer<typeof OutreachSettings>;

/** A change of what is given. A channel is named by who is in it: a door that can't tell may only withdraw it. */
export const OutreachSettingsChange = OutreachSettings.extend({ channel: ChannelId.nullable() }).partial();
export type OutreachSettingsChange = z.infer<typeof OutreachSettingsChange>;

/** Reads topics from a list such as `work, my ex`; an empty one means no topics. */
export function readTopics(list: string): string[] {
  return list
    .split(',')
    .map((topic) => topic.trim())
    .filter((topic) => topic !== '');
}

/** The operator's setting for writing first in a channel, to those who allowed it there; `on` by default. */
export const OutreachChannelMode = z.object({ channelId: ChannelId, mode: z.enum(['on', 'off']) });
export type OutreachChannelMode = z.infer<typeof OutreachChannelMode>;

/** Facts known to the operator that forbid outreach, whatever the person allows. */
export const OutreachRestriction = z.object({
  /** A minor is never written to first. */
  ageState: z.enum(['unknown', 'adult', 'minor']),
  /** No outreach before this, as after a crisis. */
  restUntil: IsoTime.nullable(),
});
export type OutreachRestriction = z.infer<typeof OutreachRestriction>;

/**
 * Reasons a companion writes first, the strongest first: what it promised, what it was asked for, a day that matters to
 * the person, something of theirs that was ahead, something they care about, a need of its own.
 */
export const ReasonKind = z.enum(['promise', 'request', 'date', 'follow-up', 'interest', 'need']);
export type ReasonKind = z.infer<typeof ReasonKind>;

/** Source of a reason: `turn:<id>`, `memory:<id>`, `need:<name>`, or a `thought` of the companion's own. */
const ReasonSource = z.string().regex(/^(?:(?:turn|memory|need):\S+|thought)$/);

/** Obstacles that keep a companion from writing first just now. */
export const WaitReason = z.enum([
  'not opted in',
  'minor',
  'rest',
  'unreachable',
  'unanswered',
  'nowhere',
  'one is under way',
  'nothing due',
  'daily cap',
  'weekly cap',
  'attention',
  'quiet hours',
  'in conversation',
]);
export type WaitReason = z.infer<typeof WaitReason>;

/** When it may write next, as far as that is known. */
export const OutreachOutlook = z.object({
  /** Null: nothing does, it may write any minute. */
  waitsFor: WaitReason.nullable(),
  /** When that may have changed; null when only the person or an operator can change it. */
  until: IsoTime.nullable(),
  /** Both in words, as the person is told. */
  words: z.string(),
});
export type OutreachOutlook = z.infer<typeof OutreachOutlook>;

/** A reason to write, with its time. */
export const IntentionView = z.object({
  id: Uuid,
  companionId: CompanionId,
  kind: ReasonKind,
  about: z.string(),
  dueAt: IsoTime,
  status: z.enum(['open', 'done', 'dropped']),
});

/** One decision to write first, and what became of it. */
export const AttemptView = z.object({
  id: Uuid,
  companionId: CompanionId,
  kind: ReasonKind,
  /** Reason, as the person is told. */
  because: z.string(),
  sources: z.array(ReasonSource),
  decidedAt: IsoTime,
  /** The channel it was for; null for their direct messages. */
  channelId: ChannelId.nullable(),
  status: z.enum(['queued', 'sent', 'failed']),
  /** Reason it failed. */
  problem: z.string().nullable(),
});
export type AttemptView = z.infer<typeof AttemptView>;

export const OutreachView = z.object({
  settings: OutreachSettings,
  intentions: z.array(IntentionView),
  recent: z.array(AttemptView),
  outlook: OutreachOutlook,
});
/** Attempts to write first, the newest first: the answer to "why did you write?". */
export const OutreachAttempts = z.object({ attempts: z.array(AttemptView), nextCursor: Uuid.nullable() });

/** True while anything else of the person is under way at the gateway: an outreach would come over it. */
const IsBusy = z.boolean().default(false);

export const outreachContract = {
  settings: defineRequest('outreach.settings', {
    request: z.object({ personId: PersonId }),
    response: OutreachView,
  }),
  /** Reads a person's time zone: their own, or the suite's where they named none. */
  timeZone: defineRequest('outreach.time-zone', {
    request: z.object({ personId: PersonId }),
    response: z.object({ timeZone: TimeZone }),
  }),
  /**
   * Changes what is given, leaves the rest. Opting out withdraws every place; `forbidden` for a channel that the
   * operator keeps quiet.
   */
  change: defineRequest('outreach.change', {
    request: z.object({ personId: PersonId, change: OutreachSettingsChange }),
    response: OutreachSettings,
  }),
  attempts: defineRequest('outreach.attempts', {
    request: z.object({
      personId: PersonId,
      limit: z.number().int().min(1).max(200).default(50),
      /** `nextCursor` of the page before. */
      cursor: Uuid.optional(),
    }),
    response: OutreachAttempts,
  }),
  /**
   * Reads the reason of an outreach that is to be begun, in words for the prompt. Null when it is not to be any more, or
   * not now.
   */
  reasonOf: defineRequest('outreach.reason-of', {
    request: z.object({ personId: PersonId, attemptId: Uuid, isBusy: IsBusy }),
    response: z.object({ reason: z.string().nullable() }),
  }),
  /**
   * Tells whether an outreach that was written and could not be delivered yet may still arrive. One that would not be
   * decided on any more is called off.
   */
  mayArrive: defineRequest('outreach.may-arrive', {
    request: z.object({
      personId: PersonId,
      attemptId: Uuid,
      isBusy: IsBusy,
      /** When its turn was written: a task that was over by then was ended in telling of it. */
      writtenAt: IsoTime.nullable().default(null),
      /** True where what it says was forgotten: then it may not, and is called off. */
      isForgotten: z.boolean().default(false),
      /** Turns in which the person spoke and whose end may not be noticed yet: what they said there is heard first. */
      spokenIn: z.array(TurnId).max(MAX_TURNS_IN_JOB).default([]),
    }),
    response: z.object({ allowed: z.boolean() }),
  }),
  /** An outreach was given up, and nothing of it has arrived, whether its turn is known to have ended or not. */
  endUndelivered: defineJob('outreach.end-undelivered', {
    payload: z.object({
      personId: PersonId,
      attemptId: Uuid,
      reason: z.string(),
      at: IsoTime,
      /** True where it failed for a reason that passes: its subject may come up later. */
      passes: z.boolean(),
    }),
    idOf: ({ attemptId }) => attemptId,
  }),
  /** Sets the operator's restrictions for one person. Changes what is given, leaves the rest. */
  restrict: defineRequest('outreach.restrict', {
    request: z.object({ personId: PersonId, change: OutreachRestriction.partial() }),
    response: OutreachRestriction,
  }),
  /** Sets the operator's mode of one channel, effective with the next decision. */
  setChannelMode: defineRequest('outreach.set-channel-mode', {
    request: OutreachChannelMode,
    response: OutreachChannelMode,
  }),
  /** Lists the channels that have a mode set by an operator. */
  channelModes: defineRequest('outreach.channel-modes', {
    request: z.object({}),
    response: z.object({ channels: z.array(OutreachChannelMode) }),
  }),
  /** Keeps something to come back to, which the companion thought of by itself. Not kept is no error: `why` says why. */
  intend: defineRequest('outreach.intend', {
    request: z.object({
      personId: PersonId,
      companionId: CompanionId,
      about: z.string().min(1).max(300),
      at: IsoTime,
      /** The turns it was thought of at: it is forgotten with any of them. */
      turnIds: z.array(TurnId).max(100).default([]),
      /** The messages it comes from: it is forgotten with any of them, too. */
      messageIds: NotedFrom,
      /** When it was begun to be thought of, as for a note: where what it comes from was forgotten since, it is refused. */
      begunAt: NOTED_FROM.begunAt,
      /** The task it reminds of: it is not written once that is over. */
      taskId: Uuid.optional(),
    }),
    response: z.object({ kept: z.boolean(), why: z.string().nullable() }),
  }),
  /**
   * Reads an ended turn: notes that the person spoke, or how an outreach ended, and keeps the reasons to write that
   * it gives, such as "ask me tomorrow how it went".
   */
  notice: handleTurns('outreach.notice'),
  /**
   * Reads an ended turn again of which a message was edited or deleted, or whose reply did not arrive, or did so after all:
   * what is not said is no promise.
   */
  noticeAgain: defineRequest('outreach.notice-again', {
    request: z.object({ turnId: TurnId }),
    response: Nothing,
    timeoutMs: 10_000,
  }),
  /** Returns the turns that are not noticed yet. */
  unfinished: unfinishedTurns('outreach.unfinished'),
  leavePlaces: leavePlaces('outreach.leave-places'),
  /**
   * Forgets reasons to write that were told before one audience, or come from these messages, and what was written for
   * them, or there: a channel that was left.
   */
  forgetPlace: defineRequest('outreach.forget-place', {
    request: z.object({
      audience: Audience,
      messageIds: z.array(z.string()).max(MAX_PLACE_MESSAGES).default([]),
      /** Turns of the place: nothing is kept of those that are handled late. */
      turns: SpokenTurns.default([]),
    }),
    response: Nothing,
    timeoutMs: 30_000,
  }),
  /** Forgets reasons to write that these turns or memories gave; what waits to be written for them is not written. */
  forget: forgetMade('outreach.forget'),
  undoForget: undoForget('outreach.undo-forget'),
  /** Erases or counts a person's consent, reasons to write to them, and decisions. */
  erase: erasePerson('outreach.erase'),
};
