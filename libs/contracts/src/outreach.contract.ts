import { z } from 'zod';
import { defineJob, defineRequest } from './define.js';
import { handleTurns, unfinishedTurns } from './turn-batch.js';
import { CompanionId, IsoTime, PersonId } from './words.js';

/** `HH:MM`, 24 hours. */
export const ClockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time such as 22:30');

/** An IANA zone the machine knows. */
export const TimeZone = z.string().refine(
  (zone) => {
    try {
      new Intl.DateTimeFormat('en', { timeZone: zone });
      return true;
    } catch {
      return false;
    }
  },
  { error: 'not a time zone; use a name such as Europe/Berlin' },
);

/** What a person allows the companion to start. Off until they say otherwise. */
export const OutreachSettings = z.object({
  optedIn: z.boolean(),
  timeZone: TimeZone,
  quietFrom: ClockTime,
  quietUntil: ClockTime,
  /** Messages the companion may start in one day of the person's. */
  dailyCap: z.number().int().min(0).max(10),
});
export type OutreachSettings = z.infer<typeof OutreachSettings>;

/** A reason with a date: something the companion was asked to come back to. */
export const IntentionView = z.object({
  id: z.uuid(),
  companionId: CompanionId,
  about: z.string(),
  dueAt: IsoTime,
  status: z.enum(['open', 'done', 'dropped']),
});

/** One decision to write first, and what became of it. */
export const AttemptView = z.object({
  id: z.uuid(),
  companionId: CompanionId,
  reason: z.string(),
  decidedAt: IsoTime,
  status: z.enum(['queued', 'sent', 'failed']),
});

export const outreachContract = {
  settings: defineRequest('outreach.settings', {
    request: z.object({ personId: PersonId }),
    response: z.object({
      settings: OutreachSettings,
      intentions: z.array(IntentionView),
      recent: z.array(AttemptView),
    }),
    timeoutMs: 3_000,
  }),
  /** Changes what is given, leaves the rest. */
  change: defineRequest('outreach.change', {
    request: z.object({ personId: PersonId, change: OutreachSettings.partial() }),
    response: OutreachSettings,
    timeoutMs: 3_000,
  }),
  /**
   * Reads an ended turn: notes that the person spoke, or how an outreach ended, and keeps "ask me tomorrow how it
   * went" as an intention.
   */
  notice: handleTurns('outreach.notice'),
  /** Of these turns, which are not noticed yet? */
  unfinished: unfinishedTurns('outreach.unfinished'),
  /** Decides for everyone with a due reason. */
  scan: defineJob('outreach.scan', {
    payload: z.object({}),
    idOf: () => 'scan',
    attempts: 1,
    concurrency: 1,
  }),
  /** Hands the past day to memory and personality. */
  night: defineJob('outreach.night', {
    payload: z.object({ day: z.iso.date().optional() }),
    idOf: ({ day }) => `night-${day ?? 'latest'}`,
    concurrency: 1,
  }),
};
